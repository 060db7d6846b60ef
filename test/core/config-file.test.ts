import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import {
  findAgentSwitch,
  parseRepositoryConfig,
  parseSkillsRoot,
  parseUserConfig,
  parseUserFile,
  readIfThere,
  readUserFile,
} from "../../src/core/config-file.ts";
import { SkillprError } from "../../src/core/errors.ts";

const folders: string[] = [];
function temporary(files: Readonly<Record<string, string>> = {}): string {
  const dir = mkdtempSync(join(tmpdir(), "skillpr-config-"));
  folders.push(dir);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}
afterEach(() => {
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true });
});

function errorOf(run: () => unknown): SkillprError {
  try {
    run();
  } catch (error) {
    if (error instanceof SkillprError) return error;
    throw error;
  }
  throw new Error("expected an error");
}

describe("parsing", () => {
  test("the words that people write become the fields of Config", () => {
    const text = "reviewer: offline\nskills-root: .claude/skills/\nmax-turns: 3\ntimeout: 30\n";
    expect(parseUserConfig(text, "config.yml")).toMatchObject({
      reviewer: "offline",
      skillsRoot: ".claude/skills",
      maxTurns: 3,
      timeoutSeconds: 30,
    });
  });

  test("an empty file says nothing", () => {
    expect(
      Object.values(parseUserConfig("# nothing yet\n", "c")).filter((v) => v !== undefined),
    ).toEqual([]);
  });

  test.each([
    ["unknown key", "enabled: true\ntreshold: 5\n", 'line 2: Unrecognized key: "treshold"'],
    ["wrong type", "threshold: many\n", "line 1: threshold: "],
    ["out of bounds", "timeout: 0\n", "timeout"],
    ["wrong choice", "publish: everywhere\n", "publish"],
    ["not YAML", "threshold: [\n", "line"],
    ["duplicate key", "threshold: 1\nthreshold: 2\n", "line 2"],
  ])("%s: the error names file and place", (_name, text, place) => {
    const error = errorOf(() => parseUserConfig(text, "/home/someone/config.yml"));
    expect(error.code).toBe("config");
    expect(error.message).toContain("/home/someone/config.yml");
    expect(error.message).toContain(place);
    expect(error.hint).not.toBe("");
  });

  test("who reviews is not the repository's choice", () => {
    expect(
      errorOf(() => parseRepositoryConfig("reviewer: offline\n", ".skillpr.yml")).message,
    ).toContain("reviewer");
  });
});

test.each(["/etc", "../elsewhere", ".git/hooks", "a//b", "a/../b", ".GIT", "", "skills\nroot"])(
  "%j is no skills root",
  (path) => {
    expect(errorOf(() => parseSkillsRoot(path, "--skills-root")).code).toBe("config");
  },
);

test("a missing user config is no error, an unreadable one is", () => {
  const home = temporary();
  expect(readUserFile({}, home).config).toEqual({});
  const broken = temporary({ ".config/skillpr/config.yml": "enabled: perhaps\n" });
  expect(() => readUserFile({}, broken)).toThrow("enabled");
  const moved = temporary({ "skillpr/config.yml": "threshold: 7\n" });
  expect(readUserFile({ XDG_CONFIG_HOME: moved }, home).config).toMatchObject({
    threshold: 7,
  });
});

test("a pipe is refused unread, and so is a link where the repository could have put one", () => {
  const dir = temporary({ "real.yml": "threshold: 7\n" });
  execFileSync("mkfifo", [join(dir, "pipe.yml")]);
  symlinkSync(join(dir, "real.yml"), join(dir, "link.yml"));
  expect(() => readIfThere(join(dir, "pipe.yml"))).toThrow("no regular file");
  expect(() => readIfThere(join(dir, "link.yml"), false)).toThrow("is a link");
  expect(readIfThere(join(dir, "link.yml"))).toBe("threshold: 7\n");
});

