import { describe, expect, test } from "vitest";
import { resolveConfig } from "../../src/core/config.ts";
import { parseRepositoryConfig, parseUserConfig } from "../../src/core/config-file.ts";
import { SkillprError } from "../../src/core/errors.ts";
import { withLevels } from "../../src/verify/levels.ts";
import { verify } from "../../src/verify/verify.ts";
import { FLOW, inputOf, ROOT, skillText } from "../verify/verify-input.ts";

const rules = (lines: string) => `rules:\n${lines.replace(/^/gm, "  ")}\n`;

function configOf(user: string, repository: string) {
  const { config } = resolveConfig({
    flags: {},
    user: parseUserConfig(user, "config.yml"),
    repository: parseRepositoryConfig(repository, ".skillpr.yml"),
    disabledInAgentSettings: null,
  });
  return config.rules;
}

function levelsOf(user: string, repository: string): string[] {
  const body = "TODO: more\n\nOpen /home/robin/parcels/a.";
  const input = inputOf({
    next: { [FLOW]: skillText("release-flow", { body }), [`${ROOT}/x.txt`]: "x" },
  });
  return verify({ ...input, levels: configOf(user, repository) })
    .filter(({ rule }) => !rule.startsWith("secret.")) // the name in the path is personal, too
    .map(({ rule, level }) => `${rule} ${level}`);
}

const PATH = "structure.path error";

describe("rules in the configs", () => {
  test("without them the rules speak for themselves", () => {
    expect(levelsOf("", "")).toEqual([
      "quality.placeholder warning",
      "quality.machine-path warning",
      PATH,
    ]);
  });

  test("the user's set the level of rules about content, one before all of a kind", () => {
    const user = rules('quality.*: "off"\nquality.placeholder: error');
    expect(levelsOf(user, "")).toEqual(["quality.placeholder error", PATH]);
  });

  test("the repository's raise them, whatever the user says, and lower none", () => {
    const repository = rules("quality.*: warning\nquality.placeholder: error");
    expect(levelsOf(rules('quality.*: "off"'), repository)).toEqual([
      "quality.placeholder error",
      "quality.machine-path warning",
      PATH,
    ]);
    expect(levelsOf(rules("quality.placeholder: error"), rules("quality.*: warning"))).toContain(
      "quality.placeholder error",
    );
  });

  test.each([
    ["structure.path: warning", "structure can't be lowered"],
    ["structure.*: 'off'", "structure can't be lowered"],
    ["quality: error", "is no rule's name"],
    ["quality.*.x: error", "is no rule's name"],
    ["'*': error", "is no rule's name"],
    ["attack.overide: error", "is no rule's name"],
    ["atack.*: error", "is no rule's name"],
    ["quality.placehoder: 'off'", "is no rule's name"],
    ["structure.pathh: error", "is no rule's name"],
    ["attack.not-yet-known: error", "is no rule's name"],
    ["quality.placeholder: none", "rules.quality.placeholder"],
  ])("refuses %s in both files", (line, message) => {
    for (const parse of [parseUserConfig, parseRepositoryConfig]) {
      const attempt = () => parse(rules(line), "the-file.yml");
      expect(attempt).toThrow(SkillprError);
      expect(attempt).toThrow(message);
      expect(attempt).toThrow("the-file.yml");
    }
  });

  test.each([
    ["attack.overide", "did you mean attack.override?"],
    ["atack.*", "did you mean attack.*?"],
    ["quality.placehoder", "did you mean quality.placeholder?"],
    ["attack.something-quite-different", "a rule of a newer skillpr needs that version"],
  ])("says what to write instead of %s", (rule, hint) => {
    const parse = () => parseRepositoryConfig(rules(`${rule}: error`), ".skillpr.yml");
    expect(parse).toThrow(expect.objectContaining({ hint: expect.stringContaining(hint) }));
  });

  test("refuses a repository that switches a rule off", () => {
    const line = rules("attack.*: 'off'");
    expect(() => parseRepositoryConfig(line, ".skillpr.yml")).toThrow("can only raise");
    expect(() => parseUserConfig(line, "config.yml")).not.toThrow();
  });

  test("a finding that isn't changed is the same object", () => {
    const [finding] = verify(inputOf({ next: { "x.txt": "x" } }));
    expect(withLevels(finding ? [finding] : [], configOf("", ""))[0]).toBe(finding);
  });
});
