/** `skillpr review` on the built program: the outcomes of one transcript, as scripts see them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Outcome } from "../../src/outcome.ts";
import { beside, DEMO_SESSION, reviewDemo, runCli } from "../support/built-cli.ts";
import { temporaryRepository } from "../support/temp-repository.ts";

const FILES = { "README.md": "# parcels\n" };

/** The demo's session with some of its records changed; written beside the repository. */
function variant(dir: string, name: string, change: (lines: string[]) => string[]): string {
  const file = join(dir, name);
  const lines = readFileSync(DEMO_SESSION, "utf8").split("\n").filter(Boolean);
  writeFileSync(file, `${change(lines).join("\n")}\n`);
  return file;
}

describe("a session with a lesson", () => {
  test("becomes a verified skill on a branch, and the checkout stays as it was", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const before = await repository.snapshot();
    const result = await reviewDemo(repository);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    const outcome = result.json();
    expect(outcome.status).toBe("proposed");
    expect(outcome.base).toEqual({
      ref: "refs/heads/main",
      commit: await repository.git("rev-parse", "main"),
    });
    const [proposal] = outcome.proposals;
    expect(proposal).toMatchObject({ operation: "created", parent: outcome.base?.commit });
    const branch = `refs/heads/${proposal?.branch}`;
    expect(await repository.git("rev-parse", branch)).toBe(proposal?.commit);
    const path = `.qwen/skills/${proposal?.skill}/SKILL.md`;
    expect(outcome.operations).toEqual([{ type: "ADD", skill_id: proposal?.skill, path }]);
    expect(await repository.git("diff", "--name-only", "main", branch)).toBe(path);
    const skill = await repository.git("show", `${branch}:${path}`);
    expect(skill).toMatch(
      /^---\nname: \S+\ndescription: .+\nversion: 1\.0\.0\nmetadata:\n {2}source: auto-skill\n/,
    );
    expect(await repository.git("rev-parse", `${branch}:.qwen/skills/${proposal?.skill}`)).toBe(
      proposal?.tree,
    );
    expect(await repository.snapshot()).toEqual(before);
  });

  test("speaks of the project's files also when it ran in a folder of it, elsewhere", async () => {
    const files = { ...FILES, "packages/parcels/package.json": "{}\n" };
    await using repository = await temporaryRepository({ files });
    const elsewhere = "/home/user/mono/packages/parcels";
    const file = variant(repository.home, "folder.jsonl", (lines) =>
      lines.map((line) => line.replaceAll("/home/user/parcels", elsewhere)),
    );
    const args = ["review", file, "--reviewer", "offline", "--json"];
    const [proposal] = (await runCli(repository, args)).json().proposals;
    const path = `${proposal?.branch}:.qwen/skills/${proposal?.skill}/SKILL.md`;
    const text = await repository.git("show", path);
    expect(text).toContain("Change `packages/parcels/src/labels.js`");
    expect(text).toContain("`npm test` in `packages/parcels` fails");
    expect(text).not.toContain("/home/user");
  });

  test("the commit is skillpr's and says where it comes from", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const outcome = (await reviewDemo(repository)).json();
    const shown = await repository.git(
      "log",
      "-1",
      "--format=%cn <%ce>%n%an <%ae>%n%B",
      `${outcome.proposals[0]?.branch}`,
    );
    expect(shown).toContain("skillpr <skillpr@skillpr.invalid>\nskillpr <skillpr@skillpr.invalid>");
    expect(shown).toContain(`skill: add ${outcome.proposals[0]?.skill}`);
    expect(shown).toContain(`Skillpr-Session: ${outcome.session?.id}`);
    expect(shown).toContain(`Skillpr-Digest: ${outcome.session?.digest}`);
    expect(shown).toContain("Skillpr-Agent: qwen-code/");
    expect(shown).toContain("Skillpr-Reviewer: offline");
    expect(shown).toContain("Skillpr-Model: none");
  });

  test("the JSON has the fields of the contract", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const outcome = (await reviewDemo(repository)).json();
    expect(Object.keys(outcome).sort()).toEqual([
      "base",
      "evidence",
      "findings",
      "operations",
      "proposals",
      "session",
      "status",
      "usage",
    ]);
    expect(Object.keys(outcome.session ?? {}).sort()).toEqual([
      "agent",
      "digest",
      "id",
      "issuedToolCallCount",
      "skillsModified",
      "subagentToolCallCount",
      "toolCallCount",
    ]);
    expect(Object.keys(outcome.usage ?? {}).sort()).toEqual([
      "durationMs",
      "incomplete",
      "inputTokens",
      "model",
      "outputTokens",
      "requestBytes",
      "reviewer",
      "turns",
    ]);
    expect(outcome.evidence.length).toBeGreaterThan(0);
    for (const row of outcome.evidence) {
      expect(row).toEqual({
        skill: expect.any(String),
        command: expect.any(String),
        turns: expect.any(Array),
        outcome: expect.any(String),
      });
    }
    expect(
      outcome.evidence.some(({ outcome: how, turns }) => how === "success" && turns.length > 0),
    ).toBe(true);
  });
});

