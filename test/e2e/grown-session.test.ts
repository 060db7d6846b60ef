/** A session that was reviewed and went on, on the built program: what is new is the subject. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { reviewBy, skillText } from "../support/auto-skill.ts";
import { reviewDemo, runCli } from "../support/built-cli.ts";
import { ANOTHER_LESSON, grownDemo } from "../support/grown-session.ts";
import { calls, scriptedModel } from "../support/scripted-model.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const FILES = { "README.md": "# parcels\n" };
const LOOK = { run: "git status --short", output: "", exitCode: 0 };

const offline = (repository: TemporaryRepository, file: string, ...flags: string[]) =>
  runCli(repository, ["review", file, "--reviewer", "offline", "--json", ...flags]);
const branches = (repository: TemporaryRepository) =>
  repository.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads/auto-skill");

describe("without a model", () => {
  test("the same lesson is not proposed twice, and its branch stays where it is", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    expect((await reviewDemo(repository)).json().status).toBe("proposed");
    const before = await branches(repository);
    const grown = grownDemo(repository.home, "grown.jsonl", [LOOK, "Nothing is left to do."]);
    const { code, ...result } = await offline(repository, grown);
    expect(code).toBe(0);
    expect(result.json()).toMatchObject({
      status: "nothing_to_save",
      detail: "what the session solved was reviewed before, and nothing was solved since",
      proposals: [],
    });
    expect(await branches(repository)).toBe(before);
    expect((await offline(repository, grown)).json()).toMatchObject({
      status: "skipped",
      skippedReason: "already_reviewed",
    });
  });

  test("nor when a person accepted it meanwhile, or turned it down", async () => {
    for (const decision of ["accept", "reject"]) {
      await using repository = await temporaryRepository({ files: FILES });
      const [proposal] = (await reviewDemo(repository)).json().proposals;
      await runCli(repository, [decision, `${proposal?.skill}`]);
      const before = await branches(repository);
      const grown = grownDemo(repository.home, "grown.jsonl", [LOOK, "Done."]);
      expect((await offline(repository, grown)).json().status).toBe("nothing_to_save");
      expect(await branches(repository)).toBe(before);
    }
  });

  test("a new lesson gets its own proposal, and the first one's branch stays where it is", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const [first] = (await reviewDemo(repository)).json().proposals;
    const grown = grownDemo(repository.home, "grown.jsonl", ANOTHER_LESSON);
    const outcome = (await offline(repository, grown)).json();
    expect(outcome.status).toBe("proposed");
    expect(outcome.proposals).toHaveLength(1);
    const [second] = outcome.proposals;
    expect(second).toMatchObject({ operation: "created" });
    expect(second?.skill).toContain("dates");
    expect(await branches(repository)).toContain(`auto-skill/${first?.skill} ${first?.commit}`);
    const once = (await offline(repository, grown, "--force")).json();
    // Asked for once more by hand, all of it is reviewed, and nothing new comes of it.
    expect(once).toMatchObject({ status: "nothing_to_save" });
  });

  test("a session whose beginning is another one is reviewed whole", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    expect((await reviewDemo(repository)).json().status).toBe("proposed");
    const grown = grownDemo(repository.home, "grown.jsonl", [LOOK, "Done."]);
    const text = readFileSync(grown, "utf8").replace('"Run the tests."', '"Run all of them."');
    writeFileSync(grown, text);
    const outcome = (await offline(repository, grown)).json();
    // Looked at again, and known: not passed over as reviewed before.
    expect(outcome.detail).toMatch(/^the lesson is in the skill \S+ already$/);
  });

  test("a dry run leaves nothing by which growth would be seen", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    await reviewDemo(repository, "--dry-run");
    const grown = grownDemo(repository.home, "grown.jsonl", [LOOK, "Done."]);
    expect((await offline(repository, grown)).json().status).toBe("proposed");
  });
});

describe("with a model", () => {
  test("it is told which turns are new, and the next growth counts from there", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const path = ".qwen/skills/label-tests/SKILL.md";
    await using model = await scriptedModel([
      calls(["write_file", { file_path: path, content: skillText("label-tests") }]),
      "Done.",
      "Nothing to save.",
      "Nothing to save.",
    ]);
    const told = (request: number) =>
      /The turns from `(t\d+)` on are new/.exec(model.requests[request]?.text ?? "")?.[1];
    expect((await reviewBy(model, repository)).json().status).toBe("proposed");
    expect(told(0)).toBeUndefined();
    const more = [LOOK, "Done."];
    const transcript = grownDemo(repository.home, "grown.jsonl", more);
    const again = await reviewBy(model, repository, [], { transcript });
    expect(again.json().status).toBe("nothing_to_save");
    const first = told(2);
    expect(model.requests[2]?.text).toContain(`${first} user\\n  Go on with the dates, please.`);
    const later = grownDemo(repository.home, "later.jsonl", [...more, ...ANOTHER_LESSON]);
    await reviewBy(model, repository, [], { transcript: later });
    expect(Number(told(3)?.slice(1))).toBe(Number(first?.slice(1)) + more.length + 1);
  });
});

test("what the ledger keeps of it is private, and its names say nothing", async () => {
  await using repository = await temporaryRepository({ files: FILES });
  const { session } = (await reviewDemo(repository)).json();
  const marks = join(repository.dir, ".git/skillpr/reviewed/sessions");
  const names = readdirSync(marks, { recursive: true, encoding: "utf8" });
  expect(names).toHaveLength(2);
  expect(names.join(" ")).not.toContain(session?.id ?? "none");
});
