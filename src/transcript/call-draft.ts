import { TOOL_RESULT_MAX_CHARS } from "../core/limits.ts";
import { type CutArguments, detach, keepArguments, keepText } from "./bounded-text.ts";
import { asRecord, asText, type JsonRecord } from "./json-values.ts";
import { parseJson } from "./parse-json.ts";
import type { CallDraft, CallFacts } from "./session-drafts.ts";
import type { SharedTexts } from "./shared-texts.ts";
import { toolKind } from "./tool-kinds.ts";
import { commandOf, folderOf, writePathsOf } from "./write-paths.ts";

/** Shared by all calls that write nothing. */
const NONE: readonly never[] = Object.freeze([]);

/** A call as an adapter found it, with what is known of it already. */
interface KnownFacts extends CallFacts {
  readonly id: string | null;
  readonly args: JsonRecord;
  readonly at: string | null;
}

/**
 * A call that waits for its result.
 * @param argsMax UTF-16 units that are kept of each string in its arguments
 * @param cut told what was kept and left out of them
 */
export function draftOf(
  facts: KnownFacts,
  argsMax: number,
  cut: CutArguments,
  shared: SharedTexts,
): CallDraft {
  const { id, args, at } = facts;
  const name = keepText(asText(facts.name) ?? "unknown", TOOL_RESULT_MAX_CHARS);
  const kind = toolKind(name, args);
  const command = commandOf(kind, args);
  const writes = [...(facts.writes ?? []), ...writePathsOf(kind, args, command)];
  const cwd = folderWithin(asText(facts.cwd), folderOf(kind, args));
  const kept = keepArguments(args, argsMax, cut);
  // A path in a patch is a slice of it; of a cut one nothing else holds the whole.
  const own = cut.texts.length > 0 ? detach : (path: string) => path;
  return {
    id,
    name: shared.of(name),
    kind,
    args: kept,
    command: command === null ? null : keepText(command, argsMax),
    result: null,
    outcome: "unknown",
    exitCode: null,
    writePaths: writes.length === 0 ? NONE : writes.map((path) => own(keepText(path, argsMax))),
    cwd: cwd === null ? null : shared.of(cwd),
    at,
  };
}

/** Arguments as an object; some formats write them as a JSON text, which may be broken. */
export function argumentsOf(value: unknown): JsonRecord {
  if (typeof value !== "string") return asRecord(value) ?? {};
  // Broken JSON is what the model wrote: it is kept as it is.
  return asRecord(parseJson(value)) ?? { _raw: value };
}

function folderWithin(base: string | null, folder: string | null): string | null {
  if (folder === null || base === null) return folder ?? base;
  if (/^(?:[/~\\]|[A-Za-z]:)/.test(folder)) return folder;
  return `${base.replace(/[/\\]$/, "")}/${folder}`;
}
