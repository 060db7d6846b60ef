/**
 * The only file that knows secretlint. It is loaded at its first use: a run that redacts nothing
 * doesn't pay for it.
 *
 * Its rules are run one by one, without @secretlint/core: that compares every finding with every
 * other, keeps a profile of each call for as long as the process lives, and heeds comments in the
 * text (`secretlint-disable`), which would let a text say that its secrets stay.
 *
 * A scan takes twice as long as reading the text. So the rules are shown only what our own rules
 * had a second look at, all of it at once, and the findings are mapped back.
 */
import { SECRET_SCAN_WINDOW_AFTER_CHARS, SECRET_SCAN_WINDOW_BEFORE_CHARS } from "../core/limits.ts";
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
}

/** A stretch of a text that the scanner looks at. */
interface Window {
  readonly source: number;
  readonly text: string;
  readonly start: number;
}

/** What of a rule's interface is used here; the preset's types need packages that only its authors have. */
interface ScannerRule {
  readonly meta: { readonly id: string };
  create(context: object, options: object): { file?(source: object): void | Promise<void> };
}

interface Report {
  readonly ruleId: string;
  readonly range: readonly [start: number, end: number];
}

/** The rule that lets comments switch the others off. */
const COMMENTS = "@secretlint/secretlint-rule-filter-comments";

/** What the scanner finds around the suspicious places of some texts, in order of the texts. */
export async function scannerFindings(texts: readonly Suspected[]): Promise<SecretRange[][]> {
  const findings: SecretRange[][] = texts.map(() => []);
  const windows = texts.flatMap((each, source) => windowsAround(each, source));
  if (windows.length === 0) return findings;
  const reports = await reportsOn(windows.map(({ text }) => text).join(SEPARATOR));
  let [at, contentStart] = [0, 0];
  const lengthAt = () => windows[at]?.text.length ?? Infinity;
  for (const { ruleId, range } of reports) {
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
  return findings;
}

/** What the rules of the preset report on a text, in its order. */
async function reportsOn(content: string): Promise<Report[]> {
  scannerRules ??= await loadedRules();
  const source = { content, filePath: "text.txt", ext: ".txt", contentType: "text" };
  const reports: Report[] = [];
  for (const { meta, create } of scannerRules) {
    const context = {
      sharedOptions: {},
      // What a finding says is never shown: it may hold the secret.
      createTranslator: () => (messageId: string) => ({ message: messageId, messageId }),
      report: ({ range }: Pick<Report, "range">) => reports.push({ ruleId: meta.id, range }),
      ignore: () => {},
    };
    await create(context, {}).file?.(source);
  }
  return reports.sort((a, b) => a.range[0] - b.range[0]);
}

/** To import it each time again takes longer than many a scan. */
let scannerRules: readonly ScannerRule[] | null = null;

async function loadedRules(): Promise<readonly ScannerRule[]> {
  const preset = await import("@secretlint/secretlint-rule-preset-recommend");
  const rules = preset.rules as unknown as readonly ScannerRule[];
  return rules.filter((rule) => rule.meta.id !== COMMENTS);
}

function windowsAround({ text, suspects }: Suspected, source: number): Window[] {
  const windows: { start: number; end: number }[] = [];
  for (const at of [...suspects].sort((a, b) => a - b)) {
    const start = Math.max(0, at - SECRET_SCAN_WINDOW_BEFORE_CHARS);
    const end = Math.min(text.length, at + SECRET_SCAN_WINDOW_AFTER_CHARS);
    const last = windows.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else windows.push({ start, end });
  }
  return windows.map(({ start, end }) => ({ source, start, text: text.slice(start, end) }));
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
