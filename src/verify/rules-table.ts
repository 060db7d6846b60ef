/** The rules as a page shows them. */
import { RULES } from "./rules.ts";

/** A markdown table of all rules, with a trailing newline; docs/verifier.md contains it. */
export function rulesTable(): string {
  const rows = RULES.map(({ id, level, why, example, profiles }) =>
    [`\`${id}\``, level, why, example, profiles.join(", ")].map(cell).join(" | "),
  );
  return `${[
    "| Rule | Level | Why | Refuses, for example | Profiles |",
    "|---|---|---|---|---|",
    ...rows.map((row) => `| ${row} |`),
  ].join("\n")}\n`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
