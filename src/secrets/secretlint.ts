/**
 * The only file that knows secretlint. It is loaded at its first use: a run that redacts nothing
 * doesn't pay for it.
 *
 * A call of lintSource costs ten milliseconds and more, its profiler makes every further one
 * slower, and the scan itself takes twice as long as reading the text. So it is shown only what our
 * own rules had a second look at and didn't find, few of it or all in one call, and the findings are mapped back.
 */
import {
  SECRET_SCAN_CALL_CHARS,
  SECRET_SCAN_WINDOW_AFTER_CHARS,
  SECRET_SCAN_WINDOW_BEFORE_CHARS,
} from "../core/limits.ts";
import type { SecretRange } from "./secret-range.ts";
import { isExample, isExampleToken, isNoSecretWord } from "./secret-value.ts";

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

/** A text, and the places in it where something looked like the beginning of a secret, in any order. */
export interface Suspected {
  readonly text: string;
  readonly suspects: readonly number[];
  /** What is found already: it is hidden from the scanner, whose time grows with the square of its findings. */
  readonly found: readonly SecretRange[];
}

/** A stretch of a text that the scanner looks at. */
interface Window {
  readonly source: number;
  readonly text: string;
  readonly start: number;
}

/** What the scanner finds around the suspicious places of some texts, in order of the texts. */
export async function scannerFindings(texts: readonly Suspected[]): Promise<SecretRange[][]> {
  const findings: SecretRange[][] = texts.map(() => []);
  const windows = texts.flatMap((each, source) => windowsAround(each, source));
  if (windows.length === 0) return findings;
  for (const some of callsOf(windows)) await scan(some, findings);
  return findings;
}

/** The windows, as many together as one call may take. */
function callsOf(windows: readonly Window[]): Window[][] {
  const calls: Window[][] = [];
  let chars = Infinity;
  for (const window of windows) {
    chars += window.text.length;
    if (chars > SECRET_SCAN_CALL_CHARS) {
      calls.push([]);
      chars = window.text.length;
    }
    calls.at(-1)?.push(window);
  }
  return calls;
}

async function scan(windows: readonly Window[], findings: SecretRange[][]): Promise<void> {
  const { lintSource } = await import("@secretlint/core");
  const { creator } = await import("@secretlint/secretlint-rule-preset-recommend");
  const content = windows.map(({ text }) => text).join(SEPARATOR);
  const result = await lintSource({
    source: { filePath: "text.txt", content, ext: ".txt", contentType: "text" },
    options: {
      config: { rules: [{ id: "preset", rule: creator, options: {} }] },
      noPhysicFilePath: true,
    },
  });
  const messages = [...result.messages].sort((a, b) => a.range[0] - b.range[0]);
  let [at, contentStart] = [0, 0];
  const lengthAt = () => windows[at]?.text.length ?? Infinity;
  for (const { ruleId, range } of messages) {
    while (range[0] >= contentStart + lengthAt() + SEPARATOR.length) {
      contentStart += lengthAt() + SEPARATOR.length;
      at += 1;
    }
    const window = windows[at];
    // What reaches into the next window was never one secret.
    if (window === undefined || range[1] - contentStart > window.text.length) continue;
    const [start, end] = [range[0] - contentStart, range[1] - contentStart];
    const found = narrowed(window.text, nameOf(ruleId), start, end);
    const secret = window.text.slice(found.start, found.end);
    if (isExampleToken(secret) || isExample(secret) || isNoSecretWord(secret)) continue;
    findings[window.source]?.push({
      rule: found.rule,
      start: found.start + window.start,
      end: found.end + window.start,
    });
  }
}

function windowsAround({ text, suspects, found }: Suspected, source: number): Window[] {
  const windows: { start: number; end: number }[] = [];
  for (const at of [...suspects].sort((a, b) => a - b)) {
    const start = Math.max(0, at - SECRET_SCAN_WINDOW_BEFORE_CHARS);
    const end = Math.min(text.length, at + SECRET_SCAN_WINDOW_AFTER_CHARS);
    const last = windows.at(-1);
    const isOne = last !== undefined && start <= last.end;
    if (isOne && end - last.start <= SECRET_SCAN_CALL_CHARS) last.end = Math.max(last.end, end);
    else windows.push({ start, end });
  }
  if (windows.length === 0) return [];
  const hidden = hiding(text, found);
  return windows.map(({ start, end }) => ({ source, start, text: hidden.slice(start, end) }));
}

/** The text with what is found taken out, at its length: no rule of the scanner knows a NUL. */
function hiding(text: string, found: readonly SecretRange[]): string {
  const parts: string[] = [];
  let shown = 0;
  for (const { start, end } of [...found].sort((a, b) => a.start - b.start)) {
    if (end <= shown) continue;
    const from = Math.max(start, shown);
    parts.push(text.slice(shown, from), "\0".repeat(end - from));
    shown = end;
  }
  return parts.join("") + text.slice(shown);
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
