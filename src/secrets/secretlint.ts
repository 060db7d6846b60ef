/**
 * The only file that knows secretlint. It is loaded at its first use: a run that redacts nothing
 * doesn't pay for it.
 *
 * A call of lintSource costs ten milliseconds and more, its profiler makes every further one
 * slower, and the scan itself takes twice as long as reading the text. So it is shown only what our
 * own rules had a second look at, all of it in one call, and the findings are mapped back.
 */
import { SECRET_SCAN_WINDOW_AFTER_CHARS, SECRET_SCAN_WINDOW_BEFORE_CHARS } from "../core/limits.ts";
import type { SecretRange } from "./secret-range.ts";
import { isExampleToken } from "./secret-value.ts";

/** Between two windows: no secret spans it. */
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

/** A stretch of the text that the scanner looks at. */
interface Window {
  readonly start: number;
  readonly end: number;
}

/**
 * What the scanner finds around some places of a text.
 * @param suspects where something looked like the beginning of a secret, in any order
 */
export async function scannerFindings(
  text: string,
  suspects: readonly number[],
): Promise<SecretRange[]> {
  const windows = windowsAround(suspects, text.length);
  if (windows.length === 0) return [];
  const { lintSource } = await import("@secretlint/core");
  const { creator } = await import("@secretlint/secretlint-rule-preset-recommend");
  const content = windows.map(({ start, end }) => text.slice(start, end)).join(SEPARATOR);
  const result = await lintSource({
    source: { filePath: "text.txt", content, ext: ".txt", contentType: "text" },
    options: {
      config: { rules: [{ id: "preset", rule: creator, options: {} }] },
      noPhysicFilePath: true,
    },
  });
  const messages = [...result.messages].sort((a, b) => a.range[0] - b.range[0]);
  const ranges: SecretRange[] = [];
  let [at, contentStart] = [0, 0];
  const lengthAt = () => (windows[at]?.end ?? Infinity) - (windows[at]?.start ?? 0);
  for (const { ruleId, range } of messages) {
    while (range[0] >= contentStart + lengthAt() + SEPARATOR.length) {
      contentStart += lengthAt() + SEPARATOR.length;
      at += 1;
    }
    // What reaches into the next window was never one secret.
    if (range[1] - contentStart > lengthAt()) continue;
    const offset = (windows[at]?.start ?? 0) - contentStart;
    const found = narrowed(text, nameOf(ruleId), range[0] + offset, range[1] + offset);
    if (!isExampleToken(text.slice(found.start, found.end))) ranges.push(found);
  }
  return ranges;
}

function windowsAround(suspects: readonly number[], length: number): Window[] {
  const windows: { start: number; end: number }[] = [];
  for (const at of [...suspects].sort((a, b) => a - b)) {
    const start = Math.max(0, at - SECRET_SCAN_WINDOW_BEFORE_CHARS);
    const end = Math.min(length, at + SECRET_SCAN_WINDOW_AFTER_CHARS);
    const last = windows.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else windows.push({ start, end });
  }
  return windows;
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
