/** What a proposal's evidence and signals say, in the same words wherever people read them. */
import { EVIDENCE_MAX_ROWS, SKILL_LINE_MAX_CHARS } from "../core/limits.ts";
import { markdownCellCode, markdownCode, markdownText } from "../core/markdown.ts";
import { overcomeSentence, steppedInSentence } from "../core/reason-words.ts";
import { count, cut, safeLine } from "../core/text.ts";
import { OUTCOME_WORDS } from "./evidence.ts";
import type { Evidence, Proposal, Signals } from "./proposal.ts";

/** How foreign text is shown: as Markdown, or on a terminal. */
export interface Shown {
  readonly code: (text: string) => string;
  readonly text: (text: string) => string;
}

export const AS_MARKDOWN: Shown = { code: markdownCode, text: markdownText };
export const ON_TERMINAL: Shown = { code: safeLine, text: safeLine };

/** Why a proposal was made, without what its signals tell in full. */
export function reasonBeside({ why, signals }: Pick<Proposal, "why" | "signals">): string {
  const steered = signals.corrections.filter(({ how }) => how === "while_working");
  const told = signals.fixes
    .flatMap(({ command, failedIn, succeededIn }) =>
      failedIn.flatMap((failed) =>
        succeededIn.map((succeeded) => overcomeSentence(command, failed, succeeded)),
      ),
    )
    .concat(steppedInSentence(steered.map(({ turn }) => turn)));
  const left = told.reduce((reason, sentence) => reason.replace(sentence, () => ""), why);
  return left === why ? why : left.replace(/ {2,}/g, " ").trim();
}

/** One sentence for each signal. The failed-then-fixed commands that the skill doesn't name are told only where it names none. */
export function signalSentences(signals: Signals, shown: Shown, textMax: number): string[] {
  const named = signals.fixes.filter(({ isNamed }) => isNamed);
  const fixes = named.length > 0 ? named : signals.fixes;
  return [
    ...fixes.map((fix) => fixSentence(fix, shown, textMax)),
    ...signals.corrections.map(({ turn, how, words }) => {
      return `${CORRECTION_WORDS[how]} (${turn}): “${shown.text(cut(words, textMax))}”`;
    }),
  ];
}

const CORRECTION_WORDS: Readonly<Record<Signals["corrections"][number]["how"], string>> = {
  while_working: "The user stepped in while the agent worked",
  after_cancel: "The user declined or stopped a call, and said",
  by_words: "The user seems to have objected",
};

function fixSentence(fix: Signals["fixes"][number], { code }: Shown, textMax: number): string {
  const changed = fix.changed.map(({ path, turns }) => `${code(path)} (${turns.join(", ")})`);
  const between = changed.length === 0 ? "" : `; changed in between: ${changed.join(", ")}`;
  return `${code(cut(fix.command, textMax))} failed in ${listed(fix.failedIn)} and succeeded in ${listed(fix.succeededIn)}${between}`;
}

/** `t1`, `t1 and t2`, `t1, t2 and t3`. */
function listed(turns: readonly string[]): string {
  const last = turns.at(-1) ?? "";
  return turns.length < 2 ? last : `${turns.slice(0, -1).join(", ")} and ${last}`;
}

/** One command of a skill and all that the session shows of it. */
interface CommandEvidence {
  readonly command: string;
  readonly ways: readonly Evidence[];
}

function byCommand(evidence: readonly Evidence[]): CommandEvidence[] {
  const ways = new Map<string, Evidence[]>();
  for (const row of evidence) ways.set(row.command, [...(ways.get(row.command) ?? []), row]);
  return [...ways].map(([command, rows]) => ({ command, ways: rows }));
}

/** All that a proposal may hold. */
export const WHOLE_EVIDENCE = { rows: EVIDENCE_MAX_ROWS, commandMax: SKILL_LINE_MAX_CHARS };

/** A table of the commands, one row each; empty when the skill names none. */
export function evidenceTable(
  evidence: readonly Evidence[],
  bounds: { readonly rows: number; readonly commandMax: number },
): string {
  const commands = byCommand(evidence);
  if (commands.length === 0) return "";
  const rows = commands.slice(0, bounds.rows).map(({ command, ways }) => {
    const said = ways.map(({ outcome, turns }) => {
      const words = OUTCOME_WORDS[outcome];
      return turns.length === 0 ? `**${words}**` : `${words} in ${listed(turns)}`;
    });
    return `| ${markdownCellCode(cut(command, bounds.commandMax))} | ${said.join("; ")} |`;
  });
  const left = commands.length - rows.length;
  const more = left === 0 ? "" : `\n\n… and ${count(left, "more command")}, not shown here.`;
  return `| Command | In the session |\n|---|---|\n${rows.join("\n")}${more}`;
}

/** How many of the commands were seen to succeed, in one sentence; empty when the skill names none. */
export function evidenceSummary(evidence: readonly Evidence[]): string {
  const commands = byCommand(evidence);
  if (commands.length === 0) return "";
  const succeeded = commands.filter(({ ways }) =>
    ways.some(({ outcome }) => outcome === "success"),
  );
  const unseen = commands.filter(({ ways }) => ways.some(({ outcome }) => outcome === "not_seen"));
  const all = `${succeeded.length} of ${count(commands.length, "command")} succeeded in the session`;
  return unseen.length === 0 ? `${all}.` : `${all}; ${unseen.length} did not run in it.`;
}

/**
 * One line for each other session that taught the same, with what of the skill's commands it showed.
 * @param bounds `rows`: sessions, and commands of each
 */
export function otherSessionLines(
  alsoFrom: Proposal["alsoFrom"],
  { code }: Shown,
  bounds: { readonly rows: number; readonly commandMax: number },
): string[] {
  const others = alsoFrom ?? [];
  const lines = others.slice(0, bounds.rows).map(({ session, evidence }) => {
    const seen = evidence.slice(0, bounds.rows).map(({ command, outcome, turns }) => {
      const words = `${code(cut(command, bounds.commandMax))} ${OUTCOME_WORDS[outcome]}`;
      return turns.length === 0 ? words : `${words} in ${listed(turns)}`;
    });
    const what = seen.length === 0 ? "none of its commands was seen there" : seen.join("; ");
    return `Session ${code(session.id)}: ${what}`;
  });
  const left = others.length - lines.length;
  return left === 0 ? lines : [...lines, `… and ${count(left, "more session")}`];
}
