/**
 * kill -9 of the hook before, within and after each step that changes something. Whatever is left,
 * the queue holds whole jobs only, and the next hook of the session leaves exactly one.
 */
import { once } from "node:events";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLI } from "../support/built-cli.ts";
import {
  endedSession,
  foldersIn,
  type HookMessage,
  jobsIn,
  logOf,
  spawnHook,
} from "../support/hook-run.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const KILL = resolve(import.meta.dirname, "../support/kill-hook-at.cjs");
const MOMENTS = ["before", "within", "after"] as const;
const TEMPORARY = /^\.[0-9a-f]{16}(?:-[0-9a-f]{12}|\.json)\.\d+-[0-9a-f]{12}\.tmp$/;

/** An installation whose worker ends at once: what the hook leaves is looked at, nobody may work on it. */
let installed = "";
beforeAll(() => {
  installed = mkdtempSync(join(tmpdir(), "skillpr-test-hook-kill-"));
  for (const name of ["cli.js", "hook.js", "package.json"])
    copyFileSync(join(dirname(CLI), name), join(installed, name));
  writeFileSync(join(installed, "command-line.js"), "");
});
afterAll(() => rmSync(installed, { recursive: true, force: true }));

/** @returns whether it was killed; else it exited with 0 and said nothing */
async function run(
  repository: TemporaryRepository,
  message: HookMessage,
  kill?: { readonly at: number; readonly moment: (typeof MOMENTS)[number] },
): Promise<boolean> {
  const flags = kill === undefined ? [] : ["--require", KILL];
  const env = { KILL_AT: String(kill?.at), KILL_MOMENT: kill?.moment, SKILLPR_WORKER: "on" };
  const child = spawnHook(repository, [...flags, join(installed, "cli.js")], env);
  const said: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => said.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => said.push(chunk));
  child.stdin?.end(JSON.stringify(message));
  const [code, signal] = await once(child, "close");
  if (signal === "SIGKILL") return true;
  expect({ code, said: Buffer.concat(said).toString() }).toEqual({ code: 0, said: "" });
  return false;
}

/** What is left besides jobs may only be what the worker knows to remove. */
function expectOnlyKnownLeftOvers(commonDir: string): void {
  const { captured, transcripts } = foldersIn(commonDir);
  for (const folder of [captured, transcripts].filter(existsSync)) {
    for (const name of readdirSync(folder)) {
      if (name.startsWith(".")) expect(name).toMatch(TEMPORARY);
      else expect(name).toMatch(/^[0-9a-f]{16}(?:-[0-9a-f]{12}|\.json)$/);
    }
  }
}

/** What lies beside hook.js. */
const byteCode = () => readdirSync(installed).filter((name) => name.startsWith("hook.js."));

interface Scenario {
  readonly name: string;
  /** Brings the session to where the killed hook finds it. */
  prepare(repository: TemporaryRepository, session: HookMessage): Promise<void>;
  /** What a job may hold after the kill; null: there may be none. */
  readonly before: string | null;
  readonly after: string;
}

const SCENARIOS: readonly Scenario[] = [
  {
    name: "a new session, by a hook that was never called before",
    prepare: async () => {
      for (const name of byteCode()) rmSync(join(installed, name));
    },
    before: null,
    after: "one\n",
  },
  {
    name: "a session that grew",
    prepare: async (repository, session) => {
      await run(repository, { ...session, hook_event_name: "Stop" });
      appendFileSync(session.transcript_path!, "two\n");
    },
    before: "one\n",
    after: "one\ntwo\n",
  },
  {
    name: "a waiting session that ended",
    prepare: async (repository, session) => {
      await run(repository, { ...session, hook_event_name: "Stop" });
    },
    before: "one\n",
    after: "one\n",
  },
];

describe("kill -9 at every step", () => {
  test.each(SCENARIOS)("$name", { timeout: 600_000 }, async (scenario) => {
    let killed = 0;
    for (const moment of MOMENTS) {
      for (let at = 1; ; at++) {
        await using repository = await temporaryRepository();
        const commonDir = join(repository.dir, ".git");
        const where = `killed ${moment} step ${at}`;
        const session = endedSession(repository, "s-1", "one\n");
        await scenario.prepare(repository, session);
        if (!(await run(repository, session, { at, moment }))) break;
        killed += 1;
        const left = jobsIn(commonDir).map(({ transcript }) => transcript);
        expect([scenario.before ?? [], scenario.before, scenario.after].flat(), where).toEqual(
          expect.arrayContaining(left),
        );
        expect(left.length, where).toBeLessThanOrEqual(1);
        if (scenario.before !== null) expect(left, where).toHaveLength(1);
        expectOnlyKnownLeftOvers(commonDir);
        expect(await run(repository, session), where).toBe(false);
        const jobs = jobsIn(commonDir);
        expect(jobs, where).toMatchObject([{ transcript: scenario.after, event: "SessionEnd" }]);
        expect(Date.parse(jobs[0]!.due), where).toBeLessThanOrEqual(Date.now());
        expect(logOf(repository), where).toEqual([]);
        expectOnlyKnownLeftOvers(commonDir);
        expect(byteCode(), where).toEqual([expect.stringMatching(/\.cache$/)]);
      }
    }
    expect(killed).toBeGreaterThan(11);
  });

  test("a hook that has something to log or to tell", { timeout: 600_000 }, async () => {
    let killed = 0;
    for (const moment of MOMENTS) {
      for (let at = 1; ; at++) {
        await using repository = await temporaryRepository({ files: { "README.md": "text\n" } });
        const commonDir = join(repository.dir, ".git");
        const message = { ...endedSession(repository, "s-1"), transcript_path: "gone.jsonl" };
        const commit = await repository.git("rev-parse", "HEAD");
        await repository.git("update-ref", "refs/heads/auto-skill/flaky-tests", commit);
        mkdirSync(foldersIn(commonDir).queue, { recursive: true });
        const proposals = [{ skill: "flaky-tests", commit }];
        writeFileSync(foldersIn(commonDir).waiting, JSON.stringify({ proposals }));
        const start = { ...message, hook_event_name: "SessionStart" };
        const wasKilled = await run(repository, message, { at, moment });
        const wasKilledToo = await runTelling(repository, start, { at, moment });
        if (!wasKilled && !wasKilledToo) break;
        killed += 1;
        await run(repository, message);
        expect(logOf(repository).length).toBeGreaterThan(0);
        expect(jobsIn(commonDir)).toEqual([]);
      }
    }
    expect(killed).toBeGreaterThan(6);
  });
});

/** The start of a session may say something. */
async function runTelling(...[repository, message, kill]: Parameters<typeof run>) {
  const env = { KILL_AT: String(kill?.at), KILL_MOMENT: kill?.moment };
  const child = spawnHook(repository, ["--require", KILL, join(installed, "cli.js")], env);
  child.stdout?.resume();
  child.stdin?.end(JSON.stringify(message));
  const [, signal] = await once(child, "close");
  return signal === "SIGKILL";
}
