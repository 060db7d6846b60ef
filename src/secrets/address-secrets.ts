/** Credentials in addresses and in the commands that take them: `https://user:password@host`, `curl -u`. */
import { SECRET_CONTEXT_CHARS } from "../core/limits.ts";
import type { SecretRange } from "./secret-range.ts";
import { isExample, isPlaceholder, isRandom, isReference } from "./secret-value.ts";
import { wordFinder } from "./word-finder.ts";

const AUTHORITY = /[^\s/?#"'`<>\\|]{1,1024}/y;
/** Passwords that nobody encoded may hold a `/`: only where a database follows, and no port. */
const DATABASE_LOGIN =
  /[^\s:@/"'`<>]{0,128}:(?!\d{1,5}\/)([^\s"'`<>\\]{3,256})@(?=[\w.-]+(?:[:/?]|$))/my;
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
    const secret = loginSecret(text, start) ?? databaseSecret(text, at);
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
    if (!/^x-|^oauth2?$/i.test(password)) return { rule, start: from, end: start + loginLength };
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

/** The ends of the names of parameters that are a credential by themselves: signed links, keys. */
const parameterEnds = wordFinder(
  ["sig=", "ure=", "ial=", "key=", "ode=", "uth=", "sid=", "ion="],
  4,
  true,
);
const PARAMETER =
  /[?&](?:sig|signature|x-amz-signature|x-amz-credential|x-goog-signature|key|code|auth|sid|session)=$/i;
const PARAMETER_VALUE = /[\w%.~+/-]{16,2048}/y;

/** Secrets in the parameters of addresses. */
export function parameterSecrets(text: string): SecretRange[] {
  const ranges: SecretRange[] = [];
  for (const at of parameterEnds(text)) {
    const start = at + "key=".length;
    if (!PARAMETER.test(text.slice(Math.max(0, start - 20), start))) continue;
    PARAMETER_VALUE.lastIndex = start;
    const value = PARAMETER_VALUE.exec(text)?.[0] ?? "";
    if (value === "" || !isRandom(value) || !isNoExample(value)) continue;
    ranges.push({ rule: "url-credentials", start, end: start + value.length });
  }
  return ranges;
}

/** Commands that take a password as an option, and how; within one line. */
const COMMAND = /\b(?:curl|https?|xh|sshpass|docker|podman|mysql(?:dump)?|mariadb|redis-cli) /g;
const OPTIONS: readonly { readonly command: RegExp; readonly option: RegExp }[] = [
  {
    command: /^(?:curl|http|xh)/,
    option: /\s(?:-u|--user|--proxy-user)[ =]?["']?[^\s:"'$]{1,128}:([^\s"'$[\]]{3,256})/dg,
  },
  {
    command: /^(?:sshpass|docker.*\blogin|podman.*\blogin)/,
    option: /\s-p[ =]?["']?([^\s"'$[\]]{4,256})/dg,
  },
  { command: /^(?:mysql|mariadb)/, option: /\s-p["']?([^\s"'$[\]-][^\s"'$[\]]{3,255})/dg },
  { command: /^redis-cli/, option: /\s-a[ =]?["']?([^\s"'$[\]]{6,256})/dg },
];

/** Passwords in the options of commands. */
export function commandSecrets(text: string): SecretRange[] {
  const ranges: SecretRange[] = [];
  for (const { index } of text.matchAll(COMMAND)) {
    const line = text.slice(index, index + SECRET_CONTEXT_CHARS).split("\n", 1)[0] ?? "";
    for (const { command, option } of OPTIONS) {
      if (command.test(line)) ranges.push(...optionSecrets(line, option, index));
    }
  }
  return ranges;
}

function optionSecrets(line: string, option: RegExp, offset: number): SecretRange[] {
  return [...line.matchAll(option)]
    .filter((match) => isNoExample(match[1] ?? ""))
    .map((match) => {
      const [start, end] = match.indices?.[1] ?? [0, 0];
      return { rule: "password", start: offset + start, end: offset + end };
    });
}
