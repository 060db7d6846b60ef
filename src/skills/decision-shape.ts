/** What a similarity decision looks like: ACE's loader takes exactly that. Pure. */
import { isRecord } from "./skill-file.ts";
import type { SkillbookProblem } from "./skillbook.ts";

/** The fields of a decision: ACE can't load a file where one is missing, or another is there. */
const FIELDS = ["decision", "reasoning", "decided_at", "similarity_at_decision"];

/** What is wrong with a decision, behind its name; null when ACE's loader takes it. */
function decisionProblem(decision: unknown): string | null {
  if (!isRecord(decision)) return "is no object";
  const missing = FIELDS.filter((field) => !Object.hasOwn(decision, field));
  if (missing.length > 0)
    return `has no ${missing.join(", ")}, and ACE can't load it: write all four`;
  const other = Object.keys(decision).find((field) => !FIELDS.includes(field));
  return other === undefined ? null : `has a field that ACE can't load, "${other}": remove it`;
}

/** A decision as ACE's loader takes it: without fields of others; null for one that isn't whole. */
export function wholeDecision(decision: unknown): Readonly<Record<string, unknown>> | null {
  if (!isRecord(decision)) return null;
  const known = Object.fromEntries(
    FIELDS.flatMap((field) => (Object.hasOwn(decision, field) ? [[field, decision[field]]] : [])),
  );
  return decisionProblem(known) === null ? known : null;
}

/** What is wrong with the decisions of a file, by their pairs. */
export function decisionProblems(decisions: Readonly<Record<string, unknown>>): SkillbookProblem[] {
  return Object.entries(decisions).flatMap(([pair, decision]): SkillbookProblem[] => {
    const what = decisionProblem(decision);
    const field = `similarity_decisions.${pair}`;
    return what === null ? [] : [{ code: "wrong_type", field, message: `${field} ${what}` }];
  });
}
