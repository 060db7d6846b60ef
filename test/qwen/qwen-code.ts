/** The real Qwen Code, run against a scripted model: headless, and in a terminal of tmux. */
import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { calls, type ScriptedModel, type ScriptedRequest } from "../support/scripted-model.ts";
import type { TemporaryRepository } from "../support/temp-repository.ts";

const execute = promisify(execFile);
const CLI = resolve(
  import.meta.dirname,
  "../../.cache/qwen/node_modules/@qwen-code/qwen-code/cli.js",
);

/** How long one step may take: far longer than it ever does, and shorter than a test may. */
const PATIENCE_MS = 180_000;
const LOOK_AGAIN_MS = 200;

export const hasTmux = spawnable("tmux", "-V");

export function requireQwenCode(): void {
  if (!existsSync(CLI))
    throw new Error("Qwen Code is not installed: npm run test:qwen installs it");
}

/** The skills that the installed Qwen Code brings along, by name, and its version. */
export function bundledSkills(): { version: string; names: string[] } {
  const root = dirname(CLI);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const names = readdirSync(join(root, "bundled")).flatMap((folder) => {
    const file = join(root, "bundled", folder, "SKILL.md");
    const name = existsSync(file) && /^name: *(\S+)$/m.exec(readFileSync(file, "utf8"));
    return name ? [name[1] ?? ""] : [];
  });
  return { version, names: names.sort() };
}

/** What Qwen Code runs with: a home of its own, and a model on loopback. */
function environment(
  repository: TemporaryRepository,
  model: ScriptedModel,
  more: NodeJS.ProcessEnv = {},
): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...env } = repository.env;
  return {
    ...env,
    TMPDIR: repository.tempRoot,
    OPENAI_API_KEY: "local",
    OPENAI_BASE_URL: model.url,
    OPENAI_MODEL: "scripted",
    QWEN_CODE_SUPPRESS_YOLO_WARNING: "1",
    // Its worker is ours to start: a test must know when it ran.
    SKILLPR_WORKER: "off",
    ...more,
  };
}

const FLAGS = ["--auth-type", "openai", "--approval-mode", "yolo"];

/** Qwen Code's user-level settings. */
export function userSettings(repository: TemporaryRepository, settings: object): void {
  const folder = join(repository.env["HOME"] ?? "", ".qwen");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "settings.json"), JSON.stringify(settings, null, 2));
}

/** `qwen -p …`; the objects that it prints. */
export async function qwenHeadless(
  repository: TemporaryRepository,
  model: ScriptedModel,
  prompt: string,
): Promise<Record<string, unknown>[]> {
  return JSON.parse(await qwenPrints(repository, model, prompt, "json"));
}

/** `qwen -p …`; what it prints. Of a long session it prints its JSON only in part before it ends. */
async function qwenPrints(
  repository: TemporaryRepository,
  model: ScriptedModel,
  prompt: string,
  format: "json" | "text",
): Promise<string> {
  const args = [CLI, "-p", prompt, ...FLAGS, "--output-format", format];
  const options = {
    cwd: repository.dir,
    env: environment(repository, model),
    timeout: PATIENCE_MS,
  };
  const run = execute(process.execPath, args, options);
  run.child.stdin?.end();
  return (await run).stdout;
}

export interface Terminal extends AsyncDisposable {
  /** Types a line that was not said before and presses Enter. */
  say(text: string): Promise<void>;
  /** Waits until the screen shows a text. */
  shows(text: string | RegExp): Promise<void>;
  /** Waits until the program has ended. */
  ended(): Promise<void>;
}

/** Those that no test has closed yet: a test that times out never gets there. */
const open = new Set<Terminal>();

/** For `afterEach`: whatever became of the test, no terminal outlives it. */
export async function closeTerminals(): Promise<void> {
  for (const terminal of open) await terminal[Symbol.asyncDispose]();
}

