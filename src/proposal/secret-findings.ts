/** Secrets in what a review wrote: whatever redaction would still replace must not be committed. */
import type { RuleLevels } from "../core/rule-levels.ts";
import type { Finding } from "../verify/finding.ts";
import { withLevels } from "../verify/levels.ts";
import { withoutSecrets } from "../verify/shown-text.ts";

/** Replaces secrets in a text; the pipeline hands in the one that redacted the session. */
export type Redact = (text: string) => Promise<string>;

/**
 * @param files path from the repository's root, and bytes; bytes that are no UTF-8 are refused elsewhere
 * @param known what the verifier has said: of a file with a finding of the same rule nothing is said again
 * @param levels of the configs; they count for personal data alone, since no setting lets a secret through
 * @returns one error per file, at its first line that holds one; the value is never named
 */
export async function secretFindings(
  files: readonly { readonly path: string; readonly bytes: Uint8Array }[],
  redact: Redact,
  known: readonly Finding[] = [],
  levels?: RuleLevels,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { path: whole, bytes } of files) {
    // As the verifier's findings show it.
    const path = withoutSecrets(whole);
    const text = Buffer.from(bytes).toString("utf8");
    const redacted = await redact(text);
    if (redacted === text) continue;
    const before = text.split("\n");
    const after = redacted.split("\n");
    const index = before.findIndex((line, at) => line !== after[at]);
    const line = index === -1 ? null : index + 1;
    const finding = isPersonal(text, redacted) ? personal(path, line) : secret(path, line);
    const isSame = (each: Finding) => each.rule === finding.rule && each.path === path;
    const isKnown = known.some((each) => isSame(each) && isAsGrave(each, finding));
    if (isKnown) continue;
    findings.push(...(finding.level === "error" ? [finding] : withLevels([finding], levels)));
  }
  return findings;
}

function isAsGrave(known: Finding, finding: Finding): boolean {
  return known.level === "error" || finding.level === "warning";
}

const PLACEHOLDER = /\[redacted:([a-z-]+):\d+\]/g;
const PERSONAL = new Set(["email", "home-user", "private-ip"]);

/** Whether nothing but personal data was replaced. */
function isPersonal(before: string, after: string): boolean {
  const known = new Set(before.match(PLACEHOLDER));
  const added = [...after.matchAll(PLACEHOLDER)].filter(([placeholder]) => !known.has(placeholder));
  return added.length > 0 && added.every(([, type = ""]) => PERSONAL.has(type));
}

function secret(path: string, line: number | null): Finding {
  return {
    rule: "secret.value",
    level: "error",
    path,
    line,
    message: "The file holds a credential or another secret, which a commit would publish.",
    hint: "Take it out; where a value must stand, write a name in its place, such as $API_KEY.",
  };
}

function personal(path: string, line: number | null): Finding {
  return {
    rule: "secret.personal-data",
    level: "warning",
    path,
    line,
    message:
      "The file holds an e-mail address, the name of a home folder or an address of a private network.",
    hint: "Unless it is meant to be public, write an example in its place: user@example.com, /home/user, 192.0.2.1.",
  };
}
