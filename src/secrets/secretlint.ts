/**
 * The only file that knows secretlint. It is loaded at its first use: a run that redacts nothing
 * doesn't pay for it.
 *
 * A call of lintSource costs ten milliseconds and more, and its profiler makes every further one
 * slower: the texts are scanned in a few large batches, and the findings mapped back.
 */
import { SECRET_SCAN_BATCH_CHARS } from "../core/limits.ts";
import type { SecretRange } from "./secret-range.ts";

/** Between two texts of a batch: no secret spans it. */
const SEPARATOR = "\n\n";

/** Our names for what its rules find; another one keeps its own name. */
const NAMES: Readonly<Record<string, string>> = {
  anthropic: "model-api-key",
  openai: "model-api-key",
  aws: "aws-secret",
  basicauth: "url-credentials",
  "database-connection-string": "url-credentials",
  gcp: "google-credentials",
  github: "github-token",
  gitlab: "gitlab-token",
  npm: "npm-token",
  privatekey: "private-key",
  sendgrid: "sendgrid-key",
  shopify: "shopify-token",
  slack: "slack-token",
};

/** What the scanner finds in each of the texts, in order of the texts. */
export async function scannerFindings(texts: readonly string[]): Promise<SecretRange[][]> {
  const findings: SecretRange[][] = texts.map(() => []);
  let batch: number[] = [];
  let chars = 0;
  for (const [index, text] of texts.entries()) {
    if (text.length === 0) continue;
    if (batch.length > 0 && chars + text.length > SECRET_SCAN_BATCH_CHARS) {
      await scanBatch(texts, batch, findings);
      batch = [];
      chars = 0;
    }
    batch.push(index);
    chars += text.length + SEPARATOR.length;
  }
  if (batch.length > 0) await scanBatch(texts, batch, findings);
  return findings;
}

async function scanBatch(
  texts: readonly string[],
  batch: readonly number[],
  findings: SecretRange[][],
): Promise<void> {
  const { lintSource } = await import("@secretlint/core");
  const { creator } = await import("@secretlint/secretlint-rule-preset-recommend");
  const content = batch.map((index) => texts[index]).join(SEPARATOR);
  const result = await lintSource({
    source: { filePath: "text.txt", content, ext: ".txt", contentType: "text" },
    options: {
      config: { rules: [{ id: "preset", rule: creator, options: {} }] },
      noPhysicFilePath: true,
    },
  });
  const messages = [...result.messages].sort((a, b) => a.range[0] - b.range[0]);
  let at = 0;
  let textStart = 0;
  for (const { ruleId, range } of messages) {
    while (range[0] >= textStart + lengthOf(texts, batch[at]) + SEPARATOR.length) {
      textStart += lengthOf(texts, batch[at]) + SEPARATOR.length;
      at += 1;
    }
    const index = batch[at] ?? 0;
    const start = range[0] - textStart;
    // What reaches into the next text was never one secret.
    if (range[1] - textStart > lengthOf(texts, index)) continue;
    findings[index]?.push(
      narrowed(texts[index] ?? "", nameOf(ruleId), start, range[1] - textStart),
    );
  }
}

function lengthOf(texts: readonly string[], index: number | undefined): number {
  return index === undefined ? Number.POSITIVE_INFINITY : (texts[index]?.length ?? 0);
}

function nameOf(ruleId: string): string {
  const own = ruleId.replace(/^.*secretlint-rule-/, "");
  return NAMES[own] ?? own.replace(/[^a-z-]/g, "");
}

/** What is secret of a longer finding: the rest (a name, a host) explains the command. */
const SECRET_PART: Readonly<Record<string, RegExp>> = {
  "url-credentials": /(?<=^[^:]*:\/\/[^:@/]*:)[^@]+(?=@)/,
  "aws-secret": /[A-Za-z0-9/+=]+(?=["']?$)/,
};

function narrowed(text: string, rule: string, start: number, end: number): SecretRange {
  const part = SECRET_PART[rule]?.exec(text.slice(start, end));
  if (part === null || part === undefined) return { rule, start, end };
  return { rule, start: start + part.index, end: start + part.index + part[0].length };
}
