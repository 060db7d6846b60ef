/** The sessions recorded by the real Qwen Code, through the built command line, in their repository. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../support/built-cli.ts";
import { temporaryRepository } from "../support/temp-repository.ts";

const CASES = resolve(import.meta.dirname, "../../../shared/cases/qwen-real");

describe.skipIf(!existsSync(CASES))("qwen-real", () => {
  test.each([
    ["arc", { status: "proposed" }],
    ["low", { status: "skipped", skippedReason: "below_threshold" }],
    ["manual", { status: "skipped", skippedReason: "skills_modified_in_session" }],
  ])("%s.jsonl", async (name, outcome) => {
    await using around = await temporaryRepository();
    const dir = join(around.home, "report");
    execFileSync("sh", [join(CASES, "make-repo.sh"), dir], { env: around.env });
    const before = execFileSync("git", ["status", "--porcelain", "--branch"], { cwd: dir });
    const args = [
      "review",
      join(CASES, `${name}.jsonl`),
      "--reviewer",
      "offline",
      "--repo",
      dir,
      "--json",
    ];
    const result = await runCli(around, args);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.json()).toMatchObject(outcome);
    expect(execFileSync("git", ["status", "--porcelain", "--branch"], { cwd: dir })).toEqual(
      before,
    );
    const branches = execFileSync("git", ["branch", "--list", "auto-skill/*"], {
      cwd: dir,
      encoding: "utf8",
    });
    expect(branches.trim()).toBe(name === "arc" ? "auto-skill/npm-test-fails-src-report" : "");
  });
});
