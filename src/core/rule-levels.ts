/**
 * How grave a verifier rule's findings are here: `rules:` of the user's config and of the
 * repository's. The user may set the rules about content as they like, but never lower one about
 * structure; a repository may only raise.
 */
import { SkillprError } from "./errors.ts";
import { nearest } from "./nearest.ts";
import { RULE_NAMES } from "./rule-names.ts";
import { z } from "./schema.ts";
import { safeLine } from "./text.ts";

const RULE_LEVELS = ["off", "warning", "error"] as const;
export type RuleLevel = (typeof RULE_LEVELS)[number];
/** Rule id (`quality.placeholder`), or all of a kind (`quality.*`), and its level. */
export type RuleLevelMap = Readonly<Record<string, RuleLevel>>;

export interface RuleLevels {
  /** What the user says: the level of each of the rule's findings. */
  readonly own: RuleLevelMap;
  /** What the repository says: the least level of each. */
  readonly floor: RuleLevelMap;
}

export const DEFAULT_RULE_LEVELS: RuleLevels = { own: {}, floor: {} };

export const RulesSection = z.record(z.string(), z.enum(RULE_LEVELS));

/**
 * Checks a `rules` section of one of the two files.
 * @throws SkillprError `config` for what is no rule's name, a structure rule that would be lowered,
 *   and a repository that would switch a rule off
 */
export function checkRuleLevels(
  rules: RuleLevelMap | undefined,
  file: string,
  whose: "user" | "repository",
): RuleLevelMap | undefined {
  for (const [rule, level] of Object.entries(rules ?? {})) {
    const refuse = (why: string, hint: string) => {
      throw new SkillprError("config", safeLine(`${file}: rules.${rule}: ${why}`), hint);
    };
    // Passed by, a misspelt name would leave the rule as it is, and nobody would know.
    if (!RULE_NAMES.has(rule)) refuse("is no rule's name", unknownHint(rule));
    if (rule.startsWith("structure.") && level !== "error")
      refuse(
        "a rule about structure can't be lowered",
        "remove it; what it refuses is never right in a proposal",
      );
    if (whose === "repository" && level === "off")
      refuse("a repository can only raise a rule's level", "write warning or error, or remove it");
  }
  return rules;
}

function unknownHint(rule: string): string {
  const [near] = nearest(rule, [...RULE_NAMES]);
  const meant = near === undefined ? "" : `did you mean ${near}? `;
  return `${meant}write a rule of docs/verifier.md, or all of a kind: quality.*; a rule of a newer skillpr needs that version`;
}

/**
 * The level of a finding here.
 * @param level what the rule itself says
 */
export function levelHere(
  rule: string,
  level: Exclude<RuleLevel, "off">,
  { own, floor }: RuleLevels,
): RuleLevel {
  const mine = lookUp(own, rule) ?? level;
  const [exact, kind] = [floor[rule], floor[kindOf(rule)]];
  return graver(graver(mine, exact ?? "off"), kind ?? "off");
}

/** The rule's own entry before that of its kind. */
function lookUp(levels: RuleLevelMap, rule: string): RuleLevel | undefined {
  return levels[rule] ?? levels[kindOf(rule)];
}

function kindOf(rule: string): string {
  return `${rule.split(".", 1)[0]}.*`;
}

function graver(a: RuleLevel, b: RuleLevel): RuleLevel {
  return RULE_LEVELS.indexOf(a) >= RULE_LEVELS.indexOf(b) ? a : b;
}
