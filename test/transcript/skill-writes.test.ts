import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { ToolCall } from "../../src/transcript/session.ts";
import { skillWrites } from "../../src/transcript/skill-writes.ts";
import { makeCall, makeSession, makeTurn, readText } from "./fixtures.ts";

const SKILL = ".qwen/skills/dates/SKILL.md";
const options = { skillsRoot: ".qwen/skills", projectRoots: [] as string[] };

function written(call: Partial<ToolCall>, cwd: string | null = "/home/user/parcels", more = {}) {
  const session = makeSession({ cwd, turns: [makeTurn({ toolCalls: [makeCall(call)] })] });
  return skillWrites(session, { ...options, ...more }).map((write) => write.path);
}

/** The writes of a call that Qwen Code made and that went well. */
async function writesOf(name: string, args: object, cwd: string) {
  const base = { sessionId: "s", cwd };
  const call = { functionCall: { id: "c1", name, args } };
  const answer = { functionResponse: { id: "c1", name, response: { output: "done" } } };
  const records = [
    { ...base, uuid: "a", type: "assistant", message: { parts: [call] } },
    { ...base, uuid: "b", parentUuid: "a", type: "tool_result", message: { parts: [answer] } },
  ];
  const lines = records.map((record) => JSON.stringify(record)).join("\n");
  return skillWrites(await readText(lines), options);
}

async function writtenByShell(command: string, cwd = "/home/user/parcels") {
  const writes = await writesOf("run_shell_command", { command }, cwd);
  return writes.map((write) => write.path);
}

describe("skillWrites: spellings", () => {
  it.each([
    ["absolute", "/home/user/parcels/.qwen/skills/dates/SKILL.md"],
    ["relative", ".qwen/skills/dates/SKILL.md"],
    ["with a dot", "./.qwen//skills/./dates/SKILL.md"],
    ["with dots that go up", "src/../.qwen/tmp/../skills/dates/SKILL.md"],
    ["with backslashes", ".qwen\\skills\\dates\\SKILL.md"],
    ["in another case", ".Qwen/Skills/dates/SKILL.md"],
    ["through the home", "~/parcels/.qwen/skills/dates/SKILL.md"],
    ["through a variable for the home", "$HOME/parcels/.qwen/skills/dates/SKILL.md"],
    ["behind a variable", "$ROOT/.qwen/skills/dates/SKILL.md"],
    ["as an address", "file:///home/user/parcels/.qwen/skills/dates/SKILL.md"],
  ])("finds a path %s", (_, path) => {
    expect(written({ writePaths: [path] })).toEqual([SKILL]);
  });

  it.each([
    ["C:\\Users\\user\\parcels", "C:\\Users\\user\\parcels\\.qwen\\skills\\dates\\SKILL.md"],
    ["C:\\Users\\user\\parcels", "c:/Users/user/parcels/.qwen/skills/dates/SKILL.md"],
    ["C:\\Users\\user\\parcels", "/c/Users/user/parcels/.qwen/skills/dates/SKILL.md"],
    ["C:\\Users\\user\\parcels", "\\\\?\\C:\\Users\\user\\parcels\\.qwen\\skills\\dates\\SKILL.md"],
    ["C:\\Users\\user\\parcels\\src", "..\\.qwen\\skills\\dates\\SKILL.md"],
    ["C:\\Users\\user\\parcels", "%USERPROFILE%\\parcels\\.qwen\\skills\\dates\\SKILL.md"],
  ])("finds a Windows path: in %s, %s", (cwd, path) => {
    expect(written({ writePaths: [path] }, cwd)).toEqual([SKILL]);
  });

  it("resolves against the folder of the call", () => {
    const call = { writePaths: ["../.qwen/skills/dates/SKILL.md"], cwd: "/home/user/parcels/src" };
    expect(written(call)).toEqual([SKILL]);
  });

  it.each([
    ["a neighbour of the root", ".qwen/skills-old/a.md"],
    ["another agent's folder", ".claude/skills/a/SKILL.md"],
    ["a file with such a name inside", "docs/.qwen-skills/a.md"],
    ["the user's own skills", "/home/user/.qwen/skills/a/SKILL.md"],
    ["the user's own skills through the home", "~/.qwen/skills/a/SKILL.md"],
    ["the user's own skills, upwards", "../.qwen/skills/a/SKILL.md"],
    ["another project", "/home/user/letters/.qwen/skills/a/SKILL.md"],
    ["a folder below", "packages/one/.qwen/skills/a/SKILL.md"],
    ["settings", ".qwen/settings.json"],
  ])("does not take %s for the project's skills", (_, path) => {
    expect(written({ writePaths: [path] })).toEqual([]);
  });
});

