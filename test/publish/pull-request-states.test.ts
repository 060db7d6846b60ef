/** One test per state of a proposal's branch and pull request, on a real remote and a GitHub over HTTP. */
import { describe, expect, test } from "vitest";
import { BRANCH, pullRequestWorld } from "../support/pull-request-world.ts";

describe("the first time", () => {
  test("no branch: it is created with the verified commit, and a pull request is opened", async () => {
    await using world = await pullRequestWorld();
    const proposal = await world.propose();
    const before = await world.local.snapshot();
    const { result, requests } = await world.count(() => world.publish(proposal));
    expect(result.error).toBeUndefined();
    expect(result.proposals[0]).toMatchObject({
      operation: "created",
      pullRequest: { number: 1, operation: "created", url: expect.stringContaining("/pull/1") },
    });
    expect(requests).toBeLessThanOrEqual(8);
    const local = await world.local.git("rev-parse", BRANCH);
    expect(world.at()).toBe(local);
    const [pull] = await world.github.pulls("open");
    expect(pull).toMatchObject({ title: "skill: add release-flow", draft: false });
    expect(await world.local.snapshot()).toEqual(before);
  });

  test("our branch, same tree: unchanged, without a single write", async () => {
    await using world = await pullRequestWorld();
    const proposal = await world.propose();
    await world.publish(proposal);
    const tip = world.at();
    const { result, requests, writes } = await world.count(() => world.open(proposal));
    expect(result).toMatchObject({ number: 1, operation: "unchanged" });
    expect(writes).toBe(0);
    expect(requests).toBeLessThanOrEqual(4);
    expect(world.at()).toBe(tip);
  });
});
