import { describe, expect, test } from "vitest";
import { type ConfigSources, resolveConfig } from "../../src/core/config.ts";

const sources = (over: Partial<ConfigSources> = {}): ConfigSources => ({
  flags: {},
  user: {},
  repository: {},
  disabledInAgentSettings: null,
  ...over,
});

describe("precedence", () => {
  test("defaults are the contract's", () => {
    expect(resolveConfig(sources()).config).toEqual({
      enabled: true,
      disabledBy: null,
      skillsRoot: ".qwen/skills",
      base: null,
      reviewer: "auto-skill",
      publish: "branch",
      threshold: 20,
      trigger: "count",
      marker: "metadata",
      maxTurns: 8,
      timeoutSeconds: 120,
      rules: { own: {}, floor: {} },
      pullRequest: {
        labels: [],
        reviewers: [],
        teamReviewers: [],
        assignees: [],
        milestone: null,
        draft: false,
        template: null,
        maxOpen: 5,
        stopLabel: "stop",
        signCommits: false,
        pushTo: null,
      },
    });
  });

  test("a repository says what its pull requests are like, and only tightens the rest", () => {
    const user = { pullRequest: { labels: ["mine"], maxOpen: 3, draft: true } };
    const repository = {
      pullRequest: { labels: ["skill"], maxOpen: 9, draft: false, signCommits: true, milestone: 2 },
    };
    const { config, warnings } = resolveConfig(sources({ user, repository }));
    expect(config.pullRequest).toMatchObject({
      labels: ["skill"],
      milestone: 2,
      maxOpen: 3,
      draft: true,
      signCommits: true,
      pushTo: null,
    });
    expect(warnings).toHaveLength(2);
    expect(warnings.join()).toContain("pull-request.max-open: 9");
    const tighter = { pullRequest: { maxOpen: 1 } };
    const flags = { pullRequest: { pushTo: "kim/parcels" } };
    expect(
      resolveConfig(sources({ user, repository: tighter, flags })).config.pullRequest,
    ).toMatchObject({
      maxOpen: 1,
      pushTo: "kim/parcels",
    });
  });

  test("a flag wins over the user's file", () => {
    const { config } = resolveConfig(sources({ flags: { threshold: 5 }, user: { threshold: 9 } }));
    expect(config.threshold).toBe(5);
  });

  test("what is the project's comes from the repository, unless a flag says otherwise", () => {
    const repository = { skillsRoot: ".claude/skills", base: "develop" };
    expect(resolveConfig(sources({ repository })).config).toMatchObject(repository);
    const flags = { skillsRoot: ".agents/skills" };
    expect(resolveConfig(sources({ repository, flags })).config.skillsRoot).toBe(".agents/skills");
  });
});

describe("a repository may only tighten", () => {
  test.each([
    ["threshold", { threshold: 50 }, { threshold: 5 }, 20],
    ["maxTurns", { maxTurns: 2 }, { maxTurns: 50 }, 8],
    ["timeoutSeconds", { timeoutSeconds: 10 }, { timeoutSeconds: 900 }, 120],
    ["publish", { publish: "none" }, { publish: "pr" }, "branch"],
  ] as const)("%s", (field, tighter, looser, own) => {
    const tightened = resolveConfig(sources({ repository: tighter }));
    expect(tightened.config[field]).toBe(Object.values(tighter)[0]);
    expect(tightened.warnings).toEqual([]);
    const loosened = resolveConfig(sources({ repository: looser }));
    expect(loosened.config[field]).toBe(own);
    expect(loosened.warnings).toHaveLength(1);
  });

  test("it may switch reviews off, even against a flag, but not on", () => {
    const off = resolveConfig(
      sources({ repository: { enabled: false }, flags: { enabled: true } }),
    );
    expect(off.config.enabled).toBe(false);
    const on = resolveConfig(sources({ repository: { enabled: true }, user: { enabled: false } }));
    expect(on.config.enabled).toBe(false);
    expect(on.warnings).toHaveLength(1);
  });
});

describe("the agent's own switch", () => {
  const disabledInAgentSettings = "/home/someone/.qwen/settings.json";

  test("turns reviews off and is named", () => {
    const { config } = resolveConfig(sources({ disabledInAgentSettings }));
    expect(config.enabled).toBe(false);
    expect(config.disabledBy).toContain(disabledInAgentSettings);
  });

  test("unless the user's own config or a flag says enabled", () => {
    const byUser = resolveConfig(sources({ disabledInAgentSettings, user: { enabled: true } }));
    const byFlag = resolveConfig(sources({ disabledInAgentSettings, flags: { enabled: true } }));
    expect([byUser.config.enabled, byFlag.config.enabled]).toEqual([true, true]);
  });
});
