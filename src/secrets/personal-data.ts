/** Who and where: e-mail addresses, addresses of private networks. */
import { EMAIL_NAME_MAX_CHARS } from "../core/limits.ts";
import type { Anchors } from "./anchor-tables.ts";
import type { SecretRange } from "./secret-range.ts";

/** What the part before the `@` is made of. */
const IS_LOCAL = new Uint8Array(128);
for (const code of Buffer.from(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._%+-",
))
  IS_LOCAL[code] = 1;
const isLocal = (code: number) => code < 128 && IS_LOCAL[code] === 1;
const DOMAIN =
  /@((?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,6}([A-Za-z]{2,24}))(?![\w-])(?!\.\w)/y;
/** Domains that belong to nobody, and those of addresses that stand for no person. */
const NOBODYS_DOMAIN =
  /(?:^|\.)(?:example|test|invalid|localhost|local|internal)$|(?:^|\.)example\.(?:com|org|net|edu)$|(?:^|\.)users\.noreply\.github\.com$|^(?:your-?(?:company|domain|org|site)|domain|company|email|mydomain|acme|foo|bar)\.(?:com|org|net|io)$/i;
const NOBODYS_NAME =
  /^(?:git|no-?reply|do-?not-?reply|user(?:name)?|you|your[-._]?(?:name|email)|me|name|someone|somebody|first\.last|jdoe|j(?:ane|ohn)\.?doe)$/i;
/** `package@next.js`, `icon@2x.png`, `getty@tty1.service`: names of files. */
const FILE_ENDING =
  /^(?:js|jsx|ts|tsx|mjs|cjs|json|png|jpe?g|gif|svg|webp|ico|tgz|gz|zip|md|mdx|py|rb|rs|go|lock|css|scss|html?|ya?ml|toml|txt|sh|service|socket|timer|target|mount|slice|scope|java|kt|swift|php|vue|c|h|cpp|hpp|cs|wasm|map|d|log|sql|xml|csv)$/i;

/**
 * E-mail addresses; of persons, as far as their names and domains tell.
 * @param ats where `@` stands, in order
 */
export function emails(text: string, ats: readonly number[]): SecretRange[] {
  const ranges: SecretRange[] = [];
  for (const at of ats) {
    // A decorator, a package's scope: most of them in code.
    if (!isLocal(text.charCodeAt(at - 1)) || !mayBeDomain(text, at + 1)) continue;
    DOMAIN.lastIndex = at;
    const [, domain = "", top = ""] = DOMAIN.exec(text) ?? [];
    if (domain === "" || NOBODYS_DOMAIN.test(domain) || FILE_ENDING.test(top)) continue;
    const start = localStart(text, at);
    const name = text.slice(start, at);
    if (name === "" || NOBODYS_NAME.test(name) || isLogin(text, start)) continue;
    ranges.push({ rule: "email", start, end: at + 1 + domain.length });
  }
  return ranges;
}

/** Whether DOMAIN may hold before that place: a version (`package@1.2.3`) ends with a digit, and a handle has no dot. */
function mayBeDomain(text: string, start: number): boolean {
  let [end, hasDot] = [start, false];
  for (; ; end += 1) {
    const code = text.charCodeAt(end);
    if (code === DOT) {
      // Where no label follows the domain may end before the dot.
      if (!isAlphanumeric(text.charCodeAt(end + 1))) return true;
      hasDot = true;
    } else if (code !== HYPHEN && !isAlphanumeric(code)) break;
  }
  return hasDot && isLetter(text.charCodeAt(end - 1));
}

const [HYPHEN, DOT] = [45, 46];
const isLetter = (code: number) => (code | 32) >= 97 && (code | 32) <= 122;
const isAlphanumeric = (code: number) => isLetter(code) || (code >= 48 && code <= 57);

/** Where the part before the `@` begins. */
function localStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < EMAIL_NAME_MAX_CHARS && isLocal(text.charCodeAt(start - 1)))
    start -= 1;
  // The letter of an escaped line break, `%3C` and dots at the beginning are not of the name.
  const local = text.slice(start, at);
  const lead = /^(?:%3[CcAa]|[-.+%])*/.exec(local)?.[0].length ?? 0;
  const broken = text.charAt(start - 1) === "\\" && /^[nrt]/.test(local) ? 1 : 0;
  return start + Math.max(lead, broken);
}

/** `scheme://user:password@host` is no address of a person. */
function isLogin(text: string, start: number): boolean {
  return /:\/\/[^\s/"'`<>]{0,160}$/.test(text.slice(Math.max(0, start - 180), start));
}

export const PRIVATE_IP_ANCHORS: Anchors = { words: ["10.", "192.168.", "172."] };
const PRIVATE_172 = /^172\.(?:1[6-9]|2\d|3[01])\./;
const IP =
  /(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}(?![\w])(?!\.\d)(?!-[\w])/y;
/** Networks as a whole and their masks say nothing about a machine: `10.0.0.0/8`. */
const NETWORK =
  /^(?:10\.0\.0\.0|172\.16\.0\.0|192\.168\.0\.0|10\.255\.255\.255|192\.168\.255\.255|172\.31\.255\.255)$/;
const VERSION_BEFORE = /(?:[\w)]\/|\bv|version[ :=]*|@|[\w.]-|[\d.]|==|~=|>=|\^|~)$/i;

/**
 * Addresses of private networks.
 * @param places where an anchor of them stands
 */
export function privateAddresses(text: string, places: readonly number[]): SecretRange[] {
  const ranges: SecretRange[] = [];
  for (const index of places) {
    if (/\w/.test(text.charAt(index - 1))) continue;
    IP.lastIndex = index;
    const address = IP.exec(text)?.[0];
    if (address === undefined || NETWORK.test(address)) continue;
    if (address.startsWith("172") && !PRIVATE_172.test(address)) continue;
    const before = text.slice(Math.max(0, index - 12), index);
    // Behind `name@` it may be a version too: it is taken for a machine.
    if (
      VERSION_BEFORE.test(before) &&
      !/(?:[^:]\/\/|\w@|:\/\/\S*@)$/.test(before) &&
      !/:\/\/$/.test(before)
    )
      continue;
    ranges.push({ rule: "private-ip", start: index, end: index + address.length });
  }
  return ranges;
}
