/** A time that a transcript tells (ISO 8601, or epoch in seconds or milliseconds) in ISO 8601, or null. */
function isoTime(value: unknown): string | null {
  if (typeof value !== "string" && typeof value !== "number") return null;
  if (typeof value === "string" && !/^\d{4}-\d\d-\d\dT/.test(value)) return null;
  // Epoch seconds reach milliseconds' range only after the year 5000.
  const isSeconds = typeof value === "number" && Math.abs(value) < 100_000_000_000;
  const date = new Date(isSeconds ? value * 1000 : value);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** Gives a time as isoTime does, and the same text again for the same one at once: a message and its calls share it. */
export class TimeReader {
  #at: unknown = null;
  #time: string | null = null;

  read(at: unknown): string | null {
    if (at !== this.#at) [this.#at, this.#time] = [at, isoTime(at)];
    return this.#time;
  }
}
