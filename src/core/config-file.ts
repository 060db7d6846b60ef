/**
 * Reads the files that Config is made of: the user's, the repository's, the agent's settings. At once: they are
 * small, and the hook has no time to wait.
 * A mistake in one of ours is an error that names file and field; the agent's files are not ours,
 * so what can't be read there is a warning.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { saysOff } from "./agent-switch.ts";
import { MARKERS, PUBLISH_TARGETS, REVIEWERS, TRIGGERS } from "./choices.ts";
import type { RepositoryConfig, UserConfig } from "./config.ts";
import { hasCode, SkillprError } from "./errors.ts";
import { parseJsonWithComments } from "./json-with-comments.ts";
import * as limits from "./limits.ts";
import {
  PullRequestSection,
  pullRequestWishes,
  UserPullRequestSection,
} from "./pull-request-config.ts";
import { checkRuleLevels, RulesSection } from "./rule-levels.ts";
import { parseWith, type Schema, wholeNumber, z } from "./schema.ts";
import { userConfigPath } from "./user-config-path.ts";
import {
  GithubSection,
  ModelSection,
  type UserGithub,
  type UserModel,
  userGithub,
  userModel,
  WorkerSection,
  type WorkerSettings,
  workerSettings,
} from "./user-sections.ts";
import { parseStrictYaml } from "./yaml.ts";

/** What both files may say, in the words people write; `kebab-case`, seconds. */
const shared = {
  enabled: z.optional(z.boolean()),
  "skills-root": z.optional(z.string()),
  base: z.optional(z.string()),
  marker: z.optional(z.enum(MARKERS)),
  threshold: z.optional(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
  publish: z.optional(z.enum(PUBLISH_TARGETS)),
  "max-turns": z.optional(wholeNumber(1, limits.REVIEW_MAX_TURNS_MAX)),
  timeout: z.optional(wholeNumber(1, limits.REVIEW_TIMEOUT_MAX_SECONDS)),
  rules: z.optional(RulesSection),
};
/** Of `.skillpr.yml`. */
export const RepositoryFile = z.strictObject({
  ...shared,
  "pull-request": z.optional(PullRequestSection),
});
/** Of the user's own file. */
export const UserFile = z.strictObject({
  ...shared,
  "pull-request": z.optional(UserPullRequestSection),
  github: z.optional(GithubSection),
  reviewer: z.optional(z.enum(REVIEWERS)),
  trigger: z.optional(z.enum(TRIGGERS)),
  model: z.optional(ModelSection),
  worker: z.optional(WorkerSection),
});

/** What the user's file says: what goes into Config, and what must not, since it names a key. */
export interface UserFileContent {
  readonly config: UserConfig;
  readonly model: UserModel;
  readonly worker: WorkerSettings;
  readonly github: UserGithub;
}

/** @throws SkillprError `config` naming the file and the field */
export function parseUserFile(text: string, file: string): UserFileContent {
  const {
    "skills-root": skillsRoot,
    "max-turns": maxTurns,
    timeout,
    rules,
    model,
    worker,
    github,
    "pull-request": pullRequest,
    ...rest
  } = checked(UserFile, text, file);
  return {
    config: {
      ...rest,
      skillsRoot: rootOf(skillsRoot, file),
      maxTurns,
      timeoutSeconds: timeout,
      rules: checkRuleLevels(rules, file, "user"),
      pullRequest: pullRequestWishes(pullRequest),
    },
    github: userGithub(github),
    model: userModel(model),
    worker: workerSettings(worker),
  };
}

/** @throws SkillprError `config` naming the file and the field */
export function parseUserConfig(text: string, file: string): UserConfig {
  return parseUserFile(text, file).config;
}

/** @throws SkillprError `config` naming the file and the field */
export function parseRepositoryConfig(text: string, file: string): RepositoryConfig {
  const {
    "skills-root": skillsRoot,
    "max-turns": maxTurns,
    timeout,
    rules,
    "pull-request": pullRequest,
    ...rest
  } = checked(RepositoryFile, text, file);
  return {
    ...rest,
    skillsRoot: rootOf(skillsRoot, file),
    maxTurns,
    timeoutSeconds: timeout,
    rules: checkRuleLevels(rules, file, "repository"),
    pullRequest: pullRequestWishes(pullRequest),
  };
}

function checked<T>(schema: Schema<T>, text: string, file: string): T {
  const hint = `correct ${file}, or remove it to get the defaults`;
  const yaml = parseStrictYaml(text);
  if (!yaml.ok) {
    const [problem] = yaml.problems;
    throw new SkillprError(
      "config",
      `${file}, line ${problem?.line ?? 1}: ${problem?.message}`,
      hint,
    );
  }
  const lines = text.split("\n");
  return parseWith(schema, yaml.value ?? {}, {
    what: file,
    code: "config",
    hint: `${hint}; the keys are ${Object.keys(shared).join(", ")}, pull-request, and in your own file reviewer, trigger, model, worker, github`,
    lineOf: (key) => {
      const index = lines.findIndex((line) => line.trimStart().startsWith(`${key}:`));
      return key === "" || index === -1 ? null : index + 1;
    },
  });
}

function rootOf(path: string | undefined, file: string): string | undefined {
  return path === undefined ? undefined : parseSkillsRoot(path, `"skills-root" in ${file}`);
}

/**
 * A skills root as people write it, in the form that the code uses: `/`-separated, relative, no
 * trailing slash.
 * @throws SkillprError `config` when it could leave the repository or name git's own folder
 */
export function parseSkillsRoot(path: string, where: string): string {
  const parts = path.replaceAll("\\", "/").replace(/\/+$/, "").split("/");
  const isBad = (part: string) =>
    part === "" ||
    part === "." ||
    part === ".." ||
    !/^[A-Za-z0-9._-]+$/.test(part) ||
    /^\.git/i.test(part);
  if (parts.some(isBad)) {
    throw new SkillprError(
      "config",
      `${where} is not a folder inside the repository: ${JSON.stringify(path)}`,
      "write a relative path such as .qwen/skills or .claude/skills",
    );
  }
  return parts.join("/");
}

/** The user's config; one that says nothing when there is none. */
export function readUserFile(env: NodeJS.ProcessEnv, home: string): UserFileContent {
  const file = userConfigPath(env, home);
  return parseUserFile(readIfThere(file) ?? "", file);
}

/**
 * Text of a small regular file; null when it doesn't exist. A pipe or a device is refused unread.
 * @param mayBeLink false for a file of the repository, whose links may lead anywhere
 */
export function readIfThere(file: string, mayBeLink = true): string | null {
  const refuse = (why: string, cause?: unknown) =>
    new SkillprError("config", `${file} ${why}`, "put a small regular file there, or remove it", {
      cause,
    });
  // O_NONBLOCK: opening a pipe must not wait for somebody to write to it.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (mayBeLink ? 0 : constants.O_NOFOLLOW);
  let handle: number | null = null;
  try {
    handle = openSync(file, flags);
    const info = fstatSync(handle);
    if (!info.isFile()) throw refuse("is no regular file");
    if (info.size > limits.CONFIG_MAX_BYTES) throw refuse("is too large for a config file");
    return readFileSync(handle, "utf8");
  } catch (error) {
    if (error instanceof SkillprError) throw error;
    if (hasCode(error, "ENOENT", "ENOTDIR")) return null;
    if (!mayBeLink && hasCode(error, "ELOOP", "EMLINK")) throw refuse("is a link", error);
    throw refuse("cannot be read", error);
  } finally {
    if (handle !== null) closeSync(handle);
  }
}

/**
 * Looks for `memory.enableAutoSkill: false` in Qwen Code's settings, the project's first.
 * @returns the file that says it (or null), and a warning for each file that can't be understood
 */
export function findAgentSwitch(options: {
  readonly projectRoot: string | null;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
}): { readonly disabledIn: string | null; readonly warnings: string[] } {
  const userDir = options.env["QWEN_HOME"] || join(options.home, ".qwen");
  const dirs = options.projectRoot === null ? [] : [join(options.projectRoot, ".qwen")];
  const warnings: string[] = [];
  for (const dir of [...dirs, userDir]) {
    const file = join(dir, "settings.json");
    try {
      const text = readIfThere(file);
      if (text !== null && saysOff(parseJsonWithComments(text)))
        return { disabledIn: file, warnings };
    } catch (error) {
      // Not the parser's words: they quote the file, and settings hold keys.
      const why = error instanceof SkillprError ? error.message : "it is not valid JSON";
      warnings.push(`${file} was not understood (${why}); its memory.enableAutoSkill is unknown`);
    }
  }
  return { disabledIn: null, warnings };
}
