/** What sessions taught, as a change of the Skillbook that stands when it is proposed. */
import type { LedgerMark } from "./gate/ledger.ts";
import type { MadeChange } from "./propose-skillbook.ts";
import { applyUpdate, doneIn } from "./skills/apply-update.ts";
import type { Operation, UpdateBatch } from "./skills/operation.ts";
import { rebaseSkillbook } from "./skills/rebase-skillbook.ts";
import { renderSkillbook, type Skillbook } from "./skills/skillbook.ts";
import type { RedactedSession } from "./transcript/session.ts";

/** The marks that one of the sessions gives. */
export function marksIn({ operations }: UpdateBatch, session: number): LedgerMark[] {
  return operations.flatMap((each) => {
    const isOfIt = each.type === "TAG" && (each.reflection_index ?? 0) === session;
    return isOfIt ? [{ id: each.skill_id, delta: each.metadata.delta }] : [];
  });
}

/** Of the session that a mark is about: each has one. */
export function digestOf(
  { reflection_index: at = 0 }: Operation,
  sessions: readonly Pick<RedactedSession, "digest">[],
): string {
  const session = sessions[at];
  if (session === undefined) throw new Error(`a mark of session ${at} of ${sessions.length}`);
  return session.digest;
}

/**
 * The batch without the marks that were given already: by an earlier run that was killed before its entry in
 * the ledger, by one at the same time, or by the same transcript that was named twice.
 */
export function withoutMarked(
  { reasoning, operations }: UpdateBatch,
  sessions: readonly Pick<RedactedSession, "digest">[],
  isMarked: (digest: string) => boolean,
): UpdateBatch {
  const digests: string[] = sessions.map(({ digest }) => digest);
  const fresh = operations.filter((each) => {
    if (each.type !== "TAG") return true;
    const digest = digestOf(each, sessions);
    return !isMarked(digest) && digests.indexOf(digest) === (each.reflection_index ?? 0);
  });
  return { reasoning, operations: fresh };
}

/**
 * The operations were made for the Skillbook as the model saw it. Where another run changed it since,
 * they are made again on what stands there now: ids of new strategies are given again.
 */
export function madeOf(
  batch: UpdateBatch,
  seen: Skillbook,
  now: Skillbook,
  skills: ReadonlySet<string>,
): MadeChange {
  const at = new Date().toISOString();
  const applied = applyUpdate(seen, batch, { at, skills });
  if (!applied.ok) return applied;
  const done = doneIn(applied, batch.operations);
  if (renderSkillbook(seen) === renderSkillbook(now)) return { ...applied, ...done };
  const { skillbook, ids, dropped } = rebaseSkillbook(seen, applied.skillbook, now, at);
  const warnings = [...applied.warnings, ...dropped];
  return {
    ok: true,
    skillbook,
    operations: done.operations,
    ids: done.ids.map((id) => ids.get(id) ?? id),
    warnings,
  };
}
