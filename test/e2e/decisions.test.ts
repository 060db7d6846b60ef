/** The person's side on the built program: list, show, accept, reject, and what each leaves alone. */
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Acceptance } from "../../src/publish/accept.ts";
import { reviewDemo, runCli } from "../support/built-cli.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

async function proposed(repository: TemporaryRepository): Promise<{ skill: string; path: string }> {
  const outcome = (await reviewDemo(repository)).json();
  expect(outcome.status).toBe("proposed");
  const skill = outcome.proposals[0]?.skill ?? "";
  return { skill, path: `.qwen/skills/${skill}/SKILL.md` };
}

const files = { "README.md": "# parcels\n", "src/a.txt": "one\n" };

describe("list and show", () => {
  test("nothing waits", async () => {
    await using repository = await temporaryRepository({ files });
    expect((await runCli(repository, ["list", "--json"])).json<unknown>()).toEqual({
      proposals: [],
      waiting: { marks: 0, places: [] },
    });
    expect((await runCli(repository, ["list"])).stdout).toBe("No proposal is waiting here.\n");
    const missing = await runCli(repository, ["show", "nothing"]);
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('no open proposal "nothing"');
  });

  test("evidence says of each turn how the command ended there", async () => {
    await using repository = await temporaryRepository({ files });
    const { evidence } = (await reviewDemo(repository)).json();
    expect(
      evidence
        .filter(({ command }) => command === "npm test")
        .map(({ outcome, turns }) => [outcome, turns]),
    ).toEqual([
      ["failure", ["t3"]],
      ["success", ["t7", "t14"]],
    ]);
  });

  test("a person's commit on the branch is named, and what was sealed is still known", async () => {
    await using repository = await temporaryRepository({ files });
    const { skill, path } = await proposed(repository);
    await repository.git("checkout", "-q", `auto-skill/${skill}`);
    repository.write(
      path,
      readFileSync(join(repository.dir, path), "utf8").replace(/^# .*/m, "# A better title"),
    );
    await repository.commit("a better title");
    await repository.git("checkout", "-q", "main");
    const { stdout } = await runCli(repository, ["show", skill]);
    expect(stdout).toContain("a commit by Robin Example is on it");
    expect(stdout).toContain("evidence    npm test: failed (t3)");
  });

  test("one waits: with its diff, evidence and findings", async () => {
    await using repository = await temporaryRepository({ files });
    const { skill } = await proposed(repository);
    const list = (await runCli(repository, ["list", "--json"])).json<{ proposals: unknown[] }>();
    expect(list.proposals).toEqual([
      expect.objectContaining({
        skill,
        branch: `auto-skill/${skill}`,
        commits: 1,
        hasForeignCommit: false,
      }),
    ]);
    const shown = await runCli(repository, ["show", skill]);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain("+  source: auto-skill");
    expect(shown.stdout).toContain("evidence");
    expect(shown.stdout).toContain("findings    none");
    const json = (await runCli(repository, ["show", skill, "--json"])).json<
      Record<string, unknown>
    >();
    expect(json).toMatchObject({
      skill,
      findings: [],
      evidence: expect.any(Array),
      diff: expect.stringContaining("+"),
    });
  });
});

describe("accept", () => {
  test("merges into the checked-out base branch; only the skill's folder changes", async () => {
    await using repository = await temporaryRepository({ files });
    const { skill, path } = await proposed(repository);
    repository.write("src/a.txt", "changed, not committed\n");
    repository.write("staged.txt", "staged\n");
    await repository.git("add", "staged.txt");
    const result = await runCli(repository, ["accept", skill, "--json"]);
    expect(result.stderr).toBe("");
    expect(result.json<Acceptance>()).toMatchObject({
      status: "accepted",
      checkedOutAt: repository.dir,
      isBranchRemoved: true,
    });
    expect(readFileSync(join(repository.dir, path), "utf8")).toContain("source: auto-skill");
    expect(await repository.git("status", "--porcelain")).toBe(" M src/a.txt\nA  staged.txt");
    expect(await repository.git("for-each-ref", "refs/heads/auto-skill/")).toBe("");
    expect(await repository.git("diff", "--name-only", "main~1", "main")).toBe(path);
  });

  test("a base that moved elsewhere gets a merge commit in the person's name", async () => {
    await using repository = await temporaryRepository({ files });
    const { skill, path } = await proposed(repository);
    repository.write("src/a.txt", "two\n");
    await repository.commit("more work");
    await repository.git("config", "user.name", "Kim Example");
    await repository.git("config", "user.email", "kim@example.com");
    const env = { GIT_COMMITTER_NAME: "", GIT_AUTHOR_NAME: "" };
    const result = await runCli(repository, ["accept", skill], { env });
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(await repository.git("log", "-1", "--format=%an <%ae> %p", "main")).toMatch(
      /^Kim Example <kim@example.com> \w+ \w+$/,
    );
    expect(await repository.git("diff", "--name-only", "main~1", "main")).toBe(path);
    expect(readFileSync(join(repository.dir, "src/a.txt"), "utf8")).toBe("two\n");
  });

  test("from another branch: says that main moved, and leaves the checkout", async () => {
    await using repository = await temporaryRepository({ files });
    const { skill, path } = await proposed(repository);
    await repository.git("checkout", "-q", "-b", "feature");
    const result = await runCli(repository, ["accept", skill, "--base", "main"]);
    expect(result.code).toBe(0);
    expect(result.stdout).toContain("the branch main only");
    expect(existsSync(join(repository.dir, path))).toBe(false);
    expect(await repository.git("ls-tree", "-r", "--name-only", "main")).toContain(path);
  });

  test("not over a dirty folder: an untracked file of the same name", async () => {
    await using repository = await temporaryRepository({ files });
    const { skill, path } = await proposed(repository);
    repository.write(path, "mine, not committed\n");
    const before = await repository.snapshot();
    const result = await runCli(repository, ["accept", skill, "--json"]);
    expect(result.code).toBe(1);
    expect(result.json().error?.message).toContain("changes of yours");
    expect(await repository.snapshot()).toEqual(before);
  });

  test("not over an ignored file in the folder", async () => {
    await using repository = await temporaryRepository({
      files: { ...files, ".gitignore": ".qwen/\n" },
    });
    const { skill, path } = await proposed(repository);
    repository.write(path, "mine, ignored\n");
    expect((await runCli(repository, ["accept", skill, "--json"])).code).toBe(1);
    expect(readFileSync(join(repository.dir, path), "utf8")).toBe("mine, ignored\n");
  });

  test("not when the skill changed on the base", async () => {
    await using repository = await temporaryRepository({ files });
    const { skill, path } = await proposed(repository);
    repository.write(path, "---\nname: other\ndescription: Other.\n---\n\nText\n");
    await repository.commit("a skill of the same name");
    const result = await runCli(repository, ["accept", skill, "--json"]);
    expect(result.code).toBe(1);
    expect(result.json().error?.message).toContain("has changed on main");
  });

  test("not from a base that lags behind where the branch left", async () => {
    await using repository = await temporaryRepository({ files });
    const lag = await repository.git("rev-parse", "main");
    repository.write("src/a.txt", "two\n");
    await repository.commit("more work");
    const { skill } = await proposed(repository);
    await repository.git("checkout", "-q", "--detach");
    await repository.git("branch", "-f", "main", lag);
    const result = await runCli(repository, ["accept", skill, "--base", "main", "--json"]);
    expect(result.code).toBe(1);
    expect(result.json().error?.message).toContain("also changes src/a.txt");
  });

  test("not when somebody put more than a skill on the branch", async () => {
    await using repository = await temporaryRepository({ files });
    const { skill } = await proposed(repository);
    await repository.git("checkout", "-q", `auto-skill/${skill}`);
    repository.write("src/a.txt", "by a person\n");
    await repository.commit("by a person");
    await repository.git("checkout", "-q", "main");
    const result = await runCli(repository, ["accept", skill, "--json"]);
    expect(result.code).toBe(1);
    expect(result.json().error?.message).toContain("also changes src/a.txt");
  });

  test("a branch that the verifier refuses is not merged", async () => {
    await using repository = await temporaryRepository({ files });
    const { skill, path } = await proposed(repository);
    await repository.git("checkout", "-q", `auto-skill/${skill}`);
    writeFileSync(join(repository.dir, path), "---\nname: x\n---\n\u001b[31mred\n");
    await repository.commit("by a person");
    await repository.git("checkout", "-q", "main");
    const before = await repository.git("rev-parse", "main");
    const result = await runCli(repository, ["accept", skill, "--json"]);
    expect(result.code).toBe(2);
    expect(result.json<Acceptance>().status).toBe("refused");
    expect(await repository.git("rev-parse", "main")).toBe(before);
  });

  test("an index.lock stops it before anything moved", async () => {
    await using repository = await temporaryRepository({ files });
    const { skill } = await proposed(repository);
    writeFileSync(join(repository.dir, ".git/index.lock"), "");
    const before = await repository.snapshot();
    const result = await runCli(repository, ["accept", skill, "--json"]);
    expect(result.code).toBe(3);
    expect(result.json().error?.message).toContain("index.lock");
    expect(await repository.snapshot()).toEqual(before);
  });

  test("in a clone: what was accepted and not pushed yet is not proposed again", async () => {
    await using origin = await temporaryRepository({ files });
    const dir = join(origin.home, "clone");
    await origin.gitIn(origin.home, "clone", "-q", origin.dir, dir);
    const clone = { ...origin, dir };
    const first = (await reviewDemo(clone)).json();
    expect(first.base?.ref).toBe("refs/remotes/origin/main");
    const skill = first.proposals[0]?.skill ?? "";
    expect((await runCli(clone, ["accept", skill])).code).toBe(0);
    const again = (await reviewDemo(clone, "--force")).json();
    expect(again).toMatchObject({ status: "nothing_to_save", base: { ref: "refs/heads/main" } });
    writeFileSync(join(dir, "src/a.txt"), "work of one's own\n");
    await origin.gitIn(dir, "commit", "-qam", "work");
    const later = (await reviewDemo(clone, "--force")).json();
    expect(later.base?.ref).toBe("refs/remotes/origin/main");
  });

  test("from a proposal's branch: says to name the base, and nothing is merged anywhere", async () => {
    await using repository = await temporaryRepository({ files });
    const { skill } = await proposed(repository);
    await repository.git("checkout", "-q", `auto-skill/${skill}`);
    const before = await repository.git("for-each-ref");
    const result = await runCli(repository, ["accept", skill, "--json"]);
    expect(result.code).toBe(1);
    expect(result.json().error).toMatchObject({
      message: expect.stringContaining(`auto-skill/${skill}`),
      hint: expect.stringContaining("--base main"),
    });
    expect(await repository.git("for-each-ref")).toBe(before);
    expect((await runCli(repository, ["accept", skill, "--base", "main"])).code).toBe(0);
  });

  test("goes where it was proposed against, also from another branch", async () => {
    await using repository = await temporaryRepository({ files });
    const { skill, path } = await proposed(repository);
    await repository.git("checkout", "-q", "-b", "feature");
    expect((await runCli(repository, ["accept", `auto-skill/${skill}`])).code).toBe(0);
    expect(await repository.git("ls-tree", "-r", "--name-only", "main")).toContain(path);
    expect(await repository.git("ls-tree", "-r", "--name-only", "feature")).not.toContain(path);
  });

  test("not in the middle of a rebase of the base branch", async () => {
    await using repository = await temporaryRepository({ files });
    for (const n of [1, 2, 3]) {
      repository.write("src/a.txt", `${n}\n`);
      await repository.commit(`c${n}`);
    }
    const { skill } = await proposed(repository);
    await repository.git(
      "-c",
      "sequence.editor=sed -i '2s/pick/edit/'",
      "rebase",
      "-q",
      "-i",
      "HEAD~3",
    );
    const before = await repository.snapshot();
    const result = await runCli(repository, ["accept", skill, "--base", "main", "--json"]);
    expect(result.code).toBe(1);
    expect(result.json().error?.message).toContain("rebased or bisected");
    expect(await repository.snapshot()).toEqual(before);
  });

  test.each(["file", "link"])("not over an ignored %s where the folder must go", async (kind) => {
    await using repository = await temporaryRepository({ files });
    writeFileSync(join(repository.dir, ".git/info/exclude"), ".qwen\n");
    const { skill } = await proposed(repository);
    if (kind === "file") repository.write(".qwen", "mine\n");
    else symlinkSync("../elsewhere", join(repository.dir, ".qwen"));
    const before = await repository.snapshot();
    const result = await runCli(repository, ["accept", skill, "--json"]);
    expect(result.code).toBe(1);
    expect(result.json().error?.message).toContain("in the way");
    expect(await repository.snapshot()).toEqual(before);
  });

  test("finished by a second accept when the first was killed after the merge", async () => {
    await using repository = await temporaryRepository({ files });
    const { skill } = await proposed(repository);
    await repository.git("merge", "-q", "--ff-only", `auto-skill/${skill}`);
    const result = await runCli(repository, ["accept", skill, "--json"]);
    expect(result.json<Acceptance>()).toMatchObject({ status: "accepted", isBranchRemoved: true });
    expect(await repository.git("for-each-ref", "refs/heads/auto-skill/")).toBe("");
  });

  test("into a bare repository", async () => {
    await using repository = await temporaryRepository({ files });
    const dir = join(repository.home, "bare.git");
    await repository.gitIn(repository.home, "clone", "-q", "--bare", repository.dir, dir);
    const bare = { ...repository, dir };
    const skill = (await reviewDemo(bare)).json().proposals[0]?.skill ?? "";
    expect((await runCli(bare, ["accept", skill])).code).toBe(0);
    expect(await repository.gitIn(dir, "ls-tree", "-r", "--name-only", "main")).toContain(skill);
  });

  test("core.autocrlf: the accepted file is clean (complaint 15)", async () => {
    await using repository = await temporaryRepository({ files });
    await repository.git("config", "core.autocrlf", "true");
    const { skill } = await proposed(repository);
    expect((await runCli(repository, ["accept", skill])).code).toBe(0);
    expect(await repository.git("status", "--porcelain")).toBe("");
  });
});

describe("reject", () => {
  test("removes the branch, says how to undo, and the same lesson is not proposed again", async () => {
    await using repository = await temporaryRepository({ files });
    const { skill } = await proposed(repository);
    const before = await repository.snapshot();
    const rejected = await runCli(repository, [
      "reject",
      skill,
      "--reason",
      "we do this otherwise",
    ]);
    expect(rejected.code).toBe(0);
    expect(rejected.stdout).toMatch(/undo {8}git branch auto-skill\/\S+ [0-9a-f]{12}/);
    expect(await repository.git("for-each-ref", "refs/heads/auto-skill/")).toBe("");
    expect(await repository.snapshot()).toEqual(before);
    const again = (await reviewDemo(repository, "--force")).json();
    expect(again.proposals.filter(({ operation }) => operation !== "blocked")).toEqual([]);
    expect(await repository.git("for-each-ref", "refs/heads/auto-skill/")).toBe("");
  });

  test("not while the branch is checked out", async () => {
    await using repository = await temporaryRepository({ files });
    const { skill } = await proposed(repository);
    await repository.git("checkout", "-q", `auto-skill/${skill}`);
    const result = await runCli(repository, ["reject", skill, "--base", "main"]);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("is checked out at");
  });
});

describe("verify", () => {
  test("a proposal's branch is ok; a branch with anything else is refused, with exit 2", async () => {
    await using repository = await temporaryRepository({ files });
    const { skill, path } = await proposed(repository);
    const good = await runCli(repository, [
      "verify",
      "--base",
      "main",
      "--head",
      `auto-skill/${skill}`,
      "--json",
    ]);
    expect(good.code).toBe(0);
    expect(good.json<unknown>()).toEqual({
      ok: true,
      changes: [{ path, status: "A", oldMode: "000000", mode: "100644" }],
      findings: [],
    });
    await repository.git("checkout", "-q", "-b", "other");
    repository.write("src/a.txt", "two\n");
    await repository.commit("code");
    const bad = await runCli(repository, [
      "verify",
      "--base",
      "main",
      "--head",
      "other",
      "--format",
      "json",
    ]);
    expect(bad.code).toBe(2);
    expect(bad.json<{ ok: boolean; findings: { rule: string; path: string }[] }>()).toMatchObject({
      ok: false,
      findings: [{ rule: "structure.path", path: "src/a.txt" }],
    });
    const profile = ["verify", "--base", "main", "--head", "other", "--profile", "pull-request"];
    expect((await runCli(repository, profile)).code).toBe(0);
  });

  test("of nothing at all is no success", async () => {
    await using repository = await temporaryRepository({ files });
    const result = await runCli(repository, ["verify", "--json"]);
    expect(result.code).toBe(1);
    expect(result.json().error).toMatchObject({
      message: expect.stringContaining("same commit"),
      hint: expect.stringContaining("--base"),
    });
  });

  test("in an unknown revision: says so", async () => {
    await using repository = await temporaryRepository({ files });
    const result = await runCli(repository, ["verify", "--head", "nowhere", "--json"]);
    expect(result.code).toBe(1);
    expect(result.json().error?.message).toContain("nowhere");
  });
});
