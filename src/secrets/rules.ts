/** Our own rules: what the secret scanner misses, and what it needs more context for. */
import { assignedSecrets } from "./assignments.ts";
import { pemBlocks } from "./pem-blocks.ts";
import type { SecretRange } from "./secret-range.ts";
import { isExample, isRandom, isReference } from "./secret-value.ts";

interface PatternRule {
  readonly name: string;
  /** With flag `g`; the group `secret`, when there is one (then with flag `d`), is what counts. */
  readonly pattern: RegExp;
  /** What must stand somewhere before it in the same line. */
  readonly behind?: RegExp;
  /** Last word on a match. */
  readonly accepts?: (secret: string) => boolean;
}

/** Longest run without a separator: names joined by hyphens have short ones, keys a long one. */
const hasLongRun = (secret: string) => /[0-9A-Za-z_]{16,}/.test(secret) && /\d/.test(secret);
const isNoExample = (secret: string) => !isExample(secret) && !isReference(secret);

const PATTERNS: readonly PatternRule[] = [
  { name: "aws-access-key", pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b/g },
  { name: "alibaba-access-key", pattern: /\bLTAI[0-9A-Za-z]{12,28}\b/g },
  {
    name: "github-token",
    pattern: /\b(?:gh[pousr]_[0-9A-Za-z]{36,255}|github_pat_[0-9A-Za-z_]{22,255})/g,
  },
  {
    name: "gitlab-token",
    pattern: /\bgl(?:pat|ptt|rt|cbt|dt|oas|soat|agent|ft|imt)-[0-9A-Za-z_-]{20,255}/g,
  },
  {
    name: "slack-token",
    pattern: /\b(?:xox[abeoprs]-[0-9A-Za-z-]{10,255}|xapp-\d-[0-9A-Za-z-]{10,255})/g,
  },
  {
    name: "slack-webhook",
    pattern: /\bhooks\.slack\.com\/services\/T\w{6,20}\/B\w{6,20}\/\w{16,40}/g,
  },
  {
    name: "stripe-key",
    pattern: /\b(?:[rs]k_(?:live|test)_[0-9A-Za-z]{16,255}|whsec_[0-9A-Za-z]{24,255})/g,
  },
  { name: "npm-token", pattern: /\bnpm_[0-9A-Za-z]{36}\b/g },
  { name: "google-api-key", pattern: /\bAIza[0-9A-Za-z_-]{35}/g },
  { name: "google-oauth-token", pattern: /\bya29\.[0-9A-Za-z_-]{20,512}/g },
  { name: "huggingface-token", pattern: /\bhf_[0-9A-Za-z]{30,64}\b/g },
  { name: "model-api-key", pattern: /\bsk-[0-9A-Za-z_-]{20,255}/g, accepts: hasLongRun },
  {
    name: "vendor-token",
    pattern:
      /\b(?:pypi-[0-9A-Za-z_-]{50,255}|SG\.[\w-]{16,32}\.[\w-]{32,64}|do[opr]_v1_[0-9a-f]{64}|dckr_pat_[\w-]{20,64}|hv[sb]\.[\w-]{24,255}|dapi[0-9a-f]{32}|ATATT3[\w=-]{60,255}|shp(?:at|ss|ca|pa)_[0-9a-fA-F]{32}|lin_api_[0-9A-Za-z]{40}|figd_[\w-]{30,64}|gsk_[0-9A-Za-z]{40,64}|xai-[0-9A-Za-z]{60,100}|r8_[0-9A-Za-z]{37}|pplx-[0-9A-Za-z]{40,64}|tvly-[\w-]{20,64}|AGE-SECRET-KEY-1[0-9A-Z]{58}|\d{8,10}:AA[\w-]{33})/g,
  },
  { name: "jwt", pattern: /(?<![\w-])eyJ[\w-]{8,4096}\.eyJ[\w-]{8,8192}\.[\w-]{8,1024}/g },
  {
    name: "authorization",
    pattern:
      /\b(?:proxy-)?authorization\\?["']?\s{0,3}[:=]\s{0,3}\\?["'`]?(?:bearer|basic|token|apikey|bot)\s{1,3}(?<secret>[^\s"'`,;\\<>{}$[\]]{8,4096})/dgi,
    accepts: isNoExample,
  },
  {
    name: "authorization",
    pattern: /\bbearer\s{1,3}(?<secret>[\w.~+/-]{16,4096}=*)/dgi,
    accepts: (secret) => isRandom(secret) && isNoExample(secret),
  },
  {
    name: "authorization",
    pattern:
      /\b(?:authorization|x-api-key|api-key|x-auth-token|private-token|x-goog-api-key|x-vault-token)\\?["']?\s{0,3}[:=]\s{0,3}\\?["'`]?(?<secret>[^\s"'`,;\\<>(){}$[\]]{8,4096})/dgi,
    accepts: (secret) => isRandom(secret) && isNoExample(secret),
  },
  {
    name: "cookie",
    pattern: /\b(?:set-)?cookie:\s{0,3}[^\s=;"']{1,64}=(?<secret>[^\s;"'\\[\]]{16,4096})/dgi,
    accepts: isRandom,
  },
  {
    name: "url-credentials",
    pattern:
      /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'`<>]{0,128}:(?<secret>[^\s/@"'`<>{}$[\]]{3,256})@/dgi,
    accepts: isNoExample,
  },
  {
    name: "url-credentials",
    pattern: /\bhttps?:\/\/(?<secret>[\w.~-]{20,256})@/dgi,
    accepts: isRandom,
  },
  {
    name: "password",
    pattern: /\s(?:-u|--user)[ =]["']?[^\s:"'$]{1,128}:(?<secret>[^\s"'$[\]]{3,256})/dg,
    behind: /\bcurl\b/,
    accepts: isNoExample,
  },
  {
    name: "storage-account-key",
    pattern: /\bAccountKey=(?<secret>[0-9A-Za-z+/]{60,100}={0,2})/dg,
  },
];

/** How far before a match its command is looked for, and around an AWS id its secret. */
const REACH = 400;

function followsOnLine(text: string, at: number, what: RegExp): boolean {
  return what.test(
    text
      .slice(Math.max(0, at - REACH), at)
      .split("\n")
      .at(-1) ?? "",
  );
}

const AWS_ID = /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g;
const AWS_SECRET = /(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g;

/** The bare secrets near an AWS id: nothing but the id beside them tells what they are. */
function awsSecrets(text: string): SecretRange[] {
  const ranges: SecretRange[] = [];
  let seen = 0;
  for (const id of text.matchAll(AWS_ID)) {
    const from = Math.max(seen, id.index - REACH);
    seen = Math.min(text.length, id.index + id[0].length + REACH);
    if (from >= seen) continue;
    // A character more on both sides, so that no part of a longer run passes for one.
    const offset = Math.max(0, from - 41);
    for (const match of text.slice(offset, seen + 41).matchAll(AWS_SECRET)) {
      const start = offset + match.index;
      const isKey = /[A-Z]/.test(match[0]) && /[a-z]/.test(match[0]) && isRandom(match[0]);
      if (isKey) ranges.push({ rule: "aws-secret", start, end: start + match[0].length });
    }
  }
  return ranges;
}

/** Every match of our own rules in a text; they may overlap. */
export function ownFindings(text: string): SecretRange[] {
  const ranges = pemBlocks(text);
  for (const rule of PATTERNS) {
    for (const match of text.matchAll(rule.pattern)) {
      const secret = match.groups?.["secret"] ?? match[0];
      if (rule.accepts !== undefined && !rule.accepts(secret)) continue;
      if (rule.behind !== undefined && !followsOnLine(text, match.index, rule.behind)) continue;
      const [start, end] = match.indices?.groups?.["secret"] ?? [
        match.index,
        match.index + secret.length,
      ];
      ranges.push({ rule: rule.name, start, end });
    }
  }
  // Last: a value that is known by its own form bears the better name.
  return [...ranges, ...assignedSecrets(text), ...awsSecrets(text)];
}
