/** The built program, run as a user would run it: a process of its own, in an environment of its own. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Outcome } from "../../src/outcome.ts";
import type { TemporaryRepository } from "./temp-repository.ts";

export const CLI = resolve(import.meta.dirname, "../../dist/cli.js");
export const DEMO_SESSION = resolve(import.meta.dirname, "../../templates/demo/session.jsonl");

export interface CliResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** stdout as the one JSON object that `--json` promises. */
  json<T = Outcome>(): T;
}

export interface CliOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly input?: string;
  /** Another copy of the built program. */
  readonly program?: string;
}

/** Runs `skillpr …` on a repository; its temporary files and its home are the repository's own. */
export function runCli(
  repository: Pick<TemporaryRepository, "dir" | "env" | "tempRoot">,
  args: readonly string[],
  options: CliOptions = {},
): Promise<CliResult> {
  if (!existsSync(CLI)) throw new Error("dist/cli.js is missing: npm run bundle");
  const cwd = options.cwd ?? repository.dir;
  const env = { ...cleanEnvironment(repository.env), TMPDIR: repository.tempRoot, ...options.env };
  const child = spawn(process.execPath, [options.program ?? CLI, ...args], { cwd, env });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  child.stdin.on("error", () => {});
  child.stdin.end(options.input ?? "");
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code, signal) => {
      const stdout = Buffer.concat(out).toString("utf8");
      const stderr = Buffer.concat(err).toString("utf8");
      done({ code, signal, stdout, stderr, json: () => JSON.parse(stdout) });
    });
  });
}

/** `skillpr review <demo session> --reviewer offline --json`, with more flags behind. */
export function reviewDemo(
  repository: Pick<TemporaryRepository, "dir" | "env" | "tempRoot">,
  ...flags: string[]
): Promise<CliResult> {
  return runCli(repository, ["review", DEMO_SESSION, "--reviewer", "offline", "--json", ...flags]);
}

/** No credentials and no CI of the machine that runs the tests. */
export function cleanEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = /^(?:CI|GITHUB_|GH_|OPENAI_|QWEN_|RUNNER_|XDG_|NODE_OPTIONS|NODE_EXTRA_CA_CERTS)/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !own.test(name)));
}

/** A folder beside the repository, made on demand. */
export function beside(repository: Pick<TemporaryRepository, "home">, name: string): string {
  const dir = join(repository.home, name);
  mkdirSync(dir, { recursive: true });
  return dir;
}
