/** Credentials in addresses and in the commands that take them: `https://user:password@host`, `curl -u`. */
import { SECRET_CONTEXT_CHARS } from "../core/limits.ts";
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

/**
 * Passwords of addresses, or the token in the user's place.
 * @param onSuspect is told the place of each address with a login
 */
export function addressSecrets(text: string, onSuspect: (at: number) => void): SecretRange[] {
  const ranges: SecretRange[] = [];
  if (!text.includes("@")) return ranges;
  for (let at = text.indexOf("://"); at !== -1; at = text.indexOf("://", at + 3)) {
    const start = at + 3;
    const secret = databaseSecret(text, at) ?? loginSecret(text, start);
    if (secret === null) continue;
    onSuspect(at);
    if (secret.end > secret.start) ranges.push(secret);
  }
  return ranges;
}

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
  /[?&](?:sig|signature|x-amz-signature|x-amz-credential|x-goog-signature|key|code|auth|sid|session)=/gi;
const PARAMETER_VALUE = /[\w%.~+/-]{16,2048}/y;

/** Secrets in the parameters of addresses. */
export function parameterSecrets(text: string): SecretRange[] {
  const ranges: SecretRange[] = [];
  for (const { index, 0: parameter } of text.matchAll(PARAMETER)) {
    const start = index + parameter.length;
    PARAMETER_VALUE.lastIndex = start;
    const value = PARAMETER_VALUE.exec(text)?.[0] ?? "";
    if (value === "" || !isRandom(value) || !isNoExample(value)) continue;
    ranges.push({ rule: "url-credentials", start, end: start + value.length });
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
];
const OPTION = / -(?:[upa]|-user|-proxy-user)/g;

/** Passwords in the options of commands. */
export function commandSecrets(text: string): SecretRange[] {
  const ranges: SecretRange[] = [];
  for (const { index } of text.matchAll(OPTION)) {
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
