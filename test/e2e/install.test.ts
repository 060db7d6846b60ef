/** `skillpr install` and `uninstall`: one file changes, in the way that is said, and comes back. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { parseJsonWithComments } from "../../src/core/json-with-comments.ts";
import { hookCommand } from "../../src/hook/hook-command.ts";
import { runCli } from "../support/built-cli.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const CLI = resolve(import.meta.dirname, "../../dist/cli.js");
const COMMAND = hookCommand({ node: process.execPath, cli: CLI });
const PROJECT_FILE = ".qwen/settings.json";

interface Answer {
  readonly results: readonly {
    readonly agent: string;
    readonly scope: string;
    readonly file: string;
    readonly operation: string;
    readonly diff: string;
    readonly backup: string | null;
    readonly notes: readonly string[];
  }[];
  readonly error: { readonly code: string; readonly message: string };
}

const NOTHING = {
  agent: "",
  scope: "",
  file: "",
  operation: "",
  diff: "",
  backup: null,
  notes: [],
};

async function run(repository: TemporaryRepository, ...args: string[]) {
  const result = await runCli(repository, [...args, "--json"]);
  const answer = result.json<Answer>();
  return { ...result, answer, first: answer.results?.[0] ?? NOTHING };
}

const SETTINGS = `{
\t// the model at home
\t"model": { "name": "example" },
\t"hooks": {
\t\t"Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }],
\t},
}
`;

const put = (file: string, content: string | Uint8Array) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
};
const userFile = (repository: TemporaryRepository) => join(repository.home, ".qwen/settings.json");
const others = (lines: readonly string[]) =>
  lines.filter((line) => !line.startsWith(`${PROJECT_FILE} `));

describe("install", () => {
  test("adds the hook to the project's settings, keeps the rest, and changes nothing else", async () => {
    await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
    repository.write(PROJECT_FILE, SETTINGS);
    const before = await repository.snapshot();
    const { code, first } = await run(repository, "install");
    expect(code).toBe(0);
    expect(first).toMatchObject({ agent: "qwen", scope: "project", operation: "installed" });
    const text = readFileSync(first.file, "utf8");
    expect(text).toContain('\t// the model at home\n\t"model": { "name": "example" },\n');
    expect(parseJsonWithComments(text)).toMatchObject({
      hooks: {
        Stop: [
          { hooks: [{ command: "say done" }] },
          { hooks: [{ type: "command", command: COMMAND, name: "skillpr", timeout: 10_000 }] },
        ],
        SessionEnd: [{ hooks: [{ command: COMMAND }] }],
        SessionStart: [{ hooks: [{ command: COMMAND }] }],
      },
    });
    const added = first.diff.split("\n").filter((line) => /^\+[^+]/.test(line));
    expect(added.every((line) => text.includes(line.slice(1)))).toBe(true);
    const after = await repository.snapshot();
    expect({ ...after, workTree: others(after.workTree) }).toEqual({
      ...before,
      workTree: others(before.workTree),
    });
    expect(readFileSync(first.backup!, "utf8")).toBe(SETTINGS);
    expect(first.backup).toContain(join(repository.dir, ".git/skillpr/backups"));
    expect(lstatSync(first.backup!).mode & 0o777).toBe(0o600);
  });

  test("twice is once, and says so", async () => {
    await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
    await run(repository, "install");
    const before = await repository.snapshot();
    const { first } = await run(repository, "install");
    expect(first).toMatchObject({ operation: "unchanged", diff: "", backup: null });
    expect(await repository.snapshot()).toEqual(before);
  });

  test("the entry of another place is brought up to date, and uninstall still gives the first file back", async () => {
    await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
    repository.write(PROJECT_FILE, SETTINGS);
    await run(repository, "install");
    const file = join(repository.dir, PROJECT_FILE);
    const older = hookCommand({ node: process.execPath, cli: "/old place/dist/cli.js" });
    const moved = readFileSync(file, "utf8").replaceAll(
      JSON.stringify(COMMAND),
      JSON.stringify(older),
    );
    writeFileSync(file, moved);
    expect((await run(repository, "install")).first.operation).toBe("updated");
    expect(readFileSync(file, "utf8")).not.toContain("/old place");
    expect((await run(repository, "uninstall")).first.operation).toBe("restored");
    expect(readFileSync(file, "utf8")).toBe(SETTINGS);
  });

  test("each agent gets its own events, units and folder, at the user's level too", async () => {
    await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
    const before = await repository.snapshot();
    const all = ["--agent", "qwen,claude", "--agent", "gemini", "--scope", "user"];
    const { answer } = await run(repository, "install", ...all);
    const values = answer.results.map(({ file }) => JSON.parse(readFileSync(file, "utf8")));
    expect(answer.results.map(({ file }) => file)).toEqual(
      [".qwen", ".claude", ".gemini"].map((name) => join(repository.home, name, "settings.json")),
    );
    expect(values.map(({ hooks }) => Object.keys(hooks))).toEqual([
      ["SessionEnd", "Stop", "SessionStart"],
      ["SessionEnd", "Stop", "SessionStart"],
      ["SessionEnd", "AfterAgent", "SessionStart"],
    ]);
    const entries = values.map(({ hooks }) => hooks.SessionEnd[0].hooks[0]);
    expect(entries.map(({ timeout, name }) => [timeout, name])).toEqual([
      [10_000, "skillpr"],
      [10, undefined],
      [10_000, "skillpr"],
    ]);
    expect(await repository.snapshot()).toEqual(before);
    await run(repository, "uninstall", ...all);
    expect(answer.results.filter(({ file }) => existsSync(dirname(file)))).toEqual([]);
  });

  test("the user's level needs no repository, and follows the agent's own variables", async () => {
    await using repository = await temporaryRepository();
    const elsewhere = join(repository.home, "else where");
    const outside = { dir: repository.home, env: repository.env, tempRoot: repository.tempRoot };
    const result = await runCli(outside, ["install", "--scope", "user", "--json"], {
      env: { QWEN_HOME: elsewhere, XDG_STATE_HOME: join(repository.home, "state") },
    });
    expect(result.code).toBe(0);
    expect(readdirSync(elsewhere)).toEqual(["settings.json"]);
    expect(readdirSync(join(repository.home, "state/skillpr/backups"))).toHaveLength(1);
  });

  test("the installed command runs from a shell as the agent starts it", async () => {
    await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
    const { first } = await run(repository, "install");
    const { hooks } = JSON.parse(readFileSync(first.file, "utf8"));
    const { command } = hooks.SessionEnd[0].hooks[0];
    expect(command).toBe(COMMAND);
    const gone = command.replaceAll(CLI, join(repository.home, "gone/cli.js"));
    const ended = spawnSync("sh", ["-c", gone], { encoding: "utf8", input: "{}" });
    expect(ended).toMatchObject({ status: 0, stdout: "", stderr: "" });
  });

  test("a dry run shows the difference and writes nothing", async () => {
    await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
    repository.write(PROJECT_FILE, SETTINGS);
    const before = await repository.snapshot();
    const { first } = await run(repository, "install", "--dry-run");
    expect(first).toMatchObject({ operation: "installed", backup: null });
    expect(first.diff).toContain("+");
    expect(await repository.snapshot()).toEqual(before);
    expect(existsSync(join(repository.dir, ".git/skillpr"))).toBe(false);
  });

  test("a key beside the entry is not printed", async () => {
    await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
    const key = ["ghp", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("_");
    repository.write(PROJECT_FILE, `{\n  "env": {\n    "TOKEN": "${key}"\n  }\n}\n`);
    const { first, stdout } = await run(repository, "install");
    expect(first.diff).toContain('"TOKEN"');
    expect(stdout).not.toContain(key);
    expect(readFileSync(first.file, "utf8")).toContain(key);
    const shown = await runCli(repository, ["uninstall"]);
    expect(shown.stdout).not.toContain(key);
  });
});

describe("uninstall", () => {
  const TEXTS: Readonly<Record<string, string | Uint8Array>> = {
    "comments and tabs": SETTINGS,
    "a byte order mark and CRLF": `\ufeff{\r\n    "model": "example"\r\n}\r\n`,
    "one line without an end": '{"model":"example"}',
    "an empty file": "",
    "only a comment": "{\n  // nothing yet\n}",
  };
  test.each(Object.keys(TEXTS))("gives %s back to the byte, with its mode", async (name) => {
    await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
    repository.write(PROJECT_FILE, TEXTS[name]!);
    const file = join(repository.dir, PROJECT_FILE);
    chmodSync(file, 0o640);
    const before = await repository.snapshot();
    const bytes = readFileSync(file);
    expect((await run(repository, "install")).first.operation).toBe("installed");
    expect(readFileSync(file).equals(bytes)).toBe(false);
    expect(lstatSync(file).mode & 0o777).toBe(0o640);
    expect((await run(repository, "uninstall")).first.operation).toBe("restored");
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(await repository.snapshot()).toEqual(before);
    expect(readdirSync(join(repository.dir, ".git/skillpr/backups"))).toEqual([]);
  });

  test("removes a file that install made, and its folder when nothing else came into it", async () => {
    await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
    await run(repository, "install");
    expect((await run(repository, "uninstall")).first.operation).toBe("restored");
    expect(existsSync(join(repository.dir, ".qwen"))).toBe(false);
    await run(repository, "install");
    repository.write(".qwen/mine.md", "mine\n");
    await run(repository, "uninstall");
    expect(readdirSync(join(repository.dir, ".qwen"))).toEqual(["mine.md"]);
  });

  test("after other changes it takes out the hook alone, and the backup stays", async () => {
    await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
    repository.write(PROJECT_FILE, SETTINGS);
    const { first } = await run(repository, "install");
    const edited = readFileSync(first.file, "utf8").replace('"example"', '"another"');
    writeFileSync(first.file, edited);
    expect((await run(repository, "uninstall")).first.operation).toBe("removed");
    expect(readFileSync(first.file, "utf8")).toBe(SETTINGS.replace('"example"', '"another"'));
    expect(readFileSync(first.backup!, "utf8")).toBe(SETTINGS);
  });

  test("without a hook it changes nothing and is no error", async () => {
    await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
    expect((await run(repository, "uninstall")).first).toMatchObject({ operation: "absent" });
    repository.write(PROJECT_FILE, SETTINGS);
    const before = await repository.snapshot();
    expect(await run(repository, "uninstall")).toMatchObject({ code: 0 });
    expect(await repository.snapshot()).toEqual(before);
  });
});

describe("what can't be edited is refused, and nothing is changed", () => {
  const refuses = async (repository: TemporaryRepository, pattern: RegExp, ...flags: string[]) => {
    const before = await repository.snapshot();
    for (const command of ["install", "uninstall"]) {
      const { code, answer, stderr } = await run(repository, command, ...flags);
      expect(code).toBe(1);
      expect(answer.error.message).toMatch(pattern);
      expect(stderr).toContain("nothing was changed");
    }
    expect(await repository.snapshot()).toEqual(before);
  };

  test("settings that are no JSON: the line is named, the words are not", async () => {
    await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
    repository.write(PROJECT_FILE, '{\n  "apiKey": "hidden-words\n}\n');
    await refuses(repository, /settings\.json, line 2: it is not valid JSON/);
    const { stdout, stderr } = await runCli(repository, ["install"]);
    expect(stdout + stderr).not.toContain("hidden-words");
  });

  test("a link, also to a file outside", async () => {
    await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
    const target = join(repository.home, "target.json");
    writeFileSync(target, "{}\n");
    mkdirSync(join(repository.dir, ".qwen"));
    symlinkSync(target, join(repository.dir, PROJECT_FILE));
    await refuses(repository, /is a symbolic link/);
    expect(readFileSync(target, "utf8")).toBe("{}\n");
  });

  test("a project's folder that is a link", async () => {
    await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
    const outside = join(repository.home, "outside");
    mkdirSync(outside);
    symlinkSync(outside, join(repository.dir, ".qwen"));
    await refuses(repository, /\.qwen is a symbolic link/);
    expect(readdirSync(outside)).toEqual([]);
  });

  test("a read-only file, a folder, a pipe, a file of another kind", async () => {
    await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
    repository.write(PROJECT_FILE, "{}\n");
    chmodSync(join(repository.dir, PROJECT_FILE), 0o444);
    await refuses(repository, /is read-only/);
    repository.write(".claude/settings.json/file", "x");
    await refuses(repository, /is a folder/, "--agent", "claude");
    repository.write(".gemini", "x");
    await refuses(repository, /is not a folder/, "--agent", "gemini");
    mkdirSync(join(repository.home, ".qwen"), { recursive: true });
    spawnSync("mkfifo", [userFile(repository)]);
    await refuses(repository, /is no regular file/, "--scope", "user");
  });

  test("bytes that are no text", async () => {
    await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
    repository.write(PROJECT_FILE, Buffer.from([0x7b, 0xff, 0x7d]));
    await refuses(repository, /is not text in UTF-8/);
  });

  test("an error in one agent's file changes no other's", async () => {
    await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
    repository.write(".gemini/settings.json", "[]");
    await refuses(repository, /it is JSON, but no object/, "--agent", "qwen,claude,gemini");
  });

  test("an agent that there is not, and a bare repository", async () => {
    await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
    const wrong = await run(repository, "install", "--agent", "qwen,other");
    expect(wrong.code).toBe(1);
    expect(wrong.answer.error.message).toContain("qwen, claude, gemini");
    await using bare = await temporaryRepository({ isBare: true });
    expect((await run(bare, "install")).answer.error.message).toContain("bare repository");
  });
});

describe("what keeps the hook from running is said", () => {
  test("hooks that are switched off, at either level", async () => {
    await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
    put(userFile(repository), '{ "disableAllHooks": true }\n');
    put(
      join(repository.dir, ".gemini/settings.json"),
      '{ "hooksConfig": { "disabled": ["skillpr"] } }',
    );
    const { answer } = await run(repository, "install", "--agent", "qwen,gemini");
    const [qwen, gemini] = answer.results.map(({ notes }) => notes.join("\n"));
    expect(qwen).toContain(`\`disableAllHooks: true\` in ${userFile(repository)}`);
    expect(gemini).toContain("`hooksConfig.disabled`");
  });

  test("a folder that is not trusted, where trust is asked for", async () => {
    await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
    const trust = join(repository.home, ".qwen/trustedFolders.json");
    const notes = async () => (await run(repository, "install")).first.notes.join("\n");
    expect(await notes()).not.toContain("trust");
    put(userFile(repository), '{ "security": { "folderTrust": { "enabled": true } } }\n');
    expect(await notes()).toContain(`not trusted in ${trust}`);
    put(trust, JSON.stringify({ [repository.home]: "TRUST_FOLDER" }));
    expect(await notes()).not.toContain("trust");
    put(
      trust,
      JSON.stringify({ [repository.home]: "TRUST_FOLDER", [repository.dir]: "DO_NOT_TRUST" }),
    );
    expect(await notes()).toContain("not trusted");
    put(trust, JSON.stringify({ [join(repository.home, "other")]: "TRUST_PARENT" }));
    expect(await notes()).not.toContain("trust");
  });

  test("a settings file that git neither tracks nor ignores is named, an ignored one is not", async () => {
    const untracked = "git does not track this file";
    await using repository = await temporaryRepository({ files: { "README.md": "# parcels\n" } });
    expect((await runCli(repository, ["install"])).stdout).toContain(untracked);
    repository.write(".gitignore", ".qwen/settings.json\n");
    expect((await runCli(repository, ["install"])).stdout).not.toContain(untracked);
  });

  test("a settings file that git tracks, and a hook at both levels", async () => {
    await using repository = await temporaryRepository({ files: { [PROJECT_FILE]: "{}\n" } });
    await run(repository, "install", "--scope", "user");
    const { first } = await run(repository, "install");
    expect(first.notes.join("\n")).toContain("git tracks this file");
    expect(first.notes.join("\n")).toContain("it runs twice");
    const removed = (await run(repository, "uninstall")).first;
    expect(removed.notes.join("\n")).toContain(`the hook is in ${userFile(repository)} too`);
  });
});

test("Claude Code's project hooks wait for trust, which is said", async () => {
  await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
  const { first } = await run(repository, "install", "--agent", "claude");
  expect(first.notes.join("\n")).toContain("once you trust the folder");
});

test("people see the file, the difference, the backup and what to do next", async () => {
  await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
  repository.write(PROJECT_FILE, SETTINGS);
  const { stdout, stderr, code } = await runCli(repository, ["install"]);
  expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  for (const part of [
    "Qwen Code (project)",
    PROJECT_FILE,
    "+++ b/",
    "backup",
    "skillpr status",
    "skillpr uninstall",
  ])
    expect(stdout).toContain(part);
});
