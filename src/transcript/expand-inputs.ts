import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { glob, isDynamicPattern } from "tinyglobby";
import { hasCode, SkillprError } from "../core/errors.ts";
import { TRANSCRIPTS_MAX } from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import { archiveSources } from "./archive-sources.ts";
import { nameOf, type TranscriptSource } from "./read-transcript.ts";

export interface ExpandOptions {
  /** Absolute folder that relative inputs start from. */
  readonly cwd: string;
  /** Reads standard input to its end; called at most once, and only for `-`. */
  readonly stdin: () => Promise<Uint8Array>;
  /** Told of an input that names nothing; default: that is thrown. */
  readonly onNothing?: (error: SkillprError) => void;
}

const STDIN = "standard input";

/** How the agents name the transcripts that they keep; what a file is, its content decides. */
const TRANSCRIPTS = [
  "**/*.{jsonl,json,traj}",
  "**/*.{jsonl,json,traj}.gz",
  "**/.aider.chat.history.md",
  "**/.specstory/history/*.md",
];

/** Files that agents put beside transcripts. */
const NEIGHBOURS = [
  "**/*.runtime.json",
  "**/*.worktree.json",
  "**/*.ledger.jsonl",
  "**/*.meta.json",
];

/**
 * The transcripts that the arguments of a command name: files, folders (with what lies below
 * them and is named like one), globs, and `-` for standard input. Each once, in the order given;
 * a ZIP stands for the transcripts in it.
 * @throws SkillprError code `input` when an argument names nothing (see `onNothing`) or all name too many
 */
export async function expandInputs(
  inputs: readonly string[],
  options: ExpandOptions,
): Promise<TranscriptSource[]> {
  const sources = new Map<string, TranscriptSource>();
  for (const input of inputs) {
    if (input === "-" && sources.has(STDIN)) continue;
    const given: TranscriptSource[] =
      input === "-"
        ? [{ kind: "bytes", name: STDIN, bytes: await options.stdin() }]
        : (await filesOf(input, options)).map((path) => ({ kind: "file", path }));
    if (given.length > TRANSCRIPTS_MAX) throw tooMany(given.length);
    for (const source of given) sources.set(nameOf(source), source);
  }
  const found: TranscriptSource[] = [];
  for (const source of sources.values()) {
    found.push(...(await archiveSources(source)));
    if (found.length > TRANSCRIPTS_MAX) throw tooMany(found.length);
  }
  return found;
}

async function filesOf(input: string, options: ExpandOptions): Promise<string[]> {
  const { cwd } = options;
  const path = resolve(cwd, input);
  const kind = await kindOf(path);
  // What exists is meant as it stands, even with a `*` or `[` in its name.
  if (kind === "file") return [path];
  if (kind === "folder") {
    const isHistory = /[/\\]\.specstory[/\\]history$/.test(path);
    const patterns = isHistory ? [...TRANSCRIPTS, "*.md"] : TRANSCRIPTS;
    const paths = await matching(patterns, path);
    return paths.length > 0 ? paths : none(input, "no .jsonl, .json or .traj file found", options);
  }
  if (!isDynamicPattern(input)) {
    const hint = "Check the path; `--latest` finds the newest session of this repository.";
    return none(input, "does not exist", options, hint);
  }
  const paths = await matching([input.replaceAll("\\", "/")], cwd);
  return paths.length > 0 ? paths : none(input, "no file found", options);
}

async function kindOf(path: string): Promise<"file" | "folder" | null> {
  try {
    return (await stat(path)).isDirectory() ? "folder" : "file";
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "ENAMETOOLONG", "EINVAL")) return null;
    // It is there and can't be looked at: reading it says why.
    if (error instanceof Error && "syscall" in error) return "file";
    throw error;
  }
}

async function matching(patterns: string[], cwd: string): Promise<string[]> {
  const paths = await glob(patterns, {
    cwd,
    ignore: NEIGHBOURS,
    absolute: true,
    dot: true,
    onlyFiles: true,
    followSymbolicLinks: false,
    expandDirectories: false,
  });
  return paths.sort();
}

function none(
  input: string,
  what: string,
  { onNothing }: ExpandOptions,
  hint = "Name a transcript, a folder that holds some, or a glob that matches some.",
): never[] {
  const separator = what.startsWith("no ") ? ": " : " ";
  const error = new SkillprError("input", `${safeLine(input)}${separator}${what}`, hint);
  if (onNothing === undefined) throw error;
  onNothing(error);
  return [];
}

function tooMany(count: number): SkillprError {
  return new SkillprError(
    "input",
    `${count} transcripts are too many for one call (at most ${TRANSCRIPTS_MAX})`,
    "Name fewer, or fan out with `skillpr plan`.",
  );
}
