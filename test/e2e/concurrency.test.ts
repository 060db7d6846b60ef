/** More than one session, more than one process, and more than one author on the same skill. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DEMO_SESSION, reviewDemo, runCli } from "../support/built-cli.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const files = { "README.md": "# parcels\n" };

const ANOTHER = "22222222-2222-4222-8222-222222222222";

/**
 * Another session with the demo's lesson and one more check that passes at its end. (The demo's own
 * session, gone on, teaches it no second time: grown-session.test.ts.)
 */
function grown(repository: TemporaryRepository, sessionId = ANOTHER): string {
  const lines = readFileSync(DEMO_SESSION, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const call = lines.findLast(
    (r) => r.type === "assistant" && JSON.stringify(r).includes("run_shell_command"),
  );
  const result = lines.findLast(
    (r) => r.type === "tool_result" && JSON.stringify(r).includes("run_shell_command"),
  );
  const last = lines.at(-1);
  const name = "npm run test:twice";
  const more = [
    {
      ...call,
      uuid: "more-1",
      parentUuid: last.uuid,
      message: {
        role: "model",
        parts: [
          { functionCall: { id: "call_more", name: "run_shell_command", args: { command: name } } },
        ],
      },
    },
    {
      ...result,
      uuid: "more-2",
      parentUuid: "more-1",
      message: {
        role: "user",
        parts: [
          {
            functionResponse: {
              id: "call_more",
              name: "run_shell_command",
              response: {
                output: `Command: ${name}\nDirectory: (root)\nOutput: # pass 4\n# fail 0\nError: (none)\nExit Code: 0`,
              },
            },
          },
        ],
      },
      toolCallResult: { callId: "call_more", status: "success", executionStatus: "success" },
    },
  ];
  const all = [...lines, ...more].map((r) => ({ ...r, sessionId }));
  const file = join(repository.home, `grown-${sessionId}.jsonl`);
  writeFileSync(file, `${all.map((r) => JSON.stringify(r)).join("\n")}\n`);
  return file;
}

const review = (repository: TemporaryRepository, file: string, ...flags: string[]) =>
  runCli(repository, ["review", file, "--reviewer", "offline", "--json", ...flags]);

describe("an open proposal is continued", () => {
  test("by another session with the same lesson", async () => {
    await using repository = await temporaryRepository({ files });
    const first = (await reviewDemo(repository)).json().proposals[0];
    const second = (await review(repository, grown(repository))).json();
    expect(second.proposals[0]).toMatchObject({
      skill: first?.skill,
      operation: "updated",
      parent: first?.commit,
    });
    expect(second.operations[0]?.type).toBe("UPDATE");
    expect(await repository.git("log", "--format=%s", `main..auto-skill/${first?.skill}`)).toBe(
      `skill: update ${first?.skill}\nskill: add ${first?.skill}`,
    );
    const shown = await repository.git(
      "show",
      `auto-skill/${first?.skill}:.qwen/skills/${first?.skill}/SKILL.md`,
    );
    expect(shown).toContain("version: 1.0.1");
  });

  test("after it was accepted, a new session starts a new branch from the base", async () => {
    await using repository = await temporaryRepository({ files });
    const first = (await reviewDemo(repository)).json().proposals[0];
    await runCli(repository, ["accept", first?.skill ?? ""]);
    const second = (await review(repository, grown(repository))).json();
    expect(second.proposals[0]).toMatchObject({
      skill: first?.skill,
      operation: "created",
      parent: await repository.git("rev-parse", "main"),
    });
    expect(second.operations[0]?.type).toBe("UPDATE");
  });
});

describe("somebody else's work is never overwritten", () => {
  test("a person's commit on the branch: blocked, and the branch stays", async () => {
    await using repository = await temporaryRepository({ files });
    const first = (await reviewDemo(repository)).json().proposals[0];
    await repository.git("checkout", "-q", `auto-skill/${first?.skill}`);
    const path = `.qwen/skills/${first?.skill}/SKILL.md`;
    repository.write(
      path,
      readFileSync(join(repository.dir, path), "utf8").replace(/# .*/, "# A better title"),
    );
    const theirs = await repository.commit("a better title");
    await repository.git("checkout", "-q", "main");
    const result = await review(repository, grown(repository));
    expect(result.code).toBe(0);
    expect(result.json().proposals[0]).toMatchObject({
      operation: "blocked",
      commit: null,
      reason: expect.stringContaining("Robin Example"),
    });
    expect(await repository.git("rev-parse", `auto-skill/${first?.skill}`)).toBe(theirs);
  });

  test("a person who removed the skill on its branch keeps their commit", async () => {
    await using repository = await temporaryRepository({ files });
    const first = (await reviewDemo(repository)).json().proposals[0];
    await repository.git("checkout", "-q", `auto-skill/${first?.skill}`);
    await repository.git("rm", "-rq", ".qwen");
    repository.write("WORK.md", "work\n");
    const theirs = await repository.commit("human work");
    await repository.git("checkout", "-q", "main");
    const again = (await reviewDemo(repository, "--force")).json();
    expect(again.proposals[0]?.operation).toBe("blocked");
    expect(await repository.git("rev-parse", `auto-skill/${first?.skill}`)).toBe(theirs);
  });

  test("a person who went on after a squash merge keeps their commit", async () => {
    await using repository = await temporaryRepository({ files });
    const first = (await reviewDemo(repository)).json().proposals[0];
    await repository.git("merge", "-q", "--squash", `auto-skill/${first?.skill}`);
    await repository.commit("squashed");
    await repository.git("checkout", "-q", `auto-skill/${first?.skill}`);
    repository.write("WORK.md", "work\n");
    const theirs = await repository.commit("human work");
    await repository.git("checkout", "-q", "main");
    const again = (await review(repository, grown(repository))).json();
    expect(again.proposals[0]?.operation).toBe("blocked");
    expect(await repository.git("rev-parse", `auto-skill/${first?.skill}`)).toBe(theirs);
  });

  test("a branch that is too large for a skill, and a ref to no commit, stop nobody's review", async () => {
    await using repository = await temporaryRepository({ files });
    await repository.git("checkout", "-q", "-b", "auto-skill/zz");
    repository.write(".qwen/skills/zz/SKILL.md", "x".repeat(8 * 1024 * 1024));
    await repository.commit("large");
    await repository.git("checkout", "-q", "main");
    await repository
      .git(
        "update-ref",
        "refs/heads/auto-skill/tree",
        await repository.git("rev-parse", "main^{tree}"),
      )
      .catch(() => undefined);
    const result = await reviewDemo(repository);
    expect(result.json().proposals[0]?.operation).toBe("created");
    expect(result.stderr).toContain("refs/heads/auto-skill/zz");
  });

  test("an amended commit is a person's", async () => {
    await using repository = await temporaryRepository({ files });
    const first = (await reviewDemo(repository)).json().proposals[0];
    await repository.git("checkout", "-q", `auto-skill/${first?.skill}`);
    await repository.git("commit", "-q", "--amend", "--no-edit", "--allow-empty");
    const theirs = await repository.git("rev-parse", "HEAD");
    await repository.git("checkout", "-q", "main");
    expect((await review(repository, grown(repository))).json().proposals[0]?.operation).toBe(
      "blocked",
    );
    expect(await repository.git("rev-parse", `auto-skill/${first?.skill}`)).toBe(theirs);
  });

  test("a branch that is checked out somewhere is not moved: blocked, and reviewed again later", async () => {
    await using repository = await temporaryRepository({ files });
    const first = (await reviewDemo(repository)).json().proposals[0];
    const linked = join(repository.home, "linked");
    await repository.git("worktree", "add", "-q", linked, `auto-skill/${first?.skill}`);
    const file = grown(repository);
    const blocked = (await review(repository, file)).json();
    expect(blocked.proposals[0]).toMatchObject({
      operation: "blocked",
      reason: expect.stringContaining("checked out at"),
    });
    expect(await repository.git("rev-parse", `auto-skill/${first?.skill}`)).toBe(first?.commit);
    await repository.git("worktree", "remove", linked);
    expect((await review(repository, file)).json().proposals[0]?.operation).toBe("updated");
  });

  test("a branch called auto-skill is in the way: said, nothing is changed", async () => {
    await using repository = await temporaryRepository({ files });
    await repository.git("branch", "auto-skill");
    const result = await reviewDemo(repository);
    expect(result.json().proposals[0]).toMatchObject({
      operation: "blocked",
      reason: expect.stringContaining("refs/heads/auto-skill"),
    });
    expect(await repository.git("for-each-ref", "--format=%(refname)", "refs/heads/")).toBe(
      "refs/heads/auto-skill\nrefs/heads/main",
    );
  });
});

describe("two reviews at once", () => {
  test("of the same session: one branch, one commit, no trace", async () => {
    await using repository = await temporaryRepository({ files });
    const before = await repository.snapshot();
    const results = await Promise.all([1, 2, 3].map(() => reviewDemo(repository)));
    for (const result of results) expect(result).toMatchObject({ code: 0, stderr: "" });
    const skill = results.map((result) => result.json().proposals[0]?.skill).find(Boolean);
    expect(await repository.git("rev-list", "--count", `main..auto-skill/${skill}`)).toBe("1");
    const operations = results.map(
      (result) => result.json().proposals[0]?.operation ?? result.json().skippedReason,
    );
    expect(operations.filter((operation) => operation === "created")).toHaveLength(1);
    expect(await repository.snapshot()).toEqual(before);
  });

  test("of different sessions with the same lesson: both commits are on the branch", async () => {
    await using repository = await temporaryRepository({ files });
    const other = grown(repository, "33333333-3333-4333-8333-333333333333");
    const results = await Promise.all([reviewDemo(repository), review(repository, other)]);
    const operations = results.map(
      (result) => result.json().proposals[0]?.operation ?? result.json().status,
    );
    expect(operations).toContain("created");
    for (const result of results) expect(result.json().status).toMatch(/proposed|nothing_to_save/);
    const skill = results.map((result) => result.json().proposals[0]?.skill).find(Boolean);
    const shown = await repository.git(
      "show",
      `auto-skill/${skill}:.qwen/skills/${skill}/SKILL.md`,
    );
    expect(shown).toContain("npm run test:twice");
  });
});

describe("two decisions at once", () => {
  test("accept and reject of one proposal: one of them is carried out, the other says so", async () => {
    await using repository = await temporaryRepository({ files });
    const skill = (await reviewDemo(repository)).json().proposals[0]?.skill ?? "";
    const [accepted, rejected] = await Promise.all([
      runCli(repository, ["accept", skill, "--json"]),
      runCli(repository, ["reject", skill, "--json"]),
    ]);
    expect([accepted.code, rejected.code].toSorted()).toEqual([0, 1]);
    const live = await repository.git("ls-tree", "-r", "--name-only", "main");
    expect(live.includes(skill)).toBe(accepted.code === 0);
    expect(await repository.git("for-each-ref", "refs/heads/auto-skill")).toBe("");
  });
});
