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
 * @throws SkillprError code `input` when an argument names nothing or all name too many
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
        : (await filesOf(input, options.cwd)).map((path) => ({ kind: "file", path }));
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

async function filesOf(input: string, cwd: string): Promise<string[]> {
  const path = resolve(cwd, input);
  const kind = await kindOf(path);
  // What exists is meant as it stands, even with a `*` or `[` in its name.
  if (kind === "file") return [path];
  if (kind === "folder") {
    const isHistory = /[/\\]\.specstory[/\\]history$/.test(path);
    const patterns = isHistory ? [...TRANSCRIPTS, "*.md"] : TRANSCRIPTS;
    return found(input, await matching(patterns, path), "no .jsonl, .json or .traj file");
  }
  if (!isDynamicPattern(input)) {
    const hint = "Check the path; `--latest` finds the newest session of this repository.";
    throw new SkillprError("input", `${safeLine(input)} does not exist`, hint);
  }
  return found(input, await matching([input.replaceAll("\\", "/")], cwd), "no file");
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

function found(input: string, paths: string[], nothing: string): string[] {
  if (paths.length > 0) return paths;
  const hint = "Name a transcript, a folder that holds some, or a glob that matches some.";
  throw new SkillprError("input", `${safeLine(input)}: ${nothing} found`, hint);
}

function tooMany(count: number): SkillprError {
  return new SkillprError(
    "input",
    `${count} transcripts are too many for one call (at most ${TRANSCRIPTS_MAX})`,
    "Name fewer, or fan out with `skillpr plan`.",
  );
}
