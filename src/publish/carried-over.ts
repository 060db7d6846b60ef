/**
 * The evidence of a page that was written where the session was known, for a revision that is made where it isn't (a
 * workflow's clone). Nothing is taken as it stands: each row is read back into what it says, and counts only where writing that
 * anew gives the very same row. Whoever may edit the description can change it, and it decides nothing.
 */
import * as limits from "../core/limits.ts";
import { OUTCOME_WORDS } from "../proposal/evidence.ts";
import type { Evidence, Proposal } from "../proposal/proposal.ts";
import { evidenceTable } from "../proposal/proposal-words.ts";
import { placeIn } from "./pull-request-markers.ts";

/**
 * What the table on a page says of commands that a skill still names.
 * @param body of the pull request, with line feeds
 * @param text all that the skill says now
 */
export function evidenceIn(body: string, skill: string, text: string): Proposal["evidence"] {
  const place = placeIn(body, skill);
  if (place.kind !== "between") return [];
  const rows = tableRows(place.parts.ours).flatMap((row) => readRow(row, skill));
  const isNamed = ({ command }: Evidence) => text.includes(command.replace(/…$/, ""));
  return rows.filter(isNamed).slice(0, limits.EVIDENCE_MAX_ROWS);
}

const [HEAD = "", RULE = ""] = evidenceTable(
  [{ skill: "x", command: "x", turns: [], outcome: "not_seen" }],
  { rows: 1, commandMax: 1 },
).split("\n");

function tableRows(page: string): string[] {
  const lines = outsideFences(page.split("\n"));
  const at = lines.findIndex((line, index) => line === HEAD && lines[index + 1] === RULE);
  if (at < 0) return [];
  const rest = lines.slice(at + 2);
  const end = rest.findIndex((line) => !line.startsWith("|"));
  return end < 0 ? rest : rest.slice(0, end);
}

/** In a fence, a skill may show a table that looks the same. */
function outsideFences(lines: readonly string[]): string[] {
  let fence: string | null = null;
  return lines.filter((line) => {
    if (fence !== null) {
      if (line === fence) fence = null;
      return false;
    }
    fence = /^(`{3,})[\w+-]*$/.exec(line)?.[1] ?? null;
    return fence === null;
  });
}

const OUTCOMES = Object.entries(OUTCOME_WORDS) as [Evidence["outcome"], string][];
const SPAN = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g;

function readRow(row: string, skill: string): Evidence[] {
  const [, cell = "", said = ""] = /^\| (.*) \| ([^|]*) \|$/.exec(row) ?? [];
  const ways = said.split("; ").map(readWay);
  const inside = Array.from(cell.matchAll(SPAN), ([, , code = ""]) => code.replaceAll("\\|", "|"));
  // A blank at either end may have been put there for the code's own sake.
  const bare = inside.map((code) => code.replace(/^ (.*) $/, "$1"));
  for (const parts of [inside, bare]) {
    const command = parts.join("|");
    const read = ways.flatMap((way) => (way === null ? [] : [{ skill, command, ...way }]));
    const isWhole = read.length === ways.length && command.length <= limits.SKILL_LINE_MAX_CHARS;
    if (isWhole && tableOf(read).at(-1) === row) return read;
  }
  return [];
}

function tableOf(evidence: readonly Evidence[]): string[] {
  const commandMax = limits.PULL_REQUEST_COMMAND_MAX_CHARS;
  return evidenceTable(evidence, { rows: 1, commandMax }).split("\n");
}

function readWay(said: string): Pick<Evidence, "outcome" | "turns"> | null {
  for (const [outcome, words] of OUTCOMES) {
    if (said === `**${words}**`) return { outcome, turns: [] };
    const [, listed] = said.startsWith(`${words} in `) ? ["", said.slice(words.length + 4)] : [];
    const turns = listed?.split(/, | and /) ?? [];
    const isListed = turns.length > 0 && turns.length <= limits.EVIDENCE_MAX_TURNS;
    if (isListed && turns.every((turn) => /^t\d{1,15}$/.test(turn))) return { outcome, turns };
  }
  return null;
}
