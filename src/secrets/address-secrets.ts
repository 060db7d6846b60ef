/** Credentials in addresses and in the commands that take them: `https://user:password@host`, `curl -u`. */
import { SECRET_CONTEXT_CHARS, SECRET_LOGIN_MAX_CHARS } from "../core/limits.ts";
import type { Anchors } from "./anchor-tables.ts";
import type { SecretRange } from "./secret-range.ts";
import { isExample, isNoSecretWord, isPlaceholder, isRandom, isReference } from "./secret-value.ts";

const AUTHORITY = /[^\s/?#"'`<>\\|]{1,1024}/y;
/** Passwords that nobody encoded may hold a `/`: only where a database follows, and no port. */
const DATABASE_LOGIN =
  /[^\s:@/"'`<>]{0,128}:(?!\d{1,5}\/)([^\s"'`<>\\]{3,256}?)@(?=[\w.-]+(?:[:/?"'`\s,)]|$))/my;
const SCHEME_BEFORE = /[a-z][a-z0-9+.-]{0,19}$/i;
const DATABASE =
  /^(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver)$/i;

const isNoExample = (secret: string) =>
  !isExample(secret) && !isReference(secret) && !isPlaceholder(secret) && !/^[{<[]/.test(secret);

export const ADDRESS_ANCHORS: Anchors = { words: ["://"] };

/**
 * Passwords of addresses, or the token in the user's place.
 * @param places where the anchor stands
 * @param onSuspect is told the place of each address with a login that seems to be no secret
 */
export function addressSecrets(
  text: string,
  places: readonly number[],
  onSuspect: (at: number) => void,
): SecretRange[] {
  const ranges: SecretRange[] = [];
  if (!text.includes("@")) return ranges;
  for (const at of places) {
    const start = at + 3;
    if (!mayHoldLogin(text, start)) continue;
    const secret = databaseSecret(text, at) ?? loginSecret(text, start);
    if (secret === null) continue;
    if (secret.end > secret.start) ranges.push(secret);
    else onSuspect(at);
  }
  return ranges;
}

/** What no login holds, unless it is spelled otherwise: blanks, quotes, brackets. */
const ENDS_LOGIN = new Set([..." \t\n\r\"'`<>"].map((each) => each.charCodeAt(0)));

/** Whether an `@` follows before anything that ends a login: most addresses have none. */
function mayHoldLogin(text: string, start: number): boolean {
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === AT) return true;
    if (ENDS_LOGIN.has(code) || at - start > SECRET_LOGIN_MAX_CHARS) return false;
  }
  return false;
}

const AT = 64;

function loginSecret(text: string, start: number): SecretRange | null {
  AUTHORITY.lastIndex = start;
  const authority = AUTHORITY.exec(text)?.[0];
  const loginLength = authority?.lastIndexOf("@") ?? -1;
  if (authority === undefined || loginLength <= 0) return null;
  const login = authority.slice(0, loginLength);
  const colon = login.indexOf(":");
  const rule = "url-credentials";
  const nothing = { rule, start, end: start };
  const user = colon === -1 ? login : login.slice(0, colon);
  const password = colon === -1 ? "" : login.slice(colon + 1);
  if (password.length >= 3 && isNoExample(password)) {
    const from = start + colon + 1;
    // `https://<token>:x-oauth-basic@…`: the word says that the other half is the secret.
    if (!isNoSecretWord(password)) return { rule, start: from, end: start + loginLength };
  }
  const isToken = user.length >= 16 && /^[\w.~%-]+$/.test(user) && isRandom(user);
  return isToken && isNoExample(user) ? { rule, start, end: start + user.length } : nothing;
}

function databaseSecret(text: string, at: number): SecretRange | null {
  if (text.startsWith("http", at - 5) || text.startsWith("http", at - 4)) return null;
  const scheme = SCHEME_BEFORE.exec(text.slice(Math.max(0, at - 20), at))?.[0] ?? "";
  if (!DATABASE.test(scheme)) return null;
  DATABASE_LOGIN.lastIndex = at + 3;
  const password = DATABASE_LOGIN.exec(text)?.[1];
  if (password === undefined || !isNoExample(password)) return null;
  const end = DATABASE_LOGIN.lastIndex - 1;
  return { rule: "url-credentials", start: end - password.length, end };
}

/** Parameters that are a credential by themselves: signed links, keys. */
const PARAMETER =
  /[?&](?:sig|signature|x-amz-signature|x-amz-credential|x-goog-signature|key|code|auth|sid|session)=/iy;
const PARAMETER_VALUE = /[\w%.~+/-]{16,2048}/y;
const PARAMETER_STARTS = ["sig", "x-amz-", "x-goog-", "key=", "code=", "auth=", "sid=", "session="];
export const PARAMETER_ANCHORS: Anchors = {
  words: PARAMETER_STARTS.flatMap((start) => [`?${start}`, `&${start}`]),
  ignoreCase: true,
};

/**
 * Secrets in the parameters of addresses.
 * @param places where an anchor of them stands
 */
