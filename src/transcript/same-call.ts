/** One call, written down more than once while it streamed. */
import type { CallDraft } from "./session-drafts.ts";

/** True for a call that was written down again. */
export function isSameCall(known: CallDraft, next: CallDraft): boolean {
  return known.name === next.name && JSON.stringify(known.args) === JSON.stringify(next.args);
}

/** True for a call that was written down while its arguments still arrived. */
export function isPartOf(known: CallDraft, next: CallDraft): boolean {
  if (known.name !== next.name || known.outcome !== "unknown") return false;
  return Object.entries(known.args).every(([key, value]) => {
    const full = next.args[key];
    if (typeof value === "string" && typeof full === "string") return full.startsWith(value);
    return JSON.stringify(value) === JSON.stringify(full);
  });
}
