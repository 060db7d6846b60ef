/**
 * Which marks a session gave before it went on. The same mark of the same session on the same strategy says
 * nothing new when it is reflected on again; another one does. Pure.
 */
import { normalSource } from "../../skills/occurrences.ts";
import type { Operation, TagOperation } from "../../skills/operation.ts";
import { reasonsOf } from "../../skills/reasons.ts";
import { type SkillTags, tagsOf } from "../../skills/skill-tags.ts";
import { type Skillbook, type Strategy, strategyOf } from "../../skills/skillbook.ts";

/** A mark that was given. */
export interface GivenMark {
  /** The strategy or the skill's folder. */
  readonly id: string;
  /** -1, 0 or 1. */
  readonly delta: number;
}

/** A session, as far as its marks go. */
interface Marking {
  /** Its `trace_uid`. */
  readonly trace: unknown;
  /** What the ledger knows of it: the file keeps the newest reasons and sources only. */
  readonly known: readonly GivenMark[];
}

/**
 * @param sessions by reflection_index
 * @returns the operations without the marks that their session gave before
 */
export function withoutGiven(
  operations: readonly Operation[],
  skillbook: Skillbook,
  sessions: readonly Marking[],
): Operation[] {
  return operations.filter((operation) => {
    if (operation.type !== "TAG") return true;
    const session = sessions[operation.reflection_index ?? 0];
    return session === undefined || !isGiven(operation, skillbook, session);
  });
}

function isGiven(
  { skill_id: id, metadata: { delta } }: TagOperation,
  skillbook: Skillbook,
  { trace, known }: Marking,
): boolean {
  if (known.some((each) => each.id === id && each.delta === delta)) return true;
  const marked = strategyOf(skillbook, id) ?? tagsOf(skillbook, id);
  return marked !== null && isSeen(marked, trace, delta);
}

function isSeen(marked: Strategy | SkillTags, trace: unknown, delta: GivenMark["delta"]): boolean {
  const said = reasonsOf(marked).filter(({ type, from }) => type === "TAG" && from === trace);
  if (said.some((each) => each.delta === delta)) return true;
  // A 0 that nobody gave a reason for: only its source tells of it.
  const isNamed = marked.occurrences.some((each) => normalSource(each)["trace_uid"] === trace);
  return delta === 0 && said.length === 0 && isNamed && marked.neutral_count > 0;
}
