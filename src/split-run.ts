/**
 * Which half of a split run may hold which credential: the one that reads untrusted text has no token, the one that
 * writes has no key of a model. The command line and the action say so in the same words.
 */
import { SkillprError } from "./core/errors.ts";

/** Variables of a GitHub token, the first that is set counts. */
export const TOKEN_VARIABLES = ["GITHUB_TOKEN", "GH_TOKEN"] as const;
export const MODEL_KEY_VARIABLE = "OPENAI_API_KEY";

export type CredentialKind = "token" | "model key";

const REASONS: Readonly<Record<CredentialKind, { why: string; other: string }>> = {
  token: { why: "it reads untrusted text", other: "publishing" },
  "model key": { why: "it may hold a token", other: "reviewing" },
};

/**
 * @param name where it was found: a variable, an input
 * @param who the command that found it, as people name it
 */
export function mustNotHold(name: string, who: string, kind: CredentialKind): SkillprError {
  const { why, other } = REASONS[kind];
  return new SkillprError(
    "usage",
    `${name} is set, and ${who} must hold no ${kind}: ${why}`,
    `remove it from this job; the ${other} job is the one that needs it`,
  );
}