describe("Qwen Code's switch", () => {
  test("a warning about broken settings quotes nothing of them", () => {
    const projectRoot = temporary({ ".qwen/settings.json": '{ "apiKey": key-of-somebody }' });
    const { warnings } = findAgentSwitch({ projectRoot, env: {}, home: temporary() });
    expect(warnings[0]).toContain("not valid JSON");
    expect(warnings[0]).not.toContain("key-of");
  });

  const off = '{\n  // the team decided so\n  "memory": { "enableAutoSkill": false, },\n}';

  test("is found in the project's settings, comments and all", () => {
    const projectRoot = temporary({ ".qwen/settings.json": off });
    const found = findAgentSwitch({ projectRoot, env: {}, home: temporary() });
    expect(found).toEqual({ disabledIn: join(projectRoot, ".qwen/settings.json"), warnings: [] });
  });

  test("is found in the user's settings, also where QWEN_HOME says", () => {
    const home = temporary({ ".qwen/settings.json": off });
    expect(findAgentSwitch({ projectRoot: null, env: {}, home }).disabledIn).toContain(home);
    const other = temporary({ "settings.json": off });
    const env = { QWEN_HOME: other };
    expect(findAgentSwitch({ projectRoot: null, env, home: temporary() }).disabledIn).toContain(
      other,
    );
  });

  test.each([
    ["unset", "{}"],
    ["true", '{"memory":{"enableAutoSkill":true}}'],
    ["odd", "[]"],
  ])("%s does not switch off", (_name, settings) => {
    const projectRoot = temporary({ ".qwen/settings.json": settings });
    const found = findAgentSwitch({ projectRoot, env: {}, home: temporary() });
    expect(found).toEqual({ disabledIn: null, warnings: [] });
  });

  test("settings that can't be understood are a warning, not an error", () => {
    const projectRoot = temporary({ ".qwen/settings.json": "{ memory" });
    const found = findAgentSwitch({ projectRoot, env: {}, home: temporary() });
    expect(found.disabledIn).toBeNull();
    expect(found.warnings[0]).toContain("settings.json");
  });
});

describe("the section pull-request", () => {
  const section = [
    "pull-request:",
    "  labels: [skill]",
    "  team-reviewers: [docs]",
    "  max-open: 2",
    "  stop-label: hands-off",
    "  sign-commits: true",
    "  template: .github/skill.md",
  ].join("\n");

  test("in both files, in the words people write", () => {
    for (const parse of [parseUserConfig, parseRepositoryConfig])
      expect(parse(section, "x.yml").pullRequest).toMatchObject({
        labels: ["skill"],
        teamReviewers: ["docs"],
        maxOpen: 2,
        stopLabel: "hands-off",
        signCommits: true,
        template: ".github/skill.md",
      });
  });

  test("where branches are pushed to is the user's alone, and so is the section github", () => {
    const fork = "pull-request:\n  push-to: kim/parcels\n";
    expect(parseUserConfig(fork, "x.yml").pullRequest).toMatchObject({ pushTo: "kim/parcels" });
    expect(() => parseRepositoryConfig(fork, "x.yml")).toThrow(/push-to/);
    const token = "github:\n  token: example-token\n  server-url: https://ghe.example.com\n";
    expect(() => parseRepositoryConfig(token, "x.yml")).toThrow(/github/);
    const { github, config } = parseUserFile(token, "x.yml");
    expect(github.token()).toBe("example-token");
    expect(JSON.stringify([github, config])).not.toContain("example-token");
  });

  for (const wrong of [
    "template: ../x.md",
    "template: /etc/passwd",
    "max-open: -1",
    "labels: ['']",
  ]) {
    test(`refuses ${wrong}`, () => {
      expect(() => parseRepositoryConfig(`pull-request:\n  ${wrong}\n`, "x.yml")).toThrow(/x\.yml/);
    });
  }
});
