/** A rule that is a list of attacks in words and commands, and of kinds of orders. */
import { EVERY_PROFILE, type FileRule, type Rule } from "../rule.ts";
import { type Attack, attackFinder } from "./attack.ts";
import type { ContentDocument } from "./content-document.ts";
import { type ContentDetail, defineContentRule } from "./content-rule.ts";
import { type Statement, statementFinder } from "./statements.ts";

interface AttackRule extends Pick<Rule, "id" | "level" | "why" | "example"> {
  /** What to do, where an attack or a statement has nothing of its own to say. */
  readonly hint: string;
  readonly attacks: readonly Attack[];
  readonly statements?: readonly Statement[];
  /** Looks for what patterns can't say, one line of the text at a time. */
  readonly more?: (document: ContentDocument) => Iterable<ContentDetail>;
}

/** Makes the Rule, for every profile; its attacks stay with it, so that a test can look at each. */
export function defineAttackRule(
  rule: AttackRule,
): FileRule & { readonly attacks: readonly Attack[] } {
  const { hint, attacks, statements = [], more, ...description } = rule;
  const findAttacks = attackFinder(attacks, hint);
  const findStatements = statementFinder(statements, hint);
  const made = defineContentRule({
    ...description,
    profiles: EVERY_PROFILE,
    isLocal: true,
    find(document) {
      const found = findAttacks(document);
      if (statements.length > 0) found.push(...findStatements(document));
      if (more) found.push(...more(document));
      return found;
    },
  });
  return { ...made, attacks };
}
