import { SKILL_COMPATIBILITY_MAX_CHARS } from "../../core/limits.ts";
import { isRecord, lineOfKey, type SkillFile } from "../../skills/skill-file.ts";
import type { ChangedFolder } from "../context.ts";
import { type Detail, defineRule, EVERY_PROFILE, quoted } from "../rule.ts";

const ALLOWED_KEYS: readonly string[] = [
  "name",
  "description",
  "version",
  "license",
  "compatibility",
  "metadata",
  "source",
  "extracted_at",
];

/** Keys that do more than describe, in lower case and without separators. */
const DANGEROUS_KEYS: Readonly<Record<string, string>> = {
  hooks: "it would run commands on the machine of everybody who uses the skill",
  allowedtools: "it would widen what an agent may do without asking",
  model: "it would change the model that an agent works with",
};

type Problem = Omit<Detail, "path">;

export const frontmatterRule = defineRule({
  id: "structure.frontmatter",
  level: "error",
  why: "Readers that repair a broken frontmatter disagree about it, and some of its keys run code.",
  example: "`hooks:`, a repeated key, a YAML anchor",
  profiles: EVERY_PROFILE,
  *check({ folders }): Iterable<Detail> {
    for (const folder of folders) {
      if (!folder.isSkillFileChanged) continue;
      // A person's skill has a format of its own; only what runs code is pointed out.
      const problems = folder.isPersonal ? personalProblems(folder) : strictProblems(folder);
      for (const problem of problems) yield { path: folder.skillPath, ...problem };
    }
  },
});

function* personalProblems({ next }: ChangedFolder): Iterable<Problem> {
  if (!next?.parsed) return;
  // Other readers may well read it, and find keys that run code.
  const problems = next.parsed.ok
    ? checkDangerousKeys(next.parsed.skill)
    : unreadable(next.parsed.problems);
  for (const problem of problems) yield { ...problem, level: "warning" };
}

function* strictProblems({ next }: ChangedFolder): Iterable<Problem> {
  if (!next?.parsed) return;
  if (!next.parsed.ok) {
    yield* unreadable(next.parsed.problems);
    return;
  }
  const { skill } = next.parsed;
  yield* checkDangerousKeys(skill);
  yield* checkUnknownKeys(skill);
  yield* checkValues(skill);
}

function* unreadable(
  problems: readonly { readonly line: number | null; readonly message: string }[],
): Iterable<Problem> {
  for (const { line, message } of problems) {
    yield {
      line,
      message: `The frontmatter can't be read safely: ${quoted(message)}.`,
      hint: "Write simple `key: value` lines between two `---` lines at the start of the file, and quote values that hold `: ` or ` #`.",
    };
  }
}

function* checkDangerousKeys(skill: SkillFile): Iterable<Problem> {
  for (const key of Object.keys(skill.frontmatter)) {
    const reason = DANGEROUS_KEYS[plainKey(key)];
    if (reason === undefined) continue;
    yield {
      line: lineOfKey(skill, key),
      message: `The key ${quoted(key)} does more than describe the skill: ${reason}.`,
      hint: "Remove it; describe in the text what the reader should do.",
    };
  }
}

function* checkUnknownKeys(skill: SkillFile): Iterable<Problem> {
  for (const key of Object.keys(skill.frontmatter)) {
    if (ALLOWED_KEYS.includes(key) || Object.hasOwn(DANGEROUS_KEYS, plainKey(key))) continue;
    yield {
      line: lineOfKey(skill, key),
      message: `The key ${quoted(key)} is not allowed in a frontmatter.`,
      hint: `Allowed are ${ALLOWED_KEYS.join(", ")}; other facts go under \`metadata\`.`,
    };
  }
}

function* checkValues(skill: SkillFile): Iterable<Problem> {
  for (const [key, value] of Object.entries(skill.frontmatter)) {
    const hasOwnRule = key === "name" || key === "description";
    if (!ALLOWED_KEYS.includes(key) || hasOwnRule) continue;
    const line = lineOfKey(skill, key);
    if (key === "metadata") yield* checkMetadata(value, line);
    else if (typeof value !== "string") yield notAString(key, line);
    else if (key === "compatibility" && value.length > SKILL_COMPATIBILITY_MAX_CHARS) {
      yield {
        line,
        message: `\`compatibility\` has ${value.length} characters; at most ${SKILL_COMPATIBILITY_MAX_CHARS} are allowed.`,
        hint: "Shorten it.",
      };
    }
  }
}

function* checkMetadata(value: unknown, line: number | null): Iterable<Problem> {
  if (!isRecord(value)) {
    yield {
      line,
      message: "`metadata` is not a list of keys with strings.",
      hint: "Write one indented `key: value` line for each fact.",
    };
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== "string") yield notAString(`metadata.${key}`, line);
  }
}

function notAString(key: string, line: number | null): Problem {
  return { line, message: `${quoted(key)} is not a string.`, hint: "Put the value in quotes." };
}

/** `allowed-tools`, `allowedTools` and `Allowed_Tools` are one key to somebody. */
function plainKey(key: string): string {
  return key.toLowerCase().replace(/[^a-z]/g, "");
}
