import { CREDENTIAL_MIN_CHARS, CREDENTIAL_WORD_MAX_CHARS } from "../core/limits.ts";
import { isPublicId, isRandom } from "./secret-value.ts";

/** What stands behind the word for a credential: which one of several, for which place, who may do what with it. */
const NAME_TAIL =
  "S?(?:_?\\d|_(?:V\\d+|PROD|PRODUCTION|STAGING|STAGE|LIVE|TEST|TESTING|DEV|DEVELOPMENT|QA|CI|LOCAL|SANDBOX|OLD|NEW|NEXT|PREVIOUS|CURRENT|BACKUP|PRIMARY|SECONDARY|MAIN|DEFAULT|VALUE|RO|RW|READ|WRITE|READ_?ONLY|ADMIN|B64|BASE64))*$";

/** Names of variables that hold a credential, whatever the program. */
const CREDENTIAL_NAME = new RegExp(
  "(?:^|_)(?:TOKEN|KEY|APIKEY|SECRET|PASSWORD|PASSWD|PASS|PASSPHRASE|PAT|CREDENTIAL|AUTH|COOKIE)" +
    `${NAME_TAIL}|(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|APIKEY|PWD|(?<!BY|COM)PASS)${NAME_TAIL}` +
    "|^(?:TOKEN|SECRET|PASSWORD|API_KEY|ACCESS_KEY)_|(?:^|_)SECRET_ID$",
  "i",
);

/** Names that only look so: they hold paths, sockets, names of keys or public halves. */
const NO_CREDENTIAL = new RegExp(
  "^(?:OLD|INIT_C?)?PWD$|(?:^|_)(?:SSH_AUTH_SOCK|XAUTHORITY|KEY_(?:ID|NAME|FILE|PATH))$" +
    `|(?:^|_)(?:PUBLIC_KEY|AUTHORIZED_KEY|SORT_KEY|CACHE_KEY|PARTITION_KEY)${NAME_TAIL}` +
    "|_(?:FILE|PATH|DIR|URL|SOCK|NAME|(?<!_SECRET_|^SECRET_)ID)$",
  "i",
);

const NAME_OF_SEVERAL = /(?:TOKEN|KEY|SECRET|PASSWORD|PAT|CREDENTIAL|COOKIE)S(?:_|\d|$)/i;

