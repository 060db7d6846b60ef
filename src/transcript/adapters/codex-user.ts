import { createHash } from "node:crypto";
import { userWords } from "../injected-text.ts";
import { asRecords, asText } from "../json-values.ts";

/** Parts of a user item that Codex itself put there. */
const INJECTED: readonly RegExp[] = [
  /^# AGENTS\.md\b/,
  /^<(?:user_instructions|INSTRUCTIONS|permissions instructions|turn_aborted|skill|skills_instructions|apps_instructions|plugins_instructions|collaboration_mode|subagent_notification|goal_context|model_switch|personality_spec)\b/,
  /^<\/?image\b/,
];

/** Editors put what is open there in front of the user's words. */
const EDITOR_CONTEXT = { start: "# Context from my IDE setup:", end: "\n## My request for Codex:" };
const OWN_COMMAND = /^<user_shell_command>\s*<command>([\s\S]*?)(?:<\/command>|$)/;

/**
 * What the user says in a rollout, each message once: it stands there as an item, with what Codex
 * adds to it, and as an event, clean, in either order; old files hold items only.
 */
export class CodexUser {
  readonly #seen = new Map<string, { items: number; events: number }>();

  /** The user's words of an item; null when there are none, or when an event had them before. */
  fromItem(content: unknown): string | null {
    const words = itemTexts(content).map(wordsOf).filter(isSaid).join("\n").trim();
    return words !== "" && this.#isNew(words, "items") ? words : null;
  }

  /** The same of an event. */
  fromEvent(message: unknown): string | null {
    const words = withoutEditorContext(asText(message) ?? "").trim();
    return words !== "" && this.#isNew(words, "events") ? words : null;
  }

  /** A message said twice is there twice in each form. */
  #isNew(words: string, form: "items" | "events"): boolean {
    // Words may be megabytes, and are kept elsewhere.
    const key = createHash("sha256").update(words).digest("base64");
    const counts = this.#seen.get(key) ?? { items: 0, events: 0 };
    this.#seen.set(key, counts);
    const other = form === "items" ? counts.events : counts.items;
    counts[form] += 1;
    return counts[form] > other;
  }
}

/** The texts of a user item's content, part by part. */
export function itemTexts(content: unknown): string[] {
  if (typeof content === "string") return [content];
  return asRecords(content).map((part) => asText(part["text"]) ?? "");
}

function wordsOf(text: string): string {
  const command = OWN_COMMAND.exec(text)?.[1];
  // A command that the user ran, not the agent.
  if (command !== undefined) return `! ${command.trim()}`;
  return userWords(withoutEditorContext(text)).trim();
}

function withoutEditorContext(text: string): string {
  const { start, end } = EDITOR_CONTEXT;
  const at = text.trimStart().startsWith(start) ? text.indexOf(end) : -1;
  return at === -1 ? text : text.slice(at + end.length);
}

function isSaid(text: string): boolean {
  return text !== "" && !INJECTED.some((pattern) => pattern.test(text));
}

/** The folder that an environment note of Codex names: old rollouts tell it nowhere else. */
export function folderIn(text: string): string | null {
  if (!text.startsWith("<environment_context>")) return null;
  const match = /<cwd>([^<]+)<\/cwd>|^[ \t]*Current working directory: (.+)$/m.exec(text);
  return match?.[1] ?? match?.[2]?.trim() ?? null;
}
