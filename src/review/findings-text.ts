import { count, safeBlock } from "../core/text.ts";
import type { ReviewFinding } from "./reviewer.ts";

/** What the verifier says of a skill, for the model that just wrote it. */
export function findingsText(findings: readonly ReviewFinding[]): string {
  if (findings.length === 0) return "The verifier has no objection to the skill.";
  const hasError = findings.some(({ level }) => level === "error");
  const consequence = hasError
    ? "an error refuses the whole review: correct it with edit"
    : "warnings are shown to the person who decides";
  const lines = findings.map(({ rule, level, path, line, message, hint }) => {
    const where = [path, line === null ? null : `line ${line}`].filter((part) => part !== null);
    return `- ${level} ${rule} (${where.join(", ") || "the skill"}): ${message} ${hint}`;
  });
  const head = `The verifier has ${count(findings.length, "finding")} (${consequence}):`;
  return safeBlock([head, ...lines].join("\n"));
}
