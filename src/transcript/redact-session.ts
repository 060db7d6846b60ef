import type { Redactor } from "../secrets/redactor.ts";
import { UniqueTexts } from "../secrets/unique-texts.ts";
import { idByDigest } from "./finish-session.ts";
import type { RedactedSession, Session, ToolCall, Turn } from "./session.ts";

/** What a session's id may be made of; anything else is text, and an id may stand in names. */
const PLAIN_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/**
 * The session with every secret replaced. Turn ids, the digest, times and counts stay: the reader
 * made them. The session's own id stays when it is plain and no secret; else the digest names it.
 */
export async function redactSession(
  session: Session,
  redactor: Redactor,
): Promise<RedactedSession> {
  // All strings go through the redactor at once: a scan per string would cost seconds.
  const texts = new UniqueTexts();
  const collect: Replace = (text) => {
    texts.add(text);
    return text;
  };
  transform(session, collect);
  await redactor.redactUnique(texts);
  const clean = texts.inOrder();
  const redacted = transform(session, () => clean.next().value ?? "");
  return redacted as RedactedSession;
}

type Replace = (text: string) => string;

/**
 * Replaces a session's strings, always in the same order. What stays as it is isn't copied: of a million turns
 * few hold a secret.
 */
function transform(session: Session, replace: Replace): Session {
  const orNull = (text: string | null) => (text === null ? null : replace(text));
  return {
    ...session,
    id: idOf(session, replace(session.id)),
    agentVersion: orNull(session.agentVersion),
    cwd: orNull(session.cwd),
    branch: orNull(session.branch),
    model: orNull(session.model),
    notes: session.notes.map(replace),
    turns: transformList(session.turns, (turn) => transformTurn(turn, replace)),
  };
}

function idOf(session: Session, clean: string): string {
  const isKept = clean === session.id && PLAIN_ID.test(clean);
  return isKept ? clean : idByDigest(session);
}

function transformTurn(turn: Turn, replace: Replace): Turn {
  return changed(turn, {
    text: replace(turn.text),
    subagent: turn.subagent === null ? null : replace(turn.subagent),
    toolCalls: transformList(turn.toolCalls, (call) => transformCall(call, replace)),
  });
}

function transformCall(call: ToolCall, replace: Replace): ToolCall {
  return changed(call, {
    id: call.id === null ? null : replace(call.id),
    name: replace(call.name),
    args: transformValue(call.args, replace) as ToolCall["args"],
    command: call.command === null ? null : replace(call.command),
    result: call.result === null ? null : replace(call.result),
    writePaths: transformList(call.writePaths, replace),
    cwd: call.cwd === null ? null : replace(call.cwd),
  });
}

/** Arguments are bounded in depth when they are read (JSON_DEPTH_MAX), so recursion is safe. */
function transformValue(value: unknown, replace: Replace): unknown {
  if (typeof value === "string") return replace(value);
  if (Array.isArray(value)) return transformList(value, (item) => transformValue(item, replace));
  if (typeof value !== "object" || value === null) return value;
  let isSame = true;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    const entry: [string, unknown] = [replace(key), transformValue(item, replace)];
    isSame &&= entry[0] === key && entry[1] === item;
    return entry;
  });
  return isSame ? value : Object.fromEntries(entries);
}

/** The same object when none of its parts is another one. */
function changed<T extends object>(whole: T, parts: Partial<T>): T {
  const keys = Object.keys(parts) as (keyof T)[];
  return keys.every((key) => whole[key] === parts[key]) ? whole : { ...whole, ...parts };
}

/** The same list when none of its items is another one. */
function transformList<T>(items: readonly T[], transformOne: (item: T) => T): readonly T[] {
  let copy: T[] | null = null;
  for (const [at, item] of items.entries()) {
    const next = transformOne(item);
    if (next === item) continue;
    copy ??= [...items];
    copy[at] = next;
  }
  return copy ?? items;
}
