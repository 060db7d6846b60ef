import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PROPOSAL_MAX_BYTES } from "../../src/core/limits.ts";
import {
  readProposals,
  recallProposal,
  rememberProposal,
  writeProposals,
} from "../../src/proposal/proposal-files.ts";
import { sampleProposal } from "./sample-proposal.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "skillpr-proposals-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test("what is written is read back, a folder each or one by one", async () => {
  const two = [sampleProposal({ skill: "b-skill" }), sampleProposal({ skill: "a-skill" })];
  await writeProposals(dir, two);
  expect((await readProposals(dir)).map(({ skill }) => skill)).toEqual(["a-skill", "b-skill"]);
  expect(await readProposals(join(dir, "b-skill"))).toEqual([two[0]]);
});

test("skillpr's own memory is private, and knows only what it was told", async () => {
  const proposal = sampleProposal();
  await rememberProposal(dir, "d".repeat(40), proposal);
  expect(await recallProposal(dir, "d".repeat(40))).toEqual(proposal);
  expect(await recallProposal(dir, "e".repeat(40))).toBeNull();
  expect(statSync(join(dir, "proposals", `${"d".repeat(40)}.json`)).mode & 0o777).toBe(0o600);
});

test("a huge file is refused unread", async () => {
  writeFileSync(join(dir, "proposal.json"), " ".repeat(PROPOSAL_MAX_BYTES + 1));
  await expect(readProposals(dir)).rejects.toThrow("too large");
});

test("too many proposals at once are refused", async () => {
  await writeProposals(
    dir,
    Array.from({ length: 9 }, (_, n) => sampleProposal({ skill: `skill-${n}` })),
  );
  await expect(readProposals(dir)).rejects.toThrow("at most 8");
});

test.each([
  [
    "a wrong digest",
    { session: { ...sampleProposal().session, digest: "sha256:short" } },
    "session.digest",
  ],
  ["a name that is no skill's", { skill: "Not A Name" }, "skill"],
  ["a name with a slash", { skill: "a/b" }, "skill"],
  ["a tree that is no id", { tree: "HEAD" }, "tree"],
  [
    "an unknown outcome",
    { evidence: [{ skill: "a", command: "x", turns: [], outcome: "great" }] },
    "evidence.0.outcome",
  ],
] as const)("%s is refused by field", async (_name, over, field) => {
  writeFileSync(join(dir, "proposal.json"), JSON.stringify({ ...sampleProposal(), ...over }));
  await expect(readProposals(dir)).rejects.toThrow(`${field}:`);
});

test("the report beside it can't be broken out of", async () => {
  const proposal = sampleProposal({
    why: "see @someone, closes #1 <script>alert(1)</script>\n# Heading",
    evidence: [
      { skill: "release-flow", command: "echo `a` | tee b", turns: ["t1"], outcome: "failure" },
    ],
    files: [{ path: "SKILL.md", content: "```\n````\n<!-- hidden -->\n" }],
  });
  await writeProposals(dir, [proposal]);
  const report = readFileSync(join(dir, "release-flow/report.md"), "utf8");
  expect(report).not.toMatch(/^# Heading|(?<!`)<script>|(?<!`)@someone|closes #1/m);
  expect(report).toContain("| ``echo `a` \\| tee b`` | failed in t1 |");
  expect(report).toContain("`````markdown\n```\n````\n<!-- hidden -->\n`````");
});