/** Qwen Code in a terminal of tmux. @param more variables besides those that every run has */
export async function qwenInTerminal(
  repository: TemporaryRepository,
  model: ScriptedModel,
  more: NodeJS.ProcessEnv = {},
): Promise<Terminal> {
  const socket = join(repository.home, "tmux");
  const tmux = async (...args: string[]) =>
    (await execute("tmux", ["-S", socket, "-f", "/dev/null", ...args])).stdout;
  const variables = Object.entries(environment(repository, model, more)).flatMap(
    ([name, value]) => ["-e", `${name}=${value}`],
  );
  const command = ["env", "-u", "NODE_EXTRA_CA_CERTS", process.execPath, CLI, ...FLAGS];
  const place = ["-x", "120", "-y", "50", "-c", repository.dir];
  const print = ["-P", "-F", "#{pane_pid}"];
  const started = ["new-session", "-d", "-s", "qwen", ...place, ...variables, ...print, "--"];
  const pid = Number(await tmux(...started, ...command));
  const screen = () => tmux("capture-pane", "-p", "-t", "qwen").catch(() => "(no terminal)");
  const ended = () => until("Qwen Code has ended", () => !isAlive(pid), screen);
  const terminal: Terminal = {
    ended,
    shows: (text) => {
      const isThere = (now: string) =>
        typeof text === "string" ? now.includes(text) : text.test(now);
      const look = async () => {
        if (isThere(await screen())) return true;
        if (isAlive(pid)) return false;
        throw new Error(`Qwen Code ended before the screen showed ${text}`);
      };
      return until(`the screen shows ${text}`, look, screen);
    },
    say: async (text) => {
      await tmux("send-keys", "-t", "qwen", "-l", text);
      await terminal.shows(text);
      // The input line closes its list of completions before it takes Enter as the end.
      await pause(LOOK_AGAIN_MS * 3);
      await tmux("send-keys", "-t", "qwen", "Enter");
    },
    [Symbol.asyncDispose]: async () => {
      open.delete(terminal);
      // Its last session's end is the server's; what is left hangs up and writes its files.
      await tmux("kill-server").catch(() => "");
      await ended();
    },
  };
  open.add(terminal);
  await terminal.shows("Type your message");
  return terminal;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // It is our own child's child: gone is the one reason.
    return false;
  }
}

/**
 * Looks until it happened, by the clock: on a busy machine one look may take seconds.
 * @param seen what to show when it doesn't happen
 */
export async function until(
  what: string,
  happened: () => boolean | Promise<boolean>,
  seen: () => string | Promise<string> = () => "",
): Promise<void> {
  const stopAt = performance.now() + PATIENCE_MS;
  while (!(await happened())) {
    if (performance.now() > stopAt)
      throw new Error(`waited in vain until ${what}\n${await seen()}`);
    await pause(LOOK_AGAIN_MS);
  }
}

/** The one transcript that Qwen Code has written. */
export function transcripts(repository: TemporaryRepository): string[] {
  const projects = join(repository.env["HOME"] ?? "", ".qwen/projects");
  return readdirSync(projects, { recursive: true, encoding: "utf8" })
    .filter((name) => /chats\/[0-9a-f-]{36}\.jsonl$/.test(name))
    .map((name) => join(projects, name));
}

export const TOOL_CALLS = 24;

/** Who asks: the three agents that share one model in these tests. */
export function asker(request: ScriptedRequest): "session" | "own-reviewer" | "skillpr" | "aside" {
  const tools = (request.body.tools ?? []).map((tool) => tool.function.name);
  if (tools.includes("shell") && tools.includes("ls")) return "skillpr";
  const last = JSON.stringify(request.body.messages.at(-1)?.content ?? "");
  if (/SUGGESTION MODE/.test(last)) return "aside";
  if (tools.includes("run_shell_command")) return "session";
  return tools.includes("write_file") ? "own-reviewer" : "aside";
}

/** The session's next step: 24 commands, one of which fails, then it says that it is done. */
export function nextStep(request: ScriptedRequest) {
  const done = request.body.messages.filter(({ role }) => role === "tool").length;
  if (done >= TOOL_CALLS) return "All steps are done.";
  const command = done === 5 ? "ls missing-folder" : `echo step ${done + 1}`;
  return calls([
    "run_shell_command",
    { command, description: "a step", is_background: false },
    `call_${done + 1}`,
  ]);
}

function spawnable(command: string, flag: string): boolean {
  try {
    execFileSync(command, [flag], { stdio: "ignore" });
    return true;
  } catch {
    // Not installed: the tests that need it say so.
    return false;
  }
}
