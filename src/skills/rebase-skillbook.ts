/**
 * Applies what was done to one Skillbook to another again: when the base of an open proposal moved, and
 * when a Skillbook from elsewhere is imported. New strategies get new ids, counters are added, and what
 * no longer applies is named. Pure.
 */
import { applyUpdate } from "./apply-update.ts";
import { changesBetween, contentOf, strategiesInOrder } from "./operations-between.ts";
import { tagsOf } from "./skill-tags.ts";
import { type Section, type Skillbook, type Strategy, strategyOf } from "./skillbook.ts";
import { numberOf } from "./strategy.ts";

export interface Rebased {
  readonly skillbook: Skillbook;
  /** The new id of each strategy that was new; one that the base had already has the base's. */
  readonly ids: ReadonlyMap<string, string>;
  /** What no longer applies, a sentence each. */
  readonly dropped: readonly string[];
}

/**
 * @param from what the changes were made on
 * @param to what they made of it
 * @param onto the Skillbook that they are made on now
 * @param at ISO 8601, for strategies of `onto` that change; without it, what `to` says of them
 */
export function rebaseSkillbook(
  from: Skillbook,
  to: Skillbook,
  onto: Skillbook,
  at?: string,
): Rebased {
  const added = addNew(from, to, onto);
  const dropped = [...added.dropped];
  let { skillbook } = added;
  for (const operation of changesBetween(from, to)) {
    const { skill_id = "" } = operation;
    const skills = new Set(Object.keys(to.skill_tags ?? {}));
    const batch = { reasoning: "", operations: [operation] };
    const when = at ?? changedAt(to, skill_id);
    const applied = applyUpdate(skillbook, batch, {
      skills,
      ...(when !== undefined && { at: when }),
    });
    if (applied.ok) skillbook = applied.skillbook;
    else {
      const why = applied.problems[0]?.message.replace(/^operation 0: skill_id /, "") ?? "";
      dropped.push(`${operation.type} ${skill_id} no longer applies: ${why}`);
    }
  }
  return { skillbook: withRest(from, to, skillbook), ids: added.ids, dropped };
}

function changedAt(book: Skillbook, id: string): string | undefined {
  return (strategyOf(book, id) ?? tagsOf(book, id))?.updated_at;
}

/** The strategies that only `to` has, with their counters and sources, under ids that are free in `onto`. */
function addNew(from: Skillbook, to: Skillbook, onto: Skillbook): Rebased {
  const growing = new GrowingBook(onto);
  const ids = new Map<string, string>();
  const dropped: string[] = [];
  for (const strategy of strategiesInOrder(to)) {
    if (strategyOf(from, strategy.id) !== null) continue;
    const same = growing.idOf(strategy);
    ids.set(strategy.id, same ?? growing.add(strategy));
    if (same !== undefined)
      dropped.push(`ADD ${strategy.id} no longer applies: ${same} says the same already`);
  }
  return { skillbook: growing.finish(), ids, dropped };
}

/** A Skillbook that strategies of another are added to. */
class GrowingBook {
  readonly #onto: Skillbook;
  readonly #skills: Map<string, Strategy>;
  readonly #sections: Record<Section, string[]>;
  /** Ids by content, of what is in use and of what was removed. */
  readonly #known: Map<string, string>;
  #next: number;

  constructor(onto: Skillbook) {
    this.#onto = onto;
    this.#skills = new Map(Object.entries(onto.skills));
    this.#sections = { context: [...onto.sections.context], harness: [...onto.sections.harness] };
    this.#known = new Map([...this.#skills.values()].map((each) => [stateOf(each), each.id]));
    this.#next = onto.next_id;
  }

  /** Of a strategy that says the same, and is in use or removed like this one. */
  idOf(strategy: Strategy): string | undefined {
    return this.#known.get(stateOf(strategy));
  }

  /** @returns the id that it got */
  add(strategy: Strategy): string {
    const id = this.#freeId(strategy);
    this.#skills.set(id, { ...strategy, id });
    this.#sections[strategy.section].push(id);
    this.#known.set(stateOf(strategy), id);
    return id;
  }

  finish(): Skillbook {
    const skills = Object.fromEntries(this.#skills);
    return { ...this.#onto, skills, sections: this.#sections, next_id: this.#next };
  }

  /** A name of somebody's own is kept where it is free, a number where nobody ever had it. */
  #freeId({ id, section }: Strategy): string {
    const number = numberOf(id);
    if (number === null && !this.#skills.has(id)) return id;
    if (number !== null && number > this.#next) {
      this.#next = number;
      return id;
    }
    for (;;) {
      this.#next += 1;
      const fresh = `${section}-${String(this.#next).padStart(5, "0")}`;
      if (!this.#skills.has(fresh)) return fresh;
    }
  }
}

/** What `to` holds beside strategies and marks, and `from` doesn't: fields of others are nobody's to lose. */
function withRest(from: Skillbook, to: Skillbook, onto: Skillbook): Skillbook {
  const own = new Set(Object.keys(onto));
  const rest = Object.entries(to).filter(
    ([field]) => !own.has(field) && !Object.hasOwn(from, field),
  );
  const similarity_decisions = { ...to.similarity_decisions, ...onto.similarity_decisions };
  return { ...Object.fromEntries(rest), ...onto, similarity_decisions };
}

function stateOf(strategy: Strategy): string {
  return `${strategy.active ? "in use" : "removed"} ${contentOf(strategy)}`;
}