describe("skillWrites: which project", () => {
  it("takes a folder above the session's for the root when none is given", () => {
    const call = { writePaths: ["/srv/parcels/.qwen/skills/dates/SKILL.md"] };
    expect(written(call, "/srv/parcels/packages/one")).toEqual([SKILL]);
  });

  it("takes the given root that holds the session's folder, and no other", () => {
    const more = { projectRoots: ["/srv/parcels", "/srv/other"] };
    const cwd = "/srv/parcels/packages/one";
    expect(written({ writePaths: [`../../${SKILL}`] }, cwd, more)).toEqual([SKILL]);
    expect(written({ writePaths: [SKILL] }, cwd, more)).toEqual([]);
  });

  it("works without the session's folder", () => {
    expect(written({ writePaths: [SKILL] }, null)).toEqual([SKILL]);
    expect(written({ writePaths: ["/home/x/parcels/.qwen/skills/dates/SKILL.md"] }, null)).toEqual([
      SKILL,
    ]);
    expect(written({ writePaths: ["/home/x/.qwen/skills/dates/SKILL.md"] }, null)).toEqual([]);
    expect(written({ writePaths: ["~/.qwen/skills/dates/SKILL.md"] }, null)).toEqual([]);
  });

  it("knows another agent's skills root", () => {
    const more = { skillsRoot: ".claude/skills" };
    expect(written({ writePaths: [".claude/skills/a/b.md"] }, "/srv/p", more)).toEqual([
      ".claude/skills/a/b.md",
    ]);
  });
});

describe("skillWrites: through a link", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "links-")));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "project/.qwen/skills"), { recursive: true });
  symlinkSync(join(folder, "project/.qwen/skills"), join(folder, "project/shortcut"));
  symlinkSync(join(folder, "project"), join(folder, "alias"));
  const realpath = (path: string) => {
    try {
      return realpathSync(path);
    } catch {
      return null;
    }
  };

  it("finds a write through a link to the skills root", () => {
    const call = { writePaths: ["shortcut/dates/SKILL.md"] };
    const cwd = join(folder, "project");
    expect(written(call, cwd, { projectRoots: [cwd], realpath })).toEqual([SKILL]);
    expect(written(call, cwd, { projectRoots: [cwd] })).toEqual([]);
  });

  it("finds the project through a link to it", () => {
    const call = { writePaths: [join(folder, "project", SKILL)] };
    const roots = { projectRoots: [join(folder, "project")], realpath };
    expect(written(call, join(folder, "alias"), roots)).toEqual([SKILL]);
  });

  it("asks the disk only when the session's folder is on it", () => {
    const asked: string[] = [];
    const spy = (path: string) => {
      asked.push(path);
      return null;
    };
    written({ writePaths: ["/elsewhere/shortcut/a.md"] }, "/elsewhere", { realpath: spy });
    expect(asked).toEqual(["/elsewhere"]);
  });
});

