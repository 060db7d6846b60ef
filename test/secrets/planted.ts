/** Secrets of many kinds, made anew from a seed, and the surroundings in which they are found. */

export type Random = (below: number) => number;

/** A small generator (mulberry32): the same seed gives the same secrets. */
export function seeded(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below || 0;
  };
}

const ALNUM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const HEX = "0123456789abcdef";
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

export function word(random: Random, length: number, letters = ALNUM): string {
  return Array.from({ length }, () => letters.charAt(Math.floor(random(letters.length)))).join("");
}

const jwtPart = (random: Random, length: number) => `eyJ${word(random, length)}`;

/** Kind → how one is made; each is told by its form alone. Put together here, so that no scanner takes this file for a leak. */
export const TOKENS: Readonly<Record<string, (random: Random) => string>> = {
  "GitHub classic": (r) => `ghp_${word(r, 36)}`,
  "GitHub OAuth": (r) => `gho_${word(r, 36)}`,
  "GitHub app": (r) => `ghs_${word(r, 36)}`,
  "GitHub fine-grained": (r) => `github_pat_${word(r, 22)}_${word(r, 59)}`,
  GitLab: (r) => `glpat-${word(r, 20)}`,
  "GitLab runner": (r) => `glrt-${word(r, 20)}`,
  "Slack bot": (r) =>
    `xoxb-${word(r, 12, "0123456789")}-${word(r, 12, "0123456789")}-${word(r, 24)}`,
  "Slack app": (r) =>
    `xapp-1-A${word(r, 10, UPPER)}-${word(r, 13, "0123456789")}-${word(r, 64, HEX)}`,
  "AWS id": (r) => `AKIA${word(r, 16, UPPER)}`,
  "Alibaba id": (r) => `LTAI5t${word(r, 18)}`,
  "model key": (r) => `sk-${word(r, 32, HEX)}`,
  "model key of a project": (r) => `sk-proj-${word(r, 74)}`,
  Anthropic: (r) => `sk-ant-api03-${word(r, 93)}AA`,
  OpenRouter: (r) => `sk-or-v1-${word(r, 64, HEX)}`,
  Groq: (r) => `gsk_${word(r, 52)}`,
  "Hugging Face": (r) => `hf_${word(r, 34)}`,
  NVIDIA: (r) => `nvapi-${word(r, 64)}`,
  Tailscale: (r) => `tskey-auth-${word(r, 16)}CNTRL-${word(r, 32)}`,
  Pinecone: (r) => `pcsk_${word(r, 6)}_${word(r, 63)}`,
  Netlify: (r) => `nfp_${word(r, 36)}`,
  "Google key": (r) => `AIza${word(r, 35)}`,
  "Google OAuth": (r) => `ya29.${word(r, 60)}`,
  npm: (r) => `npm_${word(r, 36)}`,
  PyPI: (r) => `pypi-${word(r, 90)}`,
  Stripe: (r) => `sk_live_${word(r, 24)}`,
  "Stripe webhook": (r) => `whsec_${word(r, 32)}`,
  SendGrid: (r) => `SG.${word(r, 22)}.${word(r, 43)}`,
  DigitalOcean: (r) => `dop_v1_${word(r, 64, HEX)}`,
  "Docker Hub": (r) => `dckr_pat_${word(r, 27)}`,
  Vault: (r) => `hvs.${word(r, 95)}`,
  Databricks: (r) => `dapi${word(r, 32, HEX)}`,
  Shopify: (r) => `shpat_${word(r, 32, HEX)}`,
  Linear: (r) => `lin_api_${word(r, 40)}`,
  Figma: (r) => `figd_${word(r, 43)}`,
  Notion: (r) => `ntn_${word(r, 11, "0123456789")}${word(r, 35)}`,
  Grafana: (r) => `glsa_${word(r, 32)}_${word(r, 8, HEX)}`,
  JWT: (r) => `${jwtPart(r, 30)}.${jwtPart(r, 60)}.${word(r, 43)}`,
  EasyPost: (r) => `EZAK${word(r, 54)}`,
  Adafruit: (r) => `aio_${word(r, 28)}`,
  "crates.io": (r) => `cio${word(r, 32)}`,
  Mapbox: (r) => `sk.${jwtPart(r, 60)}.${word(r, 22)}`,
  Dropbox: (r) => `sl.B${word(r, 130)}`,
  Facebook: (r) => `EAAC${word(r, 140)}`,
  Telegram: (r) => `${1 + word(r, 9, "0123456789")}:AA${word(r, 33)}`,
};

