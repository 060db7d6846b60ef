/** A session that is reflected on again gives its marks once, whatever was killed. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SkillbookOutcome } from "../../src/skillbook-outcome.ts";
import { ADD, ID, tag } from "../skills/skillbook-samples.ts";
import { runCli } from "../support/built-cli.ts";
import { scriptedModel } from "../support/scripted-model.ts";
import {
  BRANCH,
  bookAt,
  LEARNING,
  managed,
  project,
  reflected,
  review,
  sessionSaying,
} from "../support/skillbook-review.ts";
import type { TemporaryRepository } from "../support/temp-repository.ts";

/** What a run leaves that is killed after its commit, or after its marks were kept, and before its entry in the ledger. */
function forgetReviewed(repository: TemporaryRepository): void {
  rmSync(join(repository.dir, ".git/skillpr/reviewed"), { recursive: true });
}

describe("a session that is reflected on again counts once", () => {
  async function citing(repository: TemporaryRepository, id = "citing") {
    return sessionSaying(repository, id, `I did as [${ID}] says.`);
  }

  async function marksAt(repository: TemporaryRepository) {
    return (await bookAt(repository, BRANCH)).skills[ID]?.helpful_count;
  }

  async function withStrategy(): Promise<TemporaryRepository> {
    const repository = await project();
    await apply(repository, ADD);
    await runCli(repository, ["accept", "skillbook"]);
    return repository;
  }

  async function apply(repository: TemporaryRepository, operation: object): Promise<void> {
    const batch = join(repository.home, "batch.json");
    writeFileSync(batch, JSON.stringify([operation]));
    expect((await runCli(repository, ["apply", batch])).code).toBe(0);
  }

  it("killed between the branch and the ledger, proposed or accepted, or named twice", async () => {
    await using repository = await withStrategy();
    const session = await citing(repository);
    const answers = [
      reflected([LEARNING], []),
      managed({ ...ADD, issue: "New.", reflection_index: 0 }, { ...tag(1), reflection_index: 0 }),
    ];
    await using model = await scriptedModel(answers);
    const copy = join(repository.home, "copy.jsonl");
    writeFileSync(copy, readFileSync(session));
    await review(repository, model, [session, copy]);
    expect(await marksAt(repository)).toBe(1);
    forgetReviewed(repository);
    await using again = await scriptedModel([
      reflected([]),
      managed(tag(1)),
      reflected([LEARNING]),
      managed({ ...ADD, issue: "Newer." }, tag(1)),
    ]);
    const outcome = (
      await review(repository, again, [session], "--force")
    ).json<SkillbookOutcome>();
    expect(outcome.warnings.join()).toContain("1 mark of the same session came earlier");
    expect(await marksAt(repository)).toBe(1);
    await runCli(repository, ["accept", "skillbook"]);
    forgetReviewed(repository);
    await review(repository, again, [session], "--force");
    expect(again.requests).toHaveLength(4);
    expect(await marksAt(repository)).toBe(1);
    // Another session's marks do come.
    await using other = await scriptedModel([reflected([]), managed(tag(1))]);
    await review(repository, other, [await citing(repository, "other")]);
    expect(await marksAt(repository)).toBe(2);
  });

  it("killed after its marks were kept, also when they came with another change since", async () => {
    await using repository = await withStrategy();
    const session = await citing(repository);
    const marks = () => scriptedModel([reflected([]), managed(tag(1))]);
    for (let run = 0; run < 2; run++) {
      await using model = await marks();
      const outcome = await review(repository, model, [session], "--force");
      expect(outcome.json()).toMatchObject({ waiting: 1 });
      forgetReviewed(repository);
    }
    await apply(repository, { ...ADD, issue: "Another." });
    expect(await marksAt(repository)).toBe(1);
    await using model = await marks();
    await review(repository, model, [session], "--force");
    expect(model.requests).toHaveLength(2);
    expect(await marksAt(repository)).toBe(1);
  });

  /** The session went on: somebody said something, and the agent answered. */
  function grown(path: string, words = "They are written."): void {
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    const last = JSON.parse(lines.at(-1) ?? "{}");
    const turn = (uuid: string, parentUuid: string, type: string, role: string, text: string) =>
      JSON.stringify({ ...last, uuid, parentUuid, type, message: { role, parts: [{ text }] } });
    const [asked, said] = [`${last.uuid}-asked`, `${last.uuid}-said`];
    const more = [
      turn(asked, last.uuid, "user", "user", "And the notes?"),
      turn(said, asked, "assistant", "model", words),
    ];
    writeFileSync(path, `${[...lines, ...more].join("\n")}\n`);
  }

  it.each([
    ["the ledger knows", (_: TemporaryRepository) => {}],
    ["only the file does", forgetReviewed],
  ])(
    "it went on and cites again: the same mark counts once, another one counts; %s",
    async (_, then) => {
      await using repository = await withStrategy();
      const session = await citing(repository);
      const said = (delta: number, reason: string) => ({ ...tag(delta), reason });
      const content = { ...ADD, issue: "New.", reflection_index: 0 };
      await using model = await scriptedModel([
        reflected([LEARNING]),
        managed(content, said(1, "It helped.")),
        reflected([]),
        managed(said(1, "It helped again.")),
        reflected([]),
        managed(said(-1, "It misled.")),
      ]);
      await review(repository, model, [session]);
      const marks = async () => (await bookAt(repository, BRANCH)).skills[ID];
      expect(await marks()).toMatchObject({ helpful_count: 1, harmful_count: 0 });
      then(repository);
      grown(session, `Again as [${ID}] says.`);
      const again = (
        await review(repository, model, [session], "--threshold", "0")
      ).json<SkillbookOutcome>();
      expect(again.warnings.join()).toContain("1 mark of a session that went on came before");
      expect(await marks()).toMatchObject({ helpful_count: 1, harmful_count: 0 });
      then(repository);
      grown(session, `[${ID}] was wrong here.`);
      await review(repository, model, [session], "--threshold", "0");
      expect(model.requests).toHaveLength(6);
      expect(await marks()).toMatchObject({ helpful_count: 1, harmful_count: 1 });
    },
  );

  it.each([
    ["its marks wait", false],
    ["its marks came with another change", true],
  ])("killed, and it went on since: what was marked isn't marked again; %s", async (_, comes) => {
    await using repository = await withStrategy();
    const session = await citing(repository);
    await using first = await scriptedModel([reflected([]), managed(tag(1))]);
    await review(repository, first, [session]);
    if (comes) await apply(repository, { ...ADD, issue: "Another." });
    forgetReviewed(repository);
    await using none = await scriptedModel([]);
    expect((await review(repository, none, [session])).json()).toMatchObject({
      status: "skipped",
      skippedReason: "already_reviewed",
    });
    forgetReviewed(repository);
    grown(session);
    await using again = await scriptedModel([reflected([])]);
    const outcome = (await review(repository, again, [session], "--threshold", "0")).json();
    expect(outcome).toMatchObject({ status: "nothing_to_save" });
    expect(again.requests).toHaveLength(1);
    if (!comes) await apply(repository, { ...ADD, issue: "Another." });
    expect(await marksAt(repository)).toBe(1);
  });
});