describe("skillWrites: which calls", () => {
  it.each([
    ["a success", { outcome: "success" }, 1],
    ["a call without a result", { outcome: "unknown" }, 0],
    ["a command without a result", { outcome: "unknown", kind: "shell" }, 0],
    ["a declined call", { outcome: "cancelled" }, 0],
    ["a write that failed", { outcome: "failure" }, 0],
    ["a command that failed", { outcome: "failure", kind: "shell" }, 1],
    ["a declined command", { outcome: "cancelled", kind: "shell" }, 0],
  ] as const)("counts %s", (_, call, count) => {
    expect(written({ ...call, writePaths: [SKILL] })).toHaveLength(count);
  });

  it("counts no write that a session ended before, and every one where no results are recorded", async () => {
    const input = { file_path: SKILL, content: "x" };
    const block = { type: "tool_use", id: "toolu_1", name: "Write", input };
    const message = { role: "assistant", content: [block] };
    const record = { type: "assistant", uuid: "a", sessionId: "s", cwd: "/p", message };
    const aborted = await readText(JSON.stringify(record));
    expect(aborted.issuedToolCallCount).toBe(1);
    expect(skillWrites(aborted, options)).toEqual([]);
    const unrecorded = { ...aborted, toolCallCount: 1 };
    expect(skillWrites(unrecorded, options)).toHaveLength(1);
  });

  it("counts sub-agents' and rewound calls, each path of a turn once", () => {
    const call = makeCall({ writePaths: [SKILL] });
    const turns = [
      makeTurn({ id: "t1", toolCalls: [call, call] }),
      makeTurn({ id: "t2", toolCalls: [call], subagent: "helper" }),
      makeTurn({ id: "t3", toolCalls: [call], rewound: true }),
    ];
    expect(skillWrites(makeSession({ turns }), options).map((write) => write.turn)).toEqual([
      "t1",
      "t2",
      "t3",
    ]);
  });

  it.each([
    ["write_file", { file_path: SKILL, content: "x" }],
    ["edit", { old_string: "a", new_string: "b", file_path: SKILL }],
    ["replace", { file_path: SKILL }],
    ["Write", { content: "x", file_path: SKILL }],
    ["MultiEdit", { file_path: SKILL, edits: [] }],
    ["NotebookEdit", { notebook_path: SKILL }],
    ["apply_patch", { input: `*** Begin Patch\n*** Update File: ${SKILL}\n*** End Patch` }],
    ["str_replace_based_edit_tool", { command: "create", path: SKILL }],
    ["mcp__files__write_file", { path: SKILL }],
    ["some_new_writer", { path: SKILL, content: "x" }],
    ["Bash", { command: `echo x >> ${SKILL}` }],
    ["shell", { command: ["bash", "-lc", `tee ${SKILL}`] }],
    ["run_shell_command", { command: "touch dates/SKILL.md", directory: ".qwen/skills" }],
  ])("knows the write of %s", async (name, args) => {
    const writes = await writesOf(name, args, "/srv/p");
    expect(writes).toEqual([{ turn: "t1", path: SKILL }]);
  });

  it.each([
    ["read_file", { file_path: SKILL }],
    ["grep_search", { path: ".qwen/skills", pattern: "x" }],
    ["str_replace_based_edit_tool", { command: "view", path: SKILL }],
    ["mcp__tracker__create", { path: SKILL }],
    ["skill", { skill: "dates" }],
  ])("knows that %s only reads", async (name, args) => {
    expect(await writesOf(name, args, "/srv/p")).toEqual([]);
  });

  it.each([
    ["cd .qwen/skills && mkdir dates", [".qwen/skills/dates"]],
    ["rm -rf .qwen", [".qwen/skills"]],
    ["rm -rf .qwen/*", [".qwen/skills"]],
    ["mv .qwen backup", [".qwen/skills"]],
    ["git checkout main -- .qwen", [".qwen/skills"]],
    ["cp -r /tmp/skills .qwen", [".qwen/skills"]],
    ["cat > $(git rev-parse --show-toplevel)/.qwen/skills/dates/SKILL.md", [SKILL]],
    ["D=.qwen/skills; cat > $D/dates/SKILL.md", [SKILL]],
    ["mkdir -p .qwen/skills/{dates,times}", [".qwen/skills/{dates,times}"]],
    ["mkdir -p .qwen", []],
    ["cp .qwen/skills/dates/SKILL.md /tmp/a.md", []],
    ["rm -rf *", []],
    ["rm -rf ~/.qwen/skills", []],
    ["cat .qwen/skills/dates/SKILL.md > /tmp/copy.md", []],
  ])("reads the command %j", async (command, paths) => {
    expect(await writtenByShell(command)).toEqual(paths);
  });
});
