/** Rules about what a skill names and the session never showed. */
import { type ClaimKind, claimsOf } from "./claims.ts";
import { type ContentDetail, defineContentRule } from "./content/content-rule.ts";
import { EVERY_PROFILE, type FileRule, type Rule } from "./rule.ts";

interface UngroundedRule extends Pick<Rule, "id" | "why" | "example">, Pick<ContentDetail, "hint"> {
  readonly kind: ClaimKind;
  /** With its article: `a command`. */
  readonly what: string;
}

/** Makes the Rule. It finds nothing where there is no session to look claims up in. */
export function defineUngroundedRule(rule: UngroundedRule): FileRule {
  const { kind, what, hint, ...description } = rule;
  return defineContentRule({
    ...description,
    level: "warning",
    profiles: EVERY_PROFILE,
    *find(document, { input: { grounded } }): Iterable<ContentDetail> {
      if (grounded === undefined) return;
      for (const { kind: found, token, start, end } of claimsOf(document))
        if (found === kind && !grounded.has(token))
          yield { start, end, says: `is ${what} that appears nowhere in the session`, hint };
    },
  });
}
