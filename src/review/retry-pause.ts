import {
  MODEL_RETRY_AFTER_MAX_MS,
  MODEL_RETRY_PAUSE_MAX_MS,
  MODEL_RETRY_PAUSE_MS,
} from "../core/limits.ts";

/** How long a server asks to wait, in milliseconds: `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function retryAfter(headers: Headers, now: number): number | null {
  const exact = Number(headers.get("retry-after-ms") || Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const text = headers.get("retry-after")?.trim() ?? "";
  if (text === "") return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1000 : null;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/**
 * The pause before the next try: what the server asked for, but at least what grows with the tries.
 * Null when it asks for longer than is worth waiting.
 *
 * @param tries how often it was asked so far
 * @param first the pause after the first try
 */
export function retryPause(
  tries: number,
  retryAfterMs: number | null,
  first = MODEL_RETRY_PAUSE_MS,
): number | null {
  if (retryAfterMs !== null && retryAfterMs > MODEL_RETRY_AFTER_MAX_MS) return null;
  const growing = Math.min(first * 2 ** (tries - 1), MODEL_RETRY_PAUSE_MAX_MS);
  return Math.max(retryAfterMs ?? 0, growing);
}