/** How a header begins; the credential stands behind it. */
const SCHEME = /^(?:Bearer|Basic|Token)\s+(?=\S+$)/i;

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\/(?:([^/@?#]*)@)?[^/?#]*([^#]*)/i;
/** Addresses under such a name hold their secret in the path or the query. */
const HOOK_NAME = /HOOK/i;

/**
 * The values of the process's own credentials (`OPENAI_API_KEY`, `GITHUB_TOKEN`, …): every
 * variable whose name says so, and what is secret of an address in any variable
 * (`DATABASE_URL=postgres://user:password@…`, the last part of a webhook's), with a value of at
 * least CREDENTIAL_MIN_CHARS characters, without quotes and `Bearer` around it; of a list
 * (`API_KEYS`) each item too. Plain numbers and single words are left out: they are no secrets, and
 * replacing them would destroy the text.
 */
export function credentialsOf(env: NodeJS.ProcessEnv): string[] {
  const values = new Set<string>();
  for (const [name, value] of Object.entries(env)) {
    const text = bareValue(value ?? "");
    const isNamed = CREDENTIAL_NAME.test(name) && !NO_CREDENTIAL.test(name);
    const given = isNamed ? [text, ...itemsOf(name, text)] : [];
    for (const each of [...given, ...secretsOfAddress(name, text)]) {
      if (each.length >= CREDENTIAL_MIN_CHARS && !isPlain(each)) values.add(each);
    }
  }
  return [...values];
}

/** Without the quotes that an env file leaves around it when no shell reads it, and without a header's scheme. */
function bareValue(value: string): string {
  const unquoted = (text: string) => /^(["'])(.*)\1$/s.exec(text)?.[2] ?? text;
  const text = unquoted(value.trim()).trim().replace(SCHEME, "");
  return unquoted(text).trim();
}

/** What a variable of several holds; beside them may stand names, kinds and words of JSON. */
function itemsOf(name: string, text: string): string[] {
  if (!NAME_OF_SEVERAL.test(name) || !/[,;\s]/.test(text)) return [];
  const items = text.split(/[,;\s[\]]+/).map(bareValue);
  return items.filter((item) => /^[^{}"':=]+$/.test(item) && isRandom(item));
}

/** A number, a switch, or one word: of small letters, as many as words have, and not all of them consonants. */
function isPlain(value: string): boolean {
  if (/^(?:\d+|true|false)$/.test(value)) return true;
  const isShort = /^[a-z]+$/.test(value) && value.length <= CREDENTIAL_WORD_MAX_CHARS;
  return isShort && !/[bcdfghjklmnpqrstvwxz]{5}/.test(value);
}

/** The password of an address (or a token in the place of the user), and long random parts behind the host. */
function secretsOfAddress(name: string, value: string): string[] {
  const match = ADDRESS.exec(value);
  if (match === null) return [];
  const [, login = "", rest = ""] = match;
  const [user = "", password] = login.split(/:(.*)/s, 2);
  const own = password ?? (isRandom(user) ? user : "");
  const parts = rest.split(/[/?&=]/).filter((part) => isSecretPart(part, HOOK_NAME.test(name)));
  return [own, ...parts].flatMap((part) => [part, decoded(part)]);
}

function isSecretPart(part: string, isHook: boolean): boolean {
  if (!/^[\w.~%-]{16,}$/.test(part) || isPublicId(part) || !isRandom(part)) return false;
  // Elsewhere a long part may be a version or a file: only what mixes all three is taken.
  return isHook || (/^[\w-]{20,}$/.test(part) && /[a-z]/.test(part) && /[A-Z]/.test(part));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A lone `%`: it stands as it is.
    return part;
  }
}

/**
 * The spellings in which a credential may stand in a text: plain, URL-encoded, in JSON, in hexadecimal, in
 * another case, and in base64 at each of the three places where it can begin (`user:password`
 * encoded as a whole).
 */
export function credentialForms(credential: string): string[] {
  const bytes = Buffer.from(credential, "utf8");
  // Decoded from its bytes, a text has no lone surrogate, which encodeURIComponent would throw at.
  const urlEncoded = encodeURIComponent(bytes.toString("utf8"));
  const forms = new Set([credential, urlEncoded]);
  // Some programs write the digits small; a form has `+` for a blank, and encodes a few signs more.
  forms.add(urlEncoded.replace(/%[0-9A-F]{2}/g, (digits) => digits.toLowerCase()));
  forms.add(new URLSearchParams([["", bytes.toString("utf8")]]).toString().slice(1));
  // Inside JSON text, quotes and backslashes of the value are escaped; in JSON inside of JSON, twice.
  const inJson = JSON.stringify(credential).slice(1, -1);
  forms.add(inJson).add(JSON.stringify(inJson).slice(1, -1));
  forms.add(bytes.toString("hex")).add(bytes.toString("hex").toUpperCase());
  // Without a digit it may be a word, whose other spellings are no secret.
  if (/\d/.test(credential)) forms.add(credential.toUpperCase()).add(credential.toLowerCase());
  const padded = Buffer.concat([Buffer.alloc(2), bytes]);
  for (const offset of [0, 1, 2]) {
    const encoded = innerBase64(padded.subarray(2 - offset), offset);
    if (encoded.length < CREDENTIAL_MIN_CHARS) continue;
    forms.add(encoded);
    forms.add(encoded.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return [...forms];
}

/** The base64 characters that the bytes behind the first `offset` alone decide. */
function innerBase64(bytes: Buffer, offset: number): string {
  const start = offset === 0 ? 0 : offset + 1;
  // Six bits each; of the last one some may be of what follows.
  const end = Math.floor((bytes.length * 4) / 3);
  return bytes.toString("base64").slice(start, end);
}
