/**
 * Which strategies and skills a session had before it: decided by its calls and its words, never by a
 * model. What it shows no sign of gets no mark.
 */
import { ambiguousIds } from "../../skills/ambiguous-id.ts";
import { SKILL_FILE_NAME } from "../../skills/skill-path.ts";
import type { Skillbook } from "../../skills/skillbook.ts";
import { SKILLBOOK_FOLDER } from "../../skills/skillbook-files.ts";
import type { Session, ToolCall, Turn } from "../../transcript/session.ts";

/** A strategy or a whole skill, and where the session shows it. */
export interface Used {
  /** Of the strategy, or the skill's folder. */
  readonly id: string;
  readonly how: "loaded" | "cited";
  /** The first turn that shows it. */
  readonly turn: string;
}

export interface KnownStrategies {
  readonly skillbook: Skillbook;
  /** Folders of the project's skills. */
  readonly skills: ReadonlySet<string>;
  /** `/`-separated, e.g. `.qwen/skills`. */
  readonly skillsRoot: string;
}

/** How agents call the tool that loads a skill, and its argument. */
const SKILL_TOOL = /^(?:skill|skills|use_skill|load_skill|activate_skill|invoke_skill)$/;
const SKILL_ARGUMENTS = ["skill", "skill_name", "skillName", "name", "command"] as const;

/**
 * @param from the first turn that counts; null: all of them
 * @returns each strategy and skill once, in the order in which they show, without those that share their name
 */
export function usedStrategies(
  session: Session,
  from: string | null,
  known: KnownStrategies,
): Used[] {
  const active = Object.values(known.skillbook.skills).filter((each) => each.active);
  const ids = active.map(({ id }) => id);
  // Nobody could tell which of the two was marked.
  const ambiguous = new Set(ambiguousIds(known.skillbook, known.skills));
  const used = new Map<string, Used>();
  for (const turn of turnsFrom(session.turns, from))
    for (const { id, how } of turn.role === "agent" ? shownIn(turn, ids, known) : [])
      if (!used.has(id) && !ambiguous.has(id)) used.set(id, { id, how, turn: turn.id });
  return [...used.values()];
}

function* shownIn(
  turn: Turn,
  ids: readonly string[],
  known: KnownStrategies,
): Generator<Pick<Used, "id" | "how">> {
  for (const call of turn.toolCalls)
    for (const folder of foldersLoaded(call, known)) {
      // The Skillbook shows its strategies, as far as the result has them.
      const shown = folder === SKILLBOOK_FOLDER ? entriesIn(call.result ?? "", ids) : [folder];
      for (const id of shown) yield { id, how: "loaded" };
    }
  for (const id of idsIn(turn.text, ids)) yield { id, how: "cited" };
}

function turnsFrom(turns: readonly Turn[], from: string | null): readonly Turn[] {
  const at = from === null ? 0 : turns.findIndex(({ id }) => id === from);
  return turns.slice(Math.max(0, at));
}

/** The folders whose skill the call loaded: by the tool for it, or by reading its files. */
function foldersLoaded(call: ToolCall, { skills, skillsRoot }: KnownStrategies): string[] {
  if (call.outcome === "failure" || call.outcome === "cancelled") return [];
  const isKnown = (folder: string) => folder === SKILLBOOK_FOLDER || skills.has(folder);
  if (SKILL_TOOL.test(call.name.toLowerCase())) {
    const named = SKILL_ARGUMENTS.map((field) => call.args[field]).find(
      (value) => typeof value === "string",
    );
    const folder = typeof named === "string" ? (named.split(":").at(-1)?.trim() ?? "") : "";
    return isKnown(folder) ? [folder] : [];
  }
  if (call.kind !== "read" && call.kind !== "shell") return [];
  const texts = call.kind === "shell" ? [call.command ?? ""] : stringsIn(call.args);
  return [...new Set(texts.flatMap((text) => foldersRead(text, skillsRoot)))].filter(isKnown);
}

/** `…/.qwen/skills/<folder>/SKILL.md`, or a reference beside it, in a path or a command line. */
function foldersRead(text: string, skillsRoot: string): string[] {
  const path = text.replaceAll("\\", "/");
  const folders: string[] = [];
  const root = `${skillsRoot}/`;
  for (let at = path.indexOf(root); at >= 0; at = path.indexOf(root, at + 1)) {
    const [, folder, file] = /^([\w.-]+)\/([\w.-]+)/.exec(path.slice(at + root.length)) ?? [];
    if (folder !== undefined && (file === SKILL_FILE_NAME || file === "references"))
      folders.push(folder);
  }
  return folders;
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/**
 * The ids whose entry stands in a text. Not those that SKILL.md of a large Skillbook only lists, with keywords
 * behind them, nor the example in its words: who read no more than that had no strategy before them.
 */
function entriesIn(text: string, ids: readonly string[]): string[] {
  return ids.filter((id) => {
    const entry = `- [${id}]`;
    for (let at = text.indexOf(entry); at >= 0; at = text.indexOf(entry, at + 1))
      if (!/^[^\S\r\n]+\S/.test(text.slice(at + entry.length, at + entry.length + 3))) return true;
    return false;
  });
}

/** The ids that stand in a text as words of their own. */
function idsIn(text: string, ids: readonly string[]): string[] {
  return ids.filter((id) => {
    // A name that is a plain word counts only where it is quoted as an id.
    const needle = /\d/.test(id) ? id : `[${id}]`;
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
      const around = text.charAt(at - 1) + text.charAt(at + needle.length);
      if (!/[\w-]/.test(around)) return true;
    }
    return false;
  });
}