describe("again", () => {
  test("the same transcript is not reviewed twice", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const first = (await reviewDemo(repository)).json();
    const refs = await repository.git("for-each-ref");
    const second = await reviewDemo(repository);
    expect(second.code).toBe(0);
    expect(second.json()).toMatchObject({ status: "skipped", skippedReason: "already_reviewed" });
    expect(await repository.git("for-each-ref")).toBe(refs);
    expect(first.status).toBe("proposed");
  });

  test("with --force it is, and changes nothing", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    await reviewDemo(repository);
    const refs = await repository.git("for-each-ref");
    const second = (await reviewDemo(repository, "--force")).json();
    expect(["nothing_to_save", "proposed"]).toContain(second.status);
    for (const { operation } of second.proposals) expect(operation).toBe("unchanged");
    expect(await repository.git("for-each-ref")).toBe(refs);
  });
});

describe("the gate's reasons, each an outcome", () => {
  test("below_threshold", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const outcome = (await reviewDemo(repository, "--threshold", "500")).json();
    expect(outcome).toMatchObject({
      status: "skipped",
      skippedReason: "below_threshold",
      proposals: [],
    });
  });

  test("disabled: by Qwen Code's settings of the project, unless a flag says enabled", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    repository.write(".qwen/settings.json", '{ "memory": { "enableAutoSkill": false } }\n');
    expect((await reviewDemo(repository)).json()).toMatchObject({
      status: "skipped",
      skippedReason: "disabled",
    });
    expect((await reviewDemo(repository, "--enabled")).json().status).toBe("proposed");
  });

  test("disabled: by the repository's .skillpr.yml", async () => {
    await using repository = await temporaryRepository({
      files: { ...FILES, ".skillpr.yml": "enabled: false\n" },
    });
    expect((await reviewDemo(repository)).json()).toMatchObject({
      status: "skipped",
      skippedReason: "disabled",
    });
  });

  test("own_session: a session inside a workspace of skillpr", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const file = variant(repository.home, "own.jsonl", (lines) =>
      lines.map((line) =>
        line.replaceAll(
          "/home/user/parcels",
          "/tmp/skillpr-1000/4242-1772000000000-ab12cd/skillpr",
        ),
      ),
    );
    const result = await runCli(repository, ["review", file, "--reviewer", "offline", "--json"]);
    expect(result.json()).toMatchObject({ status: "skipped", skippedReason: "own_session" });
  });

  test("skills_modified_in_session", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const file = variant(repository.home, "manual.jsonl", (lines) => {
      const edit = lines.findIndex(
        (line) => line.includes('"name":"edit"') || line.includes('"name":"write_file"'),
      );
      return lines.map((line, index) =>
        index === edit
          ? line.replace(/"file_path":"[^"]+"/, '"file_path":".qwen/../.qwen/skills/mine/SKILL.md"')
          : line,
      );
    });
    const result = await runCli(repository, ["review", file, "--reviewer", "offline", "--json"]);
    expect(result.json()).toMatchObject({
      status: "skipped",
      skippedReason: "skills_modified_in_session",
      session: { skillsModified: true },
    });
  });

  test("--force skips the gate", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    expect((await reviewDemo(repository, "--threshold", "500", "--force")).json().status).toBe(
      "proposed",
    );
  });
});