export function parameterSecrets(text: string, places: readonly number[]): SecretRange[] {
  const ranges: SecretRange[] = [];
  for (const index of places) {
    PARAMETER.lastIndex = index;
    const parameter = PARAMETER.exec(text)?.[0];
    if (parameter === undefined) continue;
    const start = index + parameter.length;
    PARAMETER_VALUE.lastIndex = start;
    const value = PARAMETER_VALUE.exec(text)?.[0] ?? "";
    if (value === "" || !isRandom(value) || !isNoExample(value)) continue;
    ranges.push({ rule: "url-credentials", start, end: start + value.length });
  }
  return ranges;
}

const LOGIN =
  /"auth\\{0,7}"\s{0,3}:\s{0,3}\\{0,7}"(?=(?<login>[A-Za-z0-9+/]{12,1024}={0,2}))|::add-mask::(?=(?<masked>[^\s"'$\\]{6,1024}))/iy;

/** A registry's login in Docker's settings, in base64; the value that a workflow masks. */
export const LOGIN_ANCHORS: Anchors = {
  words: ['"auth"', '"auth\\"', "::add-mask::"],
  ignoreCase: true,
};

/**
 * Logins in base64, and what is said to be a secret.
 * @param places where an anchor of them stands
 */
export function loginSecrets(text: string, places: readonly number[]): SecretRange[] {
  const ranges: SecretRange[] = [];
  for (const at of places) {
    LOGIN.lastIndex = at;
    const { login, masked = "" } = LOGIN.exec(text)?.groups ?? {};
    const isLogin = /^[\x21-\x7e]+:[\x21-\x7e]+$/.test(
      Buffer.from(login ?? "", "base64").toString(),
    );
    const secret = isLogin ? login : masked;
    if (!secret || !isRandom(secret) || !isNoExample(secret)) continue;
    const start = LOGIN.lastIndex;
    ranges.push({ rule: "url-credentials", start, end: start + secret.length });
  }
  return ranges;
}

interface Option {
  /** Sticky; the first group is the password. */
  readonly pattern: RegExp;
  /** What must stand before it in the same line. */
  readonly behind: RegExp;
}

const OPTIONS: readonly Option[] = [
  {
    pattern: / (?:-u|--user|--proxy-user)[ =]?["']?[^\s:"'$]{1,128}:([^\s"'$[\]]{3,256})/y,
    behind: /\b(?:curl|http|https|xh)\b/,
  },
  {
    pattern: / -p[ =]?["']?([^\s"'$[\]]{4,256})/y,
    behind: /\b(?:sshpass|(?:docker|podman)\b.{0,200}\blogin)\b/,
  },
  {
    pattern: / -p["']?([^\s"'$[\]-][^\s"'$[\]]{3,255})/y,
    behind: /\b(?:mysql|mysqldump|mariadb)\b/,
  },
  { pattern: / -a[ =]?["']?([^\s"'$[\]]{6,256})/y, behind: /\bredis-cli\b/ },
  {
    pattern: / -p[ =]?["']?([^\s"'$[\]/-][^\s"'$[\]]{3,255})/y,
    behind: /\b(?:mongo(?:sh|dump|restore|import|export)\b|mongo -)[^|;&]*$/,
  },
  {
    pattern: / -p["']?([^\s"'$[\]-][^\s"'$[\]]{3,255})/y,
    behind: /\b(?:7z[arz]?|(?:un)?rar)\s[^|;&]*$/,
  },
  {
    pattern: / -P[ =]?["']?([^\s"'$[\]-][^\s"'$[\]]{3,255})/y,
    behind: /\b(?:un)?zip(?:\s[^|;&]*)?$/,
  },
  {
    pattern: / -u[ =]?["']?[^\s,:"'$]{1,128},([^\s"'$[\]]{3,256})/y,
    behind: /\blftp(?:\s[^|;&]*)?$/,
  },
  {
    pattern: / -w[ =]?["']?([^\s"'$[\]-][^\s"'$[\]]{3,255})/y,
    behind: /\bldap(?:search|modify|add|delete|whoami|passwd|compare)(?:\s[^|;&]*)?$/,
  },
];
export const OPTION_ANCHORS: Anchors = {
  words: [" -u", " -p", " -a", " -P", " -w", " --user", " --proxy-user"],
};

/**
 * Passwords in the options of commands.
 * @param places where an anchor of them stands
 */
export function commandSecrets(text: string, places: readonly number[]): SecretRange[] {
  const ranges: SecretRange[] = [];
  for (const index of places) {
    const before = text.slice(Math.max(0, index - SECRET_CONTEXT_CHARS), index);
    const line = before.slice(before.lastIndexOf("\n") + 1);
    for (const { pattern, behind } of OPTIONS) {
      pattern.lastIndex = index;
      const password = pattern.exec(text)?.[1] ?? "";
      if (password === "" || !isNoExample(password) || !behind.test(line)) continue;
      const end = pattern.lastIndex;
      ranges.push({ rule: "password", start: end - password.length, end });
    }
  }
  return ranges;
}
