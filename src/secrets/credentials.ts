import { CREDENTIAL_MIN_CHARS } from "../core/limits.ts";

/** Names of variables that hold a credential, whatever the program. */
const CREDENTIAL_NAME =
  /(?:^|_)(?:TOKEN|KEY|APIKEY|SECRET|SECRETS|PASSWORD|PASSWD|PASS|PASSPHRASE|PAT|CREDENTIALS?|AUTH|COOKIE)(?:_\d+)?$|(?:TOKEN|SECRET|PASSWORD|APIKEY)$|^(?:TOKEN|SECRET|PASSWORD|API_KEY|ACCESS_KEY)_/i;

/** Names that only look so: they hold paths, sockets, names of keys or public halves. */
const NO_CREDENTIAL =
  /(?:^|_)(?:PUBLIC_KEY|SORT_KEY|CACHE_KEY|PARTITION_KEY|SSH_AUTH_SOCK|XAUTHORITY|KEY_(?:ID|NAME|FILE|PATH))$|_(?:FILE|PATH|DIR|URL|SOCK|NAME|ID)$/i;

/**
 * The values of the process's own credentials (`OPENAI_API_KEY`, `GITHUB_TOKEN`, …): every
 * variable whose name says so, with a value of at least CREDENTIAL_MIN_CHARS characters. Plain
 * numbers are left out: they are no secrets, and replacing them would destroy the text.
 */
export function credentialsOf(env: NodeJS.ProcessEnv): string[] {
  const values = new Set<string>();
  for (const [name, value] of Object.entries(env)) {
    if (!CREDENTIAL_NAME.test(name) || NO_CREDENTIAL.test(name)) continue;
    const text = value?.trim() ?? "";
    if (text.length < CREDENTIAL_MIN_CHARS || /^(?:\d+|true|false)$/.test(text)) continue;
    values.add(text);
  }
  return [...values];
}

/**
 * The spellings in which a credential may stand in a text: plain, URL-encoded, and in base64 at
 * each of the three places where it can begin (`user:password` encoded as a whole).
 */
export function credentialForms(credential: string): string[] {
  const bytes = Buffer.from(credential, "utf8");
  // Decoded from its bytes, a text has no lone surrogate, which encodeURIComponent would throw at.
  const forms = new Set([credential, encodeURIComponent(bytes.toString("utf8"))]);
  // Inside JSON text, quotes and backslashes of the value are escaped.
  forms.add(JSON.stringify(credential).slice(1, -1));
  for (const offset of [0, 1, 2]) {
    const encoded = innerBase64(bytes, offset);
    if (encoded.length < CREDENTIAL_MIN_CHARS) continue;
    forms.add(encoded);
    forms.add(encoded.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return [...forms];
}

/** The base64 characters that the bytes alone decide when `offset` others stand before them. */
function innerBase64(bytes: Buffer, offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
  const start = [0, 2, 3][offset] ?? 0;
  const spare = (offset + bytes.length) % 3;
  const end = encoded.replace(/=+$/, "").length - (spare === 0 ? 0 : 1);
  return encoded.slice(start, end);
}
