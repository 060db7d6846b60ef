/**
 * What the SkillManager's answer must be, decided in code: a valid batch for this Skillbook, one mark for
 * each strategy and skill that a session loaded, and none for anything else. Pure.
 */
import { applyUpdate } from "../../skills/apply-update.ts";
import type { Operation, TagOperation, UpdateBatch } from "../../skills/operation.ts";
import { parseUpdateBatch } from "../../skills/update-batch.ts";
import type { Checked } from "./reflection.ts";
import type { KnownStrategies, Used } from "./used-strategies.ts";

export interface ManagedBatch {
  readonly batch: UpdateBatch;
  readonly warnings: readonly string[];
}

/**
 * @param used by session: what it loaded or cited
 * @returns the batch, with a mark 0 for what the model left out; marks come first, so that a strategy can
 *   be marked and removed
 */
export function checkManagerBatch(
  value: unknown,
  used: readonly (readonly Used[])[],
  known: KnownStrategies,
): Checked<ManagedBatch> {
  const parsed = parseUpdateBatch(value);
  if (!parsed.ok)
    return {
      ok: false,
      problems: parsed.problems.map(({ message, hint }) => `${message}: ${hint}`),
    };
  const marks = new Marks(used);
  const problems: string[] = [];
  const operations = parsed.batch.operations.map((given, index): Operation => {
    // Where it comes from is decided by the reflections, not by the model.
    const { insight_source: _, ...operation } = given as Operation & { insight_source?: unknown };
    const read = operation.type === "TAG" ? marks.read(operation, index) : forbidden(operation);
    if (typeof read !== "string") return read;
    problems.push(`operation ${index}: ${read}`);
    return operation;
  });
  const { skillbook, skills } = known;
  const tags = operations.filter((each) => each.type === "TAG");
  const others = operations.filter((each) => each.type !== "TAG");
  const applied = applyUpdate(skillbook, { reasoning: "", operations: others }, { skills });
  if (!applied.ok)
    problems.push(
      ...applied.problems.map(({ message, hint }) => `${withoutIndex(message)}: ${hint}`),
    );
  if (problems.length > 0) return { ok: false, problems };
  const batch = {
    reasoning: parsed.batch.reasoning,
    operations: [...tags, ...marks.missing(), ...others],
  };
  return { ok: true, value: { batch, warnings: [...parsed.warnings, ...marks.warnings] } };
}

/** The index counts operations without TAGs: it would name another one to the model. */
function withoutIndex(message: string): string {
  return message.replace(/^operation \d+: /, "");
}

function forbidden(operation: Operation): Operation | string {
  const isNamed = operation.type === "ADD" && operation.skill_id !== undefined;
  return isNamed ? "leave skill_id out: the Skillbook gives a new strategy its id" : operation;
}

/** Which pairs of id and session need a mark, and which have one. */
class Marks {
  readonly #used: readonly ReadonlySet<string>[];
  readonly #given = new Set<string>();
  /** By pair: the TAG of another session that names this one too. */
  readonly #shared = new Map<string, TagOperation>();
  /** A sentence for each number that is no reflection. */
  readonly warnings: string[] = [];

  constructor(used: readonly (readonly Used[])[]) {
    this.#used = used.map((each) => new Set(each.map(({ id }) => id)));
  }

  /** The operation with the session that it is about; else what is wrong with it. */
  read(operation: TagOperation, index: number): TagOperation | string {
    const { skill_id: id, reflection_index: primary, reflection_indices = [] } = operation;
    const holders = this.#used.flatMap((ids, at) => (ids.has(id) ? [at] : []));
    if (holders.length === 0)
      return `no session shows that "${id}" was loaded or named: leave this TAG out`;
    const all = new Set([...(primary === undefined ? [] : [primary]), ...reflection_indices]);
    const named = [...all].filter((at) => this.#used[at] !== undefined);
    const session = named[0] ?? (holders.length === 1 ? holders[0] : undefined);
    if (session === undefined)
      return `say with reflection_index in which session "${id}" is marked: ${holders.join(", ")}`;
    if (!holders.includes(session))
      return `reflection ${session} doesn't show "${id}", only ${holders.join(", ")}`;
    const pair = `${session} ${id}`;
    if (this.#given.has(pair)) return `"${id}" has a TAG for reflection ${session} already`;
    this.#given.add(pair);
    for (const wrong of [...all].filter((at) => !named.includes(at)))
      this.warnings.push(`operation ${index}: there is no reflection ${wrong}, so it is left out`);
    const { reflection_indices: _, ...rest } = operation;
    for (const at of named) {
      const also = `${at} ${id}`;
      if (!this.#shared.has(also)) this.#shared.set(also, { ...rest, reflection_index: at });
    }
    return { ...rest, reflection_index: session };
  }

  /**
   * The marks of sessions without a TAG of their own: that of a TAG that names them too, as the model
   * means both; else 0, as nobody said what the strategy did.
   */
  missing(): TagOperation[] {
    return this.#used.flatMap((ids, session) =>
      [...ids]
        .filter((id) => !this.#given.has(`${session} ${id}`))
        .map(
          (skill_id) =>
            this.#shared.get(`${session} ${skill_id}`) ?? {
              type: "TAG",
              skill_id,
              metadata: { delta: 0 },
              reflection_index: session,
            },
        ),
    );
  }
}
