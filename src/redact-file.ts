/** A transcript as the agent wrote it, with every secret replaced: the same format, fit to leave the machine. */
import { SkillprError } from "./core/errors.ts";
import type { Redactor } from "./secrets/redactor.ts";

/**
 * @param text JSON Lines, one JSON document, or Markdown
 * @throws SkillprError `input` when the text is neither lines of JSON nor JSON although it begins so
 */
export async function redactFile(text: string, redactor: Redactor): Promise<string> {
  const values = jsonIn(text);
  if (values === null) return (await redactor.redact([text]))[0] ?? "";
  const { records, isLines } = values;
  const strings: string[] = [];
  for (const record of records) visit(record, (one) => strings.push(one));
  // All at once: what one place gives away as a secret is replaced at all others.
  const clean = await redactor.redact(strings);
  let at = 0;
  const redacted = records.map((record) => replaced(record, () => clean[at++] ?? ""));
  if (!isLines) return `${JSON.stringify(redacted[0], null, 2)}\n`;
  return `${redacted.map((record) => JSON.stringify(record)).join("\n")}\n`;
}

/** Null: the text is no JSON at all. */
function jsonIn(text: string): { records: unknown[]; isLines: boolean } | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return { records: [JSON.parse(text)], isLines: false };
  } catch {
    // Not one document: a line each, then.
  }
  const records: unknown[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    try {
      records.push(JSON.parse(line));
    } catch {
      throw new SkillprError(
        "input",
        `line ${index + 1} of the transcript is not JSON, so it can't be redacted place by place`,
        "the session may still be written to: try again when it is over",
      );
    }
  }
  return { records, isLines: true };
}

/** Every string, keys too, in a fixed order. */
function visit(value: unknown, see: (text: string) => void): void {
  if (typeof value === "string") see(value);
  else if (Array.isArray(value)) for (const item of value) visit(item, see);
  else if (typeof value === "object" && value !== null)
    for (const [key, inner] of Object.entries(value)) {
      see(key);
      visit(inner, see);
    }
}

function replaced(value: unknown, next: () => string): unknown {
  if (typeof value === "string") return next();
  if (Array.isArray(value)) return value.map((item) => replaced(item, next));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([, inner]) => {
      const key = next();
      return [key, replaced(inner, next)];
    }),
  );
}
