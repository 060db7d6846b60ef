import { levelHere, type RuleLevels } from "../core/rule-levels.ts";
import type { Finding } from "./finding.ts";

/** The findings at the levels that the configs give their rules; those that are switched off are gone. */
export function withLevels(
  findings: readonly Finding[],
  levels: RuleLevels | undefined,
): readonly Finding[] {
  if (levels === undefined) return findings;
  return findings.flatMap((finding) => {
    const level = levelHere(finding.rule, finding.level, levels);
    return level === "off" ? [] : [level === finding.level ? finding : { ...finding, level }];
  });
}
