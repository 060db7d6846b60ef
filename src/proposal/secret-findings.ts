/** Secrets in what a review wrote: whatever redaction would still replace must not be committed. */
import type { Finding } from "../verify/finding.ts";

/** Replaces secrets in a text; the pipeline hands in the one that redacted the session. */
export type Redact = (text: string) => Promise<string>;

/**
 * @param files path from the repository's root, and bytes; bytes that are no UTF-8 are refused elsewhere
 * @returns one error per file, at its first line that holds one; the value is never named
 */
export async function secretFindings(
  files: readonly { readonly path: string; readonly bytes: Uint8Array }[],
  redact: Redact,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { path, bytes } of files) {
    const text = Buffer.from(bytes).toString("utf8");
    const redacted = await redact(text);
    if (redacted === text) continue;
    const before = text.split("\n");
    const after = redacted.split("\n");
    const index = before.findIndex((line, at) => line !== after[at]);
    findings.push({
      rule: "secret.value",
      level: "error",
      path,
      line: index === -1 ? null : index + 1,
      message: "The file holds a credential or another secret, which a commit would publish.",
      hint: "Take it out; where a value must stand, write a name in its place, such as $API_KEY.",
    });
  }
  return findings;
}