describe("where it goes", () => {
  test("--dry-run prints the diff and leaves no trace", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const args = ["review", DEMO_SESSION, "--reviewer", "offline", "--dry-run"];
    const shown = await runCli(repository, args);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain("+  source: auto-skill");
    expect(await repository.git("for-each-ref", "refs/heads/auto-skill/")).toBe("");
    expect(existsSync(join(repository.dir, ".git/skillpr"))).toBe(false);
    expect((await repository.git("count-objects")).split(" ")[0]).toBe(
      (await repository.git("count-objects")).split(" ")[0],
    );
    expect((await reviewDemo(repository)).json().status).toBe("proposed");
  });

  test("a dry run adds no object to the repository", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const before = await repository.git("count-objects", "-v");
    await reviewDemo(repository, "--dry-run");
    expect(await repository.git("count-objects", "-v")).toBe(before);
  });

  test("--publish none with --out: publish takes it, on another clone too", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const out = join(repository.home, "out");
    const outcome = (await reviewDemo(repository, "--publish", "none", "--out", out)).json();
    expect(outcome.proposals[0]).toMatchObject({ commit: null, operation: "created" });
    expect(await repository.git("for-each-ref", "refs/heads/auto-skill/")).toBe("");
    const skill = outcome.proposals[0]?.skill ?? "";
    expect(readFileSync(join(out, skill, "report.md"), "utf8")).toContain("## Evidence");

    const clone = join(repository.home, "clone");
    await repository.gitIn(repository.home, "clone", "--quiet", repository.dir, clone);
    const there = { ...repository, dir: clone };
    const published = await runCli(there, ["publish", out, "--json"]);
    expect(published).toMatchObject({ code: 0, stderr: "" });
    expect(published.json().proposals[0]).toMatchObject({
      operation: "created",
      tree: outcome.proposals[0]?.tree,
    });
    const again = await runCli(there, ["publish", join(out, skill), "--json"]);
    expect(again.json().proposals[0]?.operation).toBe("unchanged");
  });

  test("--publish none without --out keeps nothing, and the session can be reviewed again", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    expect((await reviewDemo(repository, "--publish", "none")).json().status).toBe("proposed");
    expect((await reviewDemo(repository)).json().proposals[0]?.operation).toBe("created");
  });

  test("--out that is a file is said before the review; publish: none holds for publish too", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const wrong = await reviewDemo(repository, "--out", join(repository.dir, "README.md"));
    expect(wrong.code).toBe(1);
    expect(wrong.json().error?.message).toContain("--out");
    const out = beside(repository, "sealed");
    await reviewDemo(repository, "--publish", "none", "--out", out);
    repository.write(".skillpr.yml", "publish: none\n");
    const published = await runCli(repository, ["publish", out, "--json"]);
    expect(published.code).toBe(1);
    expect(published.json().error?.message).toContain("publish: none");
    expect(await repository.git("for-each-ref", "refs/heads/auto-skill/")).toBe("");
  });

  test("a ledger that can't be written costs a note, not the result", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    mkdirSync(join(repository.dir, ".git/skillpr"));
    writeFileSync(join(repository.dir, ".git/skillpr/reviewed"), "in the way");
    const result = await reviewDemo(repository);
    expect(result.json().proposals[0]?.operation).toBe("created");
    expect(result.stderr).toContain("may be reviewed again");
  });

  test("several transcripts give results, and the exit code is the highest", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const noise = join(repository.home, "noise.jsonl");
    writeFileSync(noise, '{"hello":"world"}\n');
    const args = ["review", DEMO_SESSION, noise, "--reviewer", "offline", "--json"];
    const result = await runCli(repository, args);
    expect(result.code).toBe(1);
    const { results } = result.json<{ results: Outcome[] }>();
    expect(results.map(({ status }) => status)).toEqual(["proposed", "failed"]);
    expect(results[1]?.error?.message).toContain("noise.jsonl");
  });

  test("stdin: -", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const result = await runCli(repository, ["review", "-", "--reviewer", "offline", "--json"], {
      input: readFileSync(DEMO_SESSION, "utf8"),
    });
    expect(result.json().status).toBe("proposed");
  });

  test("--latest and --session find it in Qwen Code's own store", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const text = readFileSync(DEMO_SESSION, "utf8").replaceAll(
      "/home/user/parcels",
      repository.dir,
    );
    const id = JSON.parse(text.split("\n")[0] ?? "").sessionId as string;
    const bucket = repository.dir.replace(/[^a-zA-Z0-9]/g, "-");
    const chats = join(repository.env["HOME"] ?? "", ".qwen/projects", bucket, "chats");
    mkdirSync(chats, { recursive: true });
    writeFileSync(join(chats, `${id}.jsonl`), text);
    const flags = ["--reviewer", "offline", "--json", "--dry-run"];
    const latest = await runCli(repository, ["review", "--latest", ...flags]);
    expect(latest.json()).toMatchObject({ status: "proposed", session: { id } });
    const named = await runCli(repository, ["review", "--session", id, ...flags]);
    expect(named.json()).toMatchObject({ status: "proposed", session: { id } });
    const missing = await runCli(repository, ["review", "--session", "0000", ...flags]);
    expect(missing.code).toBe(1);
  });

  test("another skills root", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const outcome = (await reviewDemo(repository, "--skills-root", ".claude/skills")).json();
    expect(outcome.operations[0]?.path).toMatch(/^\.claude\/skills\//);
  });
});

test("a credential of the process never reaches branch, output or files (invariant 5)", async () => {
  await using repository = await temporaryRepository({ files: FILES });
  // No rule knows this shape: only its being a credential of the process gives it away.
  const secret = "plain words 4711 of ours";
  const file = variant(repository.home, "leaky.jsonl", (lines) =>
    lines.map((line) => line.replaceAll("a shipment is numbered from one", `a shipment ${secret}`)),
  );
  const out = beside(repository, "out");
  const env = { OPENAI_API_KEY: secret };
  const args = ["review", file, "--reviewer", "offline", "--json", "--out", out];
  const result = await runCli(repository, args, { env });
  expect(result.json().status).toBe("proposed");
  expect(result.stdout + result.stderr).not.toContain(secret);
  const { proposals } = result.json();
  const tree = await repository.git("grep", "-I", "auto-skill", proposals[0]?.branch ?? "");
  expect(tree).not.toContain(secret);
  const all = await repository.git("log", "-p", proposals[0]?.branch ?? "");
  expect(all).not.toContain(secret);
  expect(readFileSync(join(out, proposals[0]?.skill ?? "", "proposal.json"), "utf8")).not.toContain(
    secret,
  );
});
