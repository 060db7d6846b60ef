import { SkillprError } from "../core/errors.ts";

/** Where chat completions are asked for. */
export interface ModelAddress {
  /** Without a final slash and without the query: `https://api.example.com/v1`. */
  readonly baseUrl: string;
  /** Query parameters that every request carries (`api-version=…`). */
  readonly query: Readonly<Record<string, string>>;
}

const OPENAI = "https://api.openai.com/v1";
const HINT =
  "set OPENAI_BASE_URL or --base-url to the address before /chat/completions, e.g. https://api.example.com/v1";

/**
 * @param baseUrl as the user gave it; null or empty: OpenAI's own server. The whole address of the
 *   endpoint is understood too.
 * @throws SkillprError code `config` for what is no web address, or holds a password
 */
export function modelAddress(baseUrl: string | null): ModelAddress {
  const text = baseUrl?.trim() || OPENAI;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    // The text is not shown: it may be a key that landed in the wrong variable.
    throw new SkillprError("config", "the model's address is not a URL", HINT);
  }
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new SkillprError("config", "the model's address is not an http or https URL", HINT);
  if (url.username !== "" || url.password !== "")
    throw new SkillprError(
      "config",
      "the model's address holds a user name or password",
      "give the key in OPENAI_API_KEY, and the address without it",
    );
  const path = url.pathname.replace(/\/+$/, "").replace(/\/chat\/completions$/, "");
  return { baseUrl: url.origin + path, query: Object.fromEntries(url.searchParams) };
}
