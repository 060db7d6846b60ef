/** What a clone without a memory of its own knows of reviewed sessions. */
import { expect, test } from "vitest";
import { openLedger } from "../src/gate/ledger.ts";
import { openRepository, resolveBase, stateDir } from "../src/git/repository.ts";
import { followRemoteBranches } from "../src/publish/remote-branches.ts";
import { recallReviewed } from "../src/recall-reviewed.ts";
import { temporaryRepository } from "./support/temp-repository.ts";

const digest = (n: number) => `sha256:${String(n).padStart(64, "0")}`;
const message = (n: number, more = "") =>
  `skill: add lesson-${n}\n\nLearned, and verified.\n\nSkillpr-Session: session-${n}\nSkillpr-Digest: ${digest(n)}\nSkillpr-Agent: qwen-code/0.24.4\n${more}`;

test("how far a session was reviewed is recalled where its commit says it", async () => {
  await using origin = await temporaryRepository({ files: { "README.md": "# x\n" } });
  const turns = (n: number) => `Skillpr-Turns: ${n} ${digest(90 + n)}\n`;
  const counted = (n: number) => message(n).replace(/(?<=Skillpr-Digest: .*\n)/, turns(n));
  await origin.commit(`Skills (#7)\n\n* ${counted(5).replaceAll("\n", "\n  ")}`);
  const also = `Skillpr-Session: session-7\nSkillpr-Digest: ${digest(7)}\n${turns(7)}`;
  const bare = `Skillpr-Session: session-8\nSkillpr-Digest: ${digest(8)}\n`;
  await origin.commit(`${counted(6)}${also}${bare}`);
  const repository = await openRepository(origin.dir);
  expect(await recallReviewed(repository, await resolveBase(repository, "main"))).toBe(4);
  const ledger = openLedger(`${stateDir(repository)}/reviewed`);
  for (const n of [5, 6, 7])
    expect(await ledger.ofSession("qwen-code", `session-${n}`, 50)).toMatchObject([
      { digest: digest(n), reviewed: { turns: n, before: digest(90 + n), last: null } },
    ]);
  expect((await ledger.find(digest(8)))?.reviewed).toBeUndefined();
});

test("trailers of the base, of branches and of squashed merges are entered once", async () => {
  await using origin = await temporaryRepository({ files: { "README.md": "# x\n" } });
  await origin.commit(message(1));
  await origin.commit(`Skills (#7)\n\n* ${message(2).replaceAll("\n", "\n  ")}`);
  await origin.git("checkout", "--quiet", "-b", "auto-skill/lesson-3");
  await origin.commit(message(3, `Skillpr-Session: session-4\nSkillpr-Digest: ${digest(4)}\n`));
  await origin.git("update-ref", "refs/heads/auto-skill/No-Skill", "HEAD");
  await origin.git("checkout", "--quiet", "main");
  await origin.gitIn(origin.home, "clone", "--quiet", origin.dir, "clone");

  const repository = await openRepository(`${origin.home}/clone`);
  expect(await followRemoteBranches(repository)).toEqual(["lesson-3"]);
  expect(await followRemoteBranches(repository)).toEqual([]);
  const base = await resolveBase(repository, "origin/main");
  expect(await recallReviewed(repository, base)).toBe(4);
  expect(await recallReviewed(repository, base)).toBe(0);
  const ledger = openLedger(`${stateDir(repository)}/reviewed`);
  expect(await ledger.find(digest(4))).toMatchObject({
    sessionId: "session-4",
    agent: "qwen-code",
    status: "proposed",
    skills: ["lesson-3"],
  });
  expect(await ledger.find(digest(5))).toBeNull();
});
