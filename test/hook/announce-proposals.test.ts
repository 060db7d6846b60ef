import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ANNOUNCED_NAMES_MAX } from "../../src/core/limits.ts";
import { announceProposals } from "../../src/hook/announce-proposals.ts";
import { queueFolders } from "../../src/hook/queue-files.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const files = { "README.md": "text\n" };

/** What the worker leaves behind: the list, and (by default) the branches. */
async function propose(repository: TemporaryRepository, skills: readonly string[]) {
  const commit = await repository.git("rev-parse", "HEAD");
  for (const skill of skills) await repository.git("update-ref", branch(skill), commit);
  list(
    repository,
    skills.map((skill) => ({ skill, commit })),
  );
  return commit;
}

const branch = (skill: string) => `refs/heads/auto-skill/${skill}`;

function foldersOf(repository: TemporaryRepository) {
  return queueFolders(join(repository.dir, ".git/skillpr"));
}

function list(repository: TemporaryRepository, proposals: unknown): void {
  const folders = foldersOf(repository);
  mkdirSync(folders.queue, { recursive: true });
  writeFileSync(folders.waiting, JSON.stringify({ proposals }));
}

const announce = (repository: TemporaryRepository) =>
  announceProposals(foldersOf(repository), join(repository.dir, ".git"));

describe("announceProposals", () => {
  test("is silent without a queue, a list or a proposal", async () => {
    await using repository = await temporaryRepository({ files });
    expect(announce(repository)).toBeNull();
    list(repository, []);
    expect(announce(repository)).toBeNull();
    expect(readdirSync(foldersOf(repository).queue)).toEqual(["waiting.json"]);
  });

  test.each(["loose", "packed"])("tells %s branches, once", async (kind) => {
    await using repository = await temporaryRepository({ files });
    await propose(repository, ["release-flow", "flaky-tests"]);
    if (kind === "packed") await repository.git("pack-refs", "--all", "--prune");
    expect(announce(repository)).toBe(
      "2 skill proposals are waiting: release-flow, flaky-tests — skillpr list",
    );
    expect(announce(repository)).toBeNull();
  });

  test("tells a proposal again when it has a new commit", async () => {
    await using repository = await temporaryRepository({ files });
    await propose(repository, ["release-flow", "flaky-tests"]);
    announce(repository);
    await repository.commit("more");
    await propose(repository, ["release-flow"]);
    expect(announce(repository)).toBe("1 skill proposal is waiting: release-flow — skillpr list");
  });

  test("says nothing of a branch that is gone or has moved since the worker looked", async () => {
    await using repository = await temporaryRepository({ files });
    const commit = await propose(repository, ["gone", "moved", "packed-then-moved"]);
    await repository.git("pack-refs", "--all", "--prune");
    const later = await repository.commit("more");
    await repository.git("update-ref", "-d", branch("gone"));
    for (const skill of ["moved", "packed-then-moved"])
      await repository.git("update-ref", branch(skill), later);
    expect(announce(repository)).toBeNull();
    expect(commit).not.toBe(later);
  });

  test("is silent where the refs are in a form of their own", async () => {
    await using repository = await temporaryRepository({ files });
    await propose(repository, ["release-flow"]);
    const heads = join(repository.dir, ".git/refs/heads");
    rmSync(heads, { recursive: true });
    writeFileSync(heads, "this repository uses the reftable format\n");
    expect(announce(repository)).toBeNull();
  });

  test("only valid names and ids count, whatever stands in the list", async () => {
    await using repository = await temporaryRepository({ files });
    const commit = await propose(repository, ["good"]);
    const bad = ["../x", "a b", "\u001b[31mred", "Upper", "x".repeat(65), "con", "", 7, null];
    list(repository, [
      ...bad.map((skill) => ({ skill, commit })),
      { skill: "good", commit: "../../x" },
      "text",
      null,
      { skill: "good", commit },
    ]);
    expect(announce(repository)).toBe("1 skill proposal is waiting: good — skillpr list");
    for (const proposals of [null, "text", { skill: "good", commit }]) {
      list(repository, proposals);
      expect(announce(repository)).toBeNull();
    }
    writeFileSync(foldersOf(repository).waiting, "{");
    expect(announce(repository)).toBeNull();
  });

  test("names a few of many", async () => {
    await using repository = await temporaryRepository({ files });
    const skills = Array.from({ length: ANNOUNCED_NAMES_MAX + 3 }, (_, n) => `skill-${n}`);
    await propose(repository, skills);
    const shown = skills.slice(0, ANNOUNCED_NAMES_MAX).join(", ");
    expect(announce(repository)).toBe(
      `${skills.length} skill proposals are waiting: ${shown} and 3 more — skillpr list`,
    );
    expect(announce(repository)).toBeNull();
  });
});