/** Places where a token of any kind may stand; the words around it are what must stay. */
export const SURROUNDINGS: Readonly<Record<string, (secret: string) => string>> = {
  "tool output": (s) => `Logged in.\nUsing ${s} for example.com\nDone in 2 s`,
  "JSON arguments": (s) => JSON.stringify({ command: `deploy --with '${s}'`, timeout: 30 }),
  "JSON in JSON": (s) => JSON.stringify(JSON.stringify({ text: `first line\n${s}\nlast line` })),
  "a diff": (s) => `@@ -1,2 +1,2 @@\n-const key = "";\n+const key = "${s}";\n context`,
  "an env dump": (s) => `HOME=/root\nVALUE=${s}\nLANG=C.UTF-8`,
  "a log line": (s) => `2026-01-02T03:04:05Z INFO client connected auth=${s} status=200`,
  "an address": (s) => `GET https://api.example.com/v1/things?access=${s}&page=2`,
  "a markdown table": (s) => `| name | value |\n|---|---|\n| prod | \`${s}\` |\n| note | none |`,
  "a coloured line": (s) => `\u001b[32mok\u001b[0m \u001b[1m${s}\u001b[0m saved`,
  "a colour inside": (s) =>
    `token \u001b[31m${s.slice(0, 9)}\u001b[0m\u001b[31m${s.slice(9)}\u001b[0m end`,
  "a YAML list": (s) => `steps:\n  - run: login ${s}\n  - run: npm test`,
  "a header of a request": (s) => `curl -H "Authorization: Bearer ${s}" https://example.com/v1`,
  "escaped characters": (s) => `{"v":"${escaped(s)}","w":"kept"}`,
  "a wrap at column 40": (s) => wrapped(`$ export SOMETHING_FOR_TESTS=${s}`, 40),
  "a wrap at column 80": (s) =>
    wrapped(`$ curl --silent --show-error --fail https://example.com/v1 --with ${s}`, 80),
  "a wrap with colours": (s) =>
    wrapped(`$ login to the server with the token ${s}`, 50).replaceAll(
      "\n",
      "\u001b[0m\n\u001b[36m",
    ),
  "a box": (s) => boxed(`the token ${s} is new`, 34),
  "a box of ASCII": (s) => boxed(`use ${s}`, 30, "|"),
  "an indented wrap": (s) => wrapped(`Using the token ${s}`, 34).replaceAll("\n", "\n    "),
  "an indented wrap in JSON": (s) =>
    JSON.stringify({ text: JSON.stringify(wrapped(`Using ${s}`, 28).replaceAll("\n", "\n  ")) }),
  "joined strings": (s) => `const key = "${s.slice(0, 13)}" + "${s.slice(13)}";`,
  "joined strings of two lines": (s) =>
    `key = ('${s.slice(0, 14)}'\n       '${s.slice(14)}')\nprint("done")`,
  "a wrap in JSON": (s) => JSON.stringify(wrapped(`$ export SOMETHING_FOR_TESTS=${s}`, 44)),
};

/** Every character that is no letter or digit as `\u002d`; slashes as `\/`. */
function escaped(secret: string): string {
  return secret.replace(/[^A-Za-z0-9]/g, (character) =>
    character === "/" ? "\\/" : `\\u00${character.charCodeAt(0).toString(16)}`,
  );
}

export function wrapped(text: string, width: number): string {
  return (text.match(new RegExp(`.{1,${width}}`, "g")) ?? []).join("\n");
}

export function boxed(text: string, width: number, side = "│"): string {
  const lines = wrapped(text, width).split("\n");
  const rule = side === "|" ? `+${"-".repeat(width + 2)}+` : `╭${"─".repeat(width + 2)}╮`;
  return [rule, ...lines.map((line) => `${side} ${line.padEnd(width)} ${side}`), rule].join("\n");
}

/** What is left of a secret in a text, however it is broken and coloured: the longest piece of it of at least eight characters. */
export function survivor(secret: string, text: string): string | null {
  const plain = text
    .replace(/\\+u00([2-7][0-9a-f])/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's colours
    .replace(/\u001b\[[\d;]*m|\\+u001b\[[\d;]*m|\\+n|[\s"'+│|]/g, "");
  for (let at = 0; at + 8 <= secret.length; at += 1) {
    const piece = secret.slice(at, at + 8);
    if (plain.includes(piece)) return piece;
  }
  return null;
}
