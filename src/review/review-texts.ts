/** The short texts that a model reads, by name: those of `templates/review/texts.md`. Pure. */
import { fill } from "../core/fill.ts";

/** @throws Error for a name that the file doesn't have: a bug */
export type ReviewTexts = (name: string, values?: Readonly<Record<string, string>>) => string;

/** @param template `## name` above each text */
export function reviewTexts(template: string): ReviewTexts {
  const parts = template.split(/^## (\S+)\n/m).slice(1);
  const texts = new Map<string, string>();
  for (let i = 0; i + 1 < parts.length; i += 2)
    texts.set(parts[i] ?? "", (parts[i + 1] ?? "").trim());
  return (name, values = {}) => {
    const text = texts.get(name);
    if (text === undefined) throw new Error(`templates/review/texts.md has no ${name}`);
    return fill(text, values);
  };
}
