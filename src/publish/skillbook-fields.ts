/** The fields that only the Skillbook's page has: its operations in words, and where each strategy was seen. */
import * as limits from "../core/limits.ts";
import { markdownCellCode, markdownCode, markdownText } from "../core/markdown.ts";
import { count, cut } from "../core/text.ts";
import type { Proposal } from "../proposal/proposal.ts";
import { isFull } from "../skills/occurrences.ts";
import { changeLines, countByType, harmLines, markdownLines } from "../skills/operation-lines.ts";
import { operationsBetween } from "../skills/operations-between.ts";
import { tagsOf } from "../skills/skill-tags.ts";
import { type Skillbook, strategyOf } from "../skills/skillbook.ts";
import { limitWarnings } from "../skills/skillbook-limits.ts";

export interface SkillbookVersions {
  /** The base's. */
  readonly before: Skillbook;
  /** What is proposed. */
  readonly after: Skillbook;
  /** What was proposed before this commit; null: nothing was, or it was made again on another base. */
  readonly wasOpen: Skillbook | null;
}

type Detail = (typeof limits.PULL_REQUEST_DETAILS)[number];

/** @param detail how much of each part is shown */
export function skillbookFields(
  { before, after, wasOpen }: SkillbookVersions,
  { session, alsoFrom = [] }: Proposal,
  detail: Detail,
) {
  const { operations, ids } = operationsBetween(before, after);
  const style = markdownLines(detail.text);
  const lines = (all: readonly string[]) => shortList(all, detail.findings);
  // `apply` and `import` bring operations that no session here is known for.
  const isBatch = session.agent === "apply" || session.agent === "import";
  const file = markdownCode(cut(session.id, limits.QUOTE_MAX_CHARS));
  const others = alsoFrom.map((each) => `- Session ${markdownCode(each.session.id)}`);
  return {
    counts: markdownText(countByType(operations) || "no operation"),
    operations: lines(changeLines(before, after, style)),
    latest_operations: wasOpen === null ? "" : lines(changeLines(wasOpen, after, style)),
    warnings: lines(harmLines(after, style)),
    limits: limitWarnings(after)
      .map((each) => `- ${each}.`)
      .join("\n"),
    seen_in: sourcesTable(after, [...new Set(ids)], detail),
    from_batch: isBatch ? "yes" : "",
    batch: session.agent === "import" ? `an import of ${file}` : `a batch of operations, ${file}`,
    has_session: isBatch ? "" : "yes",
    other_sessions: lines(others),
  };
}

/** One row for each strategy or skill that is touched: its marks now, and the traces that it comes from. */
function sourcesTable(after: Skillbook, ids: readonly string[], detail: Detail): string {
  const rows = ids.slice(0, detail.rows).map((id) => {
    const about = strategyOf(after, id) ?? tagsOf(after, id);
    const traces = (about?.occurrences ?? []).map((each) =>
      markdownCellCode(
        cut(String(each["trace_uid"] ?? each["trace_id"] ?? "unnamed"), limits.QUOTE_MAX_CHARS),
      ),
    );
    // The newest are those that this change brought.
    const shown = traces.slice(-limits.LINE_TRACES_MAX);
    const left = traces.length - shown.length;
    const least = isFull(about?.occurrences ?? []) ? "at least " : "";
    const seen = shown.length === 0 ? "not known" : shown.join(", ");
    const marks = [about?.helpful_count ?? 0, about?.harmful_count ?? 0, about?.neutral_count ?? 0];
    return `| ${markdownCellCode(id)} | ${marks.join(" / ")} | ${seen}${left === 0 ? "" : ` and ${least}${left} more`} |`;
  });
  if (rows.length === 0) return "";
  const left = ids.length - rows.length;
  const more = left === 0 ? "" : `\n\n… and ${count(left, "more strategy", "more strategies")}.`;
  return `| Strategy or skill | Helpful / harmful / neutral | Seen in |\n|---|---|---|\n${rows.join("\n")}${more}`;
}

function shortList(lines: readonly string[], max: number): string {
  const left = lines.length - max;
  const more = left > 0 ? [`- … and ${count(left, "more")} under “Files changed”.`] : [];
  return [...lines.slice(0, max), ...more].join("\n");
}
