/** Findings about the content of a skill, for tables: level, rule and place. */
import type { Finding } from "../../src/verify/finding.ts";
import { verify } from "../../src/verify/verify.ts";
import { FLOW, inputOf, skillText } from "./verify-input.ts";

/** The findings about a new skill with this body, without those about its structure. */
export function findingsIn(body: string): Finding[] {
  const next = { [FLOW]: skillText("release-flow", { body }) };
  return verify(inputOf({ next })).filter(({ rule }) => /^(?:hidden|attack|secret)\./.test(rule));
}

/** `error hidden.bidi`, sorted, without repetitions. */
export function contentVerdict(body: string): string[] {
  return [...new Set(findingsIn(body).map(({ level, rule }) => `${level} ${rule}`))].sort();
}
