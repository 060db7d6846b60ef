/** What commits of the Skillbook say besides their session: which operations they make, and which marks came with them. */

import { fill } from "../core/fill.ts";
import { TRAILER_OPERATIONS_MAX } from "../core/limits.ts";
import type { Proposal } from "../proposal/proposal.ts";
import type { Operation } from "../skills/operation.ts";
import { countByType } from "../skills/operation-lines.ts";
import { operationsBetween } from "../skills/operations-between.ts";
import type { Skillbook } from "../skills/skillbook.ts";
import { digestLines, trailerWord } from "./commit-message.ts";

const MARKS = "Skillpr-Marks";
const MARKS_LINE = /^\s*Skillpr-Marks: ([\w-]{1,100})\s*$/gm;

/** Finds the commits that carry marks which had waited; for `git log --grep`. */
export const MARKS_PATTERN = `^ *${MARKS}: `;

/** Finds the commits that came of reflection on sessions; for `git log --grep`. */
export const REFLECTED_PATTERN = "^ *Skillpr-Reviewer: skillbook$";

export interface ToldOperations {
  readonly operations: readonly Operation[];
  /** The strategy or skill that each is about. */
  readonly ids: readonly string[];
}

/**
 * Puts operations into the template of the commit's message: ids and traces as harmless words.
 * @param marks names of the batches of marks that had waited and are in this commit
 */
export function fillOperations(
  template: string,
  { operations, ids }: ToldOperations,
  marks: readonly string[] = [],
): string {
  const trailers = operations.slice(0, TRAILER_OPERATIONS_MAX).map((operation, at) => {
    const traces = tracesOf(operation).map(trailerWord);
    const from = traces.length === 0 ? "" : ` from ${traces.join(" ")}`;
    return `Skillpr-Operation: ${operation.type} ${trailerWord(ids[at] ?? "")}${from}`;
  });
  const left = operations.length - trailers.length;
  if (left > 0) trailers.push(`Skillpr-Operation: and-${left}-more`);
  trailers.push(...marks.map((name) => `${MARKS}: ${trailerWord(name)}`));
  const summary = countByType(operations) || "bring up to date";
  const filled = fill(template, { summary, operations: trailers.join("\n") });
  // Without operations no empty line parts the trailers.
  return filled.replace(/\n{3,}/g, "\n\n");
}

/**
 * The template with trailers for the sessions whose marks had waited: a commit is the first to tell of them, and of
 * how far they were reviewed.
 */
export function withSessions(
  template: string,
  marks: readonly { readonly session?: Proposal["session"] | undefined }[],
): string {
  const sessions = marks.flatMap(({ session }) => session ?? []);
  const lines = sessions.map((session) => {
    const agent = trailerWord(`${session.agent}/${session.agentVersion ?? ""}`);
    return `Skillpr-Session: ${trailerWord(session.id)}\nSkillpr-Digest: ${digestLines(session)}\nSkillpr-Agent: ${agent}\n`;
  });
  return lines.length === 0 ? template : `${template.trimEnd()}\n${lines.join("")}`;
}

/** The same for whoever has two versions and not the batch. */
export function fillBetween(
  template: string,
  books: { readonly before: Skillbook; readonly after: Skillbook },
  marks: readonly string[] = [],
): string {
  return fillOperations(template, operationsBetween(books.before, books.after), marks);
}

/** The names of batches of marks that commit messages carry; a squash may have indented them. */
export function marksIn(messages: string): string[] {
  return [...new Set(Array.from(messages.matchAll(MARKS_LINE), ([, name = ""]) => name))];
}

/** The digests of the sessions that commit messages name; a squash may have indented them. */
export function digestsIn(messages: string): string[] {
  const pattern = /^\s*Skillpr-Digest: (sha256:[0-9a-f]{64})\s*$/gm;
  return Array.from(messages.matchAll(pattern), ([, digest = ""]) => digest);
}

const CARRIED = /^\s*Skillpr-(?:Session|Digest|Turns|Agent|Reviewer|Marks|Folder): /;
const FOLDER_LINE = /^\s*Skillpr-Folder: ([0-9a-f]{40,64})\s*$/gm;

/**
 * What later runs read in the messages of commits that another one takes the place of.
 * @returns trailer lines, each with its line feed; empty when there is none
 */
export function carriedTrailers(messages: readonly string[]): string {
  const lines = messages.flatMap((message) =>
    message.split("\n").filter((line) => CARRIED.test(line)),
  );
  return lines.map((line) => `${line.trim()}\n`).join("");
}

/** Says which trees the Skillbook's folder had at commits that this one takes the place of. */
export function folderTrailers(folders: readonly string[]): string {
  return folders.map((folder) => `Skillpr-Folder: ${folder}\n`).join("");
}

/** The trees of the folder that messages name. */
export function foldersIn(messages: string): string[] {
  return Array.from(messages.matchAll(FOLDER_LINE), ([, folder = ""]) => folder);
}

function tracesOf({ insight_source: source }: Operation): string[] {
  const sources = source === undefined ? [] : Array.isArray(source) ? source : [source];
  return sources.flatMap(({ trace_uid: uid }) => (typeof uid === "string" ? [uid] : []));
}
