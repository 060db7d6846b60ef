/** Sessions that are no files, found and reviewed by the built program: what it needs for that lies beside it. */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readTranscript } from "../../src/transcript/read-transcript.ts";
import { CLI, DEMO_SESSION, runCli } from "../support/built-cli.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";
import {
  type Exported,
  START,
  sampleSession,
  writeDatabaseWithLog,
} from "../transcript/opencode-samples.ts";

const FILES = { "README.md": "# parcels\n" };
const FLAGS = ["--reviewer", "offline", "--json", "--dry-run"];

/** What the demo's session did, as OpenCode would have kept it. */
async function demoInOpencode(id: string, directory: string): Promise<Exported> {
  const { turns } = await readTranscript({ kind: "file", path: DEMO_SESSION });
  const inFolder = (args: unknown) =>
    JSON.parse(JSON.stringify(args).replaceAll("/home/user/parcels", directory));
  const messages = turns.map((turn, n) => {
    const number = String(n).padStart(3, "0");
    const words = { id: `prt_${number}_000`, type: "text", text: turn.text };
    const calls = turn.toolCalls.map((call, at) => ({
      id: `prt_${number}_${String(at + 1).padStart(3, "0")}`,
      type: "tool",
      tool: call.kind === "shell" ? "bash" : call.name,
      callID: `call_${n}_${at}`,
      state:
        call.outcome === "failure" && call.exitCode === null
          ? { status: "error", input: inFolder(call.args), error: call.result }
          : {
              status: "completed",
              input: inFolder(call.args),
              output: call.result,
              metadata: { exit: call.exitCode },
            },
    }));
    return {
      info: {
        id: `msg_${number}`,
        role: turn.role === "user" ? "user" : "assistant",
        time: { created: START + n * 1000 },
        modelID: "model-one",
      },
      parts: turn.text === "" ? calls : [words, ...calls],
    };
  });
  return { info: { id, directory, version: "1.2.24" }, messages };
}

const homeOf = (repository: TemporaryRepository) => repository.env["HOME"] ?? "";

/** Everything in a folder, with its bytes. */
function contents(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [name, readFileSync(join(folder, name)).toString("base64")]),
  );
}

test("review --latest reads OpenCode's database, with what stands in its log alone", async () => {
  await using repository = await temporaryRepository({ files: FILES });
  const path = join(homeOf(repository), ".local/share/opencode/opencode.db");
  await writeDatabaseWithLog(path, [await demoInOpencode("ses_1111aaaa", repository.dir)]);
  const before = contents(dirname(path));
  const latest = await runCli(repository, ["review", "--latest", ...FLAGS]);
  expect(latest).toMatchObject({ code: 0, stderr: "" });
  const session = { id: "ses_1111aaaa", agent: "opencode" };
  expect(latest.json()).toMatchObject({ status: "proposed", session });
  expect(contents(dirname(path))).toEqual(before);
  // No copy of it is left.
  const left = existsSync(repository.tempRoot)
    ? readdirSync(repository.tempRoot, { recursive: true, encoding: "utf8" })
    : [];
  expect(left.filter((name) => name.includes("copy.db"))).toEqual([]);
});

test("review --session takes one of this repository by its id, and no other's", async () => {
  await using repository = await temporaryRepository({ files: FILES });
  const path = join(homeOf(repository), ".local/share/opencode/opencode.db");
  await writeDatabaseWithLog(path, [
    sampleSession("ses_1111aaaa", repository.dir),
    sampleSession("ses_2222bbbb", `${repository.dir}-other`),
  ]);
  const named = await runCli(repository, ["review", "--session", "ses_1111aaaa", ...FLAGS]);
  expect(named.json()).toMatchObject({ status: "skipped", session: { id: "ses_1111aaaa" } });
  const other = await runCli(repository, ["review", "--session", "ses_2222bbbb", ...FLAGS]);
  expect(other.code).toBe(1);
  expect(other.stdout).toContain("was not found");
});

test("a damaged database is named, with the way around it", async () => {
  await using repository = await temporaryRepository({ files: FILES });
  const path = join(homeOf(repository), ".local/share/opencode/opencode.db");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "not a database");
  const result = await runCli(repository, ["review", "--latest", "--reviewer", "offline"]);
  expect(result.code).toBe(1);
  expect(result.stderr).toContain(`${path} can't be read: file is not a database`);
  expect(result.stderr).toContain("opencode export");
});

test("the program finds SQLite beside itself, not among the packages", async () => {
  await using repository = await temporaryRepository({ files: FILES });
  const path = join(homeOf(repository), ".local/share/opencode/opencode.db");
  await writeDatabaseWithLog(path, [await demoInOpencode("ses_1111aaaa", repository.dir)]);
  const alone = join(repository.tempRoot, "alone");
  mkdirSync(alone, { recursive: true });
  cpSync(dirname(CLI), join(alone, "dist"), { recursive: true });
  cpSync(join(dirname(CLI), "../templates"), join(alone, "templates"), { recursive: true });
  copyFileSync(join(dirname(CLI), "../package.json"), join(alone, "package.json"));
  const args = ["review", "--latest", ...FLAGS];
  const result = await runCli(repository, args, { program: join(alone, "dist/cli.js") });
  expect(result.json()).toMatchObject({ status: "proposed", session: { id: "ses_1111aaaa" } });
});
