import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { commitMessage } from "../../src/publish/commit-message.ts";
import { isOurs } from "../../src/publish/identity.ts";
import { sampleProposal } from "../proposal/sample-proposal.ts";

const template = readFileSync(
  resolve(import.meta.dirname, "../../templates/commit-message.txt"),
  "utf8",
);

test("title, one sentence, trailers", () => {
  expect(commitMessage(template, sampleProposal())).toMatchInlineSnapshot(`
    "skill: add release-flow

    Learned from a qwen-code/0.24.4 session by skillpr's offline reviewer, and verified.

    Skillpr-Session: 11111111-1111-4111-8111-111111111111
    Skillpr-Digest: sha256:cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc
    Skillpr-Agent: qwen-code/0.24.4
    Skillpr-Reviewer: offline
    Skillpr-Model: none
    "
  `);
});

test("how far the sessions were reviewed stands below their digests", () => {
  const { session } = sampleProposal();
  const reviewed = { turns: 42, before: `sha256:${"e".repeat(64)}` };
  const other = { ...session, id: "other", digest: `sha256:${"f".repeat(64)}`, reviewed };
  const alsoFrom = [{ session: other, evidence: [] }];
  const message = commitMessage(
    template,
    sampleProposal({ session: { ...session, reviewed }, alsoFrom }),
  );
  expect(message.match(/^Skillpr-Digest: .*\nSkillpr-Turns: 42 sha256:e{64}$/gm)).toHaveLength(2);
});

test("what a session says of itself can't mention, close, or forge a trailer (invariant 7)", () => {
  const session = {
    ...sampleProposal().session,
    id: "x\nSkillpr-Session: forged",
    agent: "@someone fixes #7",
    agentVersion: "{digest}",
  };
  const usage = { ...sampleProposal().usage, model: "m\r\nCo-authored-by: Eve <eve@example.com>" };
  const message = commitMessage(template, sampleProposal({ session, usage }));
  expect(message).not.toMatch(/@|#7|Eve <|^Co-authored-by|^Skillpr-Session: forged/m);
  expect(message.match(/sha256:/g)).toHaveLength(1);
});

test("ours is what skillpr committed and nobody changed since", () => {
  const message = commitMessage(template, sampleProposal());
  const committer = { name: "skillpr", email: "skillpr@skillpr.invalid", date: null };
  expect(isOurs({ committer, message })).toBe(true);
  expect(isOurs({ committer: { ...committer, email: "kim@example.com" }, message })).toBe(false);
  expect(isOurs({ committer, message: "a commit of somebody who took the name\n" })).toBe(false);
});

test.each([
  ["https://github.com/owner/repo/issues/1", "https-github.com/owner/repo/issues/1"],
  ["GH-12", "GH_12"],
  ["closes gh-1", "closes-gh_1"],
  ["owner/repo#3", "owner/repo-3"],
  ["www.example.com", "www_example.com"],
  ["@org/team", "org/team"],
])("no reference that GitHub follows: %s", (id, word) => {
  const session = { ...sampleProposal().session, id };
  const message = commitMessage(template, sampleProposal({ session }));
  expect(message).toContain(`Skillpr-Session: ${word}\n`);
});
