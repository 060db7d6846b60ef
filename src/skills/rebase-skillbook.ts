/**
 * Applies what was done to one Skillbook to another again, when the base of an open proposal moved: new
 * strategies get new ids, counters are added, texts are merged field by field, and what no longer applies
 * is named. Pure.
 */
import { QUOTE_MAX_CHARS } from "../core/limits.ts";
import { cut } from "../core/text.ts";
import { applyUpdate } from "./apply-update.ts";
import { isEmptied, withoutInsight, withUsesAgain } from "./beside-operations.ts";
import { joinStrategies } from "./join-strategies.ts";
import { canonical, newSources, unseenSources } from "./occurrences.ts";
import type { Operation, UpdateOperation } from "./operation.ts";
import { changesBetween, contentOf, strategiesInOrder } from "./operations-between.ts";
import { newReasons, withReasonsOf } from "./reasons.ts";
import { movedDecisions } from "./similarity-decisions.ts";
import { tagsOf } from "./skill-tags.ts";
import { type Section, type Skillbook, type Strategy, strategyOf } from "./skillbook.ts";
import { numberOf } from "./strategy.ts";

export interface Rebased {
  readonly skillbook: Skillbook;
  /** The new id of each strategy that was new; one that the base had already has the base's. */
  readonly ids: ReadonlyMap<string, string>;
  /** What no longer applies, and what takes the place of something that both changed, a sentence each. */
  readonly dropped: readonly string[];
}

/**
 * A field of a strategy's text that only one side changed stays as that side has it; of one that both
 * changed, what `to` says is taken, and that is said.
 * @param from what the changes were made on
 * @param to what they made of it
 * @param onto the Skillbook that they are made on now
 * @param at ISO 8601, for strategies of `onto` that change; without it, what `to` says of them
 * @param taken ids that no new strategy may have: folders of whole skills
 */
export function rebaseSkillbook(
  from: Skillbook,
  to: Skillbook,
  onto: Skillbook,
  at?: string,
  taken: ReadonlySet<string> = new Set(),
): Rebased {
  const added = addNew(from, to, { onto, at, taken });
  const dropped = [...added.dropped];
  let { skillbook } = added;
  for (const change of changesBetween(from, to)) {
    const { operation, notes } = mergedWith(change, { from, to, onto: skillbook });
    dropped.push(...notes);
    if (operation === null) continue;
    const { skill_id } = operation;
    // What is named was a strategy before, if there was one in use: a folder of that name is another matter.
    const isSkill = tagsOf(to, skill_id) !== null && strategyOf(from, skill_id)?.active !== true;
    const skills = new Set(isSkill ? [skill_id] : []);
    const batch = { reasoning: "", operations: [withoutReason(operation)] };
    const when = at ?? changedAt(to, skill_id);
    const applied = applyUpdate(skillbook, batch, {
      skills,
      ...(when !== undefined && { at: when }),
    });
    if (applied.ok) {
      const again = withReasonsAgain(applied.skillbook, operation, { from, to, isSkill });
      skillbook = operation.type === "UPDATE" ? withoutInsight(from, to, again, skill_id) : again;
    } else {
      const why = applied.problems[0]?.message.replace(/^operation 0: skill_id /, "") ?? "";
      dropped.push(`${operation.type} ${skill_id} no longer applies: ${why}`);
    }
  }
  const similarity_decisions = movedDecisions(to.similarity_decisions, added.ids);
  const used = withUsesAgain(from, to, skillbook);
  return {
    skillbook: withRest(from, { ...to, similarity_decisions }, used),
    ids: added.ids,
    dropped,
  };
}

/** A REMOVE's is a field of its own. */
function withoutReason(operation: Change): Change {
  if (operation.type === "REMOVE") return operation;
  const { reason: _, ...rest } = operation;
  return rest;
}

/** What the operations said of themselves word for word: of two versions, they are told as one. */
function withReasonsAgain(
  book: Skillbook,
  { skill_id: id }: Change,
  { from, to, isSkill }: Omit<Sides, "onto"> & { readonly isSkill: boolean },
): Skillbook {
  const in_ = (each: Skillbook) => (isSkill ? tagsOf(each, id) : strategyOf(each, id));
  const [before, after] = [from, to].map(in_);
  const reasons = after ? newReasons(before ?? {}, after) : [];
  const strategy = isSkill ? null : strategyOf(book, id);
  if (strategy !== null) {
    const skills = { ...book.skills, [id]: withReasonsOf(strategy, { reasons }) };
    return { ...book, skills };
  }
  const tags = tagsOf(book, id);
  if (tags === null) return book;
  return { ...book, skill_tags: { ...book.skill_tags, [id]: withReasonsOf(tags, { reasons }) } };
}

type Change = Exclude<Operation, { type: "ADD" }>;

interface Sides {
  readonly from: Skillbook;
  readonly to: Skillbook;
  readonly onto: Skillbook;
}

interface Merged {
  /** Null: there is nothing left to do. */
  readonly operation: Change | null;
  readonly notes: readonly string[];
}

/** An UPDATE that leaves alone what only the other side changed. */
function mergedWith(operation: Change, sides: Sides): Merged {
  const id = operation.skill_id;
  const [before, after, now] = [sides.from, sides.to, sides.onto].map((book) =>
    strategyOf(book, id),
  );
  if (operation.type !== "UPDATE" || !before || !after || !now?.active)
    return { operation, notes: [] };
  const notes = (["issue", "insight", "keywords"] as const).flatMap((field) => {
    const [was, mine, theirs] = [before[field], after[field], now[field]].map(canonical);
    if (mine === was || theirs === was || mine === theirs) return [];
    const lost = cut(theirs ?? "", QUOTE_MAX_CHARS);
    return [`UPDATE ${id}: both changed its ${field}; what is proposed takes the place of ${lost}`];
  });
  const issue = after.issue === before.issue ? now.issue : after.issue;
  const merged: UpdateOperation = { ...operation, issue };
  const isThere =
    issue === now.issue &&
    (isEmptied(before, after) ? null : (merged.insight ?? now.insight)) === now.insight &&
    canonical(merged.keywords ?? now.keywords) === canonical(now.keywords) &&
    unseenSources(now.occurrences, newSources(before.occurrences, after.occurrences)).length ===
      0 &&
    newReasons(now, { reasons: newReasons(before, after) }).length === 0;
  return { operation: isThere ? null : merged, notes };
}

function changedAt(book: Skillbook, id: string): string | undefined {
  return (strategyOf(book, id) ?? tagsOf(book, id))?.updated_at;
}

/** The strategies that only `to` has, with their counters and sources, under ids that are free in `onto`. */
function addNew(from: Skillbook, to: Skillbook, { onto, at, taken }: Growing): Rebased {
  const growing = new GrowingBook(onto, taken);
  const ids = new Map<string, string>();
  const dropped: string[] = [];
  for (const strategy of strategiesInOrder(to)) {
    if (strategyOf(from, strategy.id) !== null) continue;
    const same = growing.idOf(strategy);
    ids.set(strategy.id, same ?? growing.add(strategy));
    if (same === undefined) continue;
    const isMoved = growing.join(same, strategy, at);
    const where = isMoved ? ", and gets its marks and sources" : "";
    dropped.push(`ADD ${strategy.id} no longer applies: ${same} says the same already${where}`);
  }
  return { skillbook: growing.finish(to.sections, ids), ids, dropped };
}

interface Growing {
  readonly onto: Skillbook;
  readonly at: string | undefined;
  readonly taken: ReadonlySet<string>;
}

/** A Skillbook that strategies of another are added to. */
class GrowingBook {
  readonly #onto: Skillbook;
  readonly #taken: ReadonlySet<string>;
  readonly #skills: Map<string, Strategy>;
  readonly #added: Record<Section, string[]> = { context: [], harness: [] };
  /** Ids by content, of what is in use and of what was removed. */
  readonly #known = new Map<string, string[]>();
  #next: number;

  constructor(onto: Skillbook, taken: ReadonlySet<string>) {
    this.#onto = onto;
    this.#taken = taken;
    this.#skills = new Map(Object.entries(onto.skills));
    for (const each of this.#skills.values()) this.#learn(each, each.id);
    this.#next = onto.next_id;
  }

  /** Of a strategy that says the same, and is in use or removed like this one. */
  idOf(strategy: Strategy): string | undefined {
    const ids = this.#known.get(stateOf(strategy)) ?? [];
    const own = ids.filter((id) => this.#isItself(id, strategy));
    return own.find((id) => id === strategy.id) ?? own[0] ?? ids[0];
  }

  /**
   * Gives a strategy the marks, sources and reasons of another that says the same.
   * @returns false where it has them all
   */
  join(id: string, twin: Strategy, at: string | undefined): boolean {
    const there = this.#skills.get(id);
    if (there === undefined) return false;
    const joined = joinStrategies(there, twin, this.#isItself(id, twin) ? "same" : "twins");
    if (canonical(joined) === canonical(there)) return false;
    this.#skills.set(id, { ...joined, ...(at !== undefined && { updated_at: at }) });
    return true;
  }

  /** Made at the same moment with the same words: what the base has is this one, merged before. */
  #isItself(id: string, { created_at: at }: Strategy): boolean {
    const there = Object.hasOwn(this.#onto.skills, id) ? this.#onto.skills[id] : undefined;
    return at !== undefined && there?.created_at === at;
  }

  #learn(strategy: Strategy, id: string): void {
    const state = stateOf(strategy);
    this.#known.set(state, [...(this.#known.get(state) ?? []), id]);
  }

  /** @returns the id that it got */
  add(strategy: Strategy): string {
    const id = this.#freeId(strategy);
    this.#skills.set(id, { ...strategy, id });
    this.#added[strategy.section].push(id);
    this.#learn(strategy, id);
    return id;
  }

  /**
   * @param order the sections that the added strategies come from: they are shown in that order
   * @param ids what each of them is called now
   */
  finish(order: Skillbook["sections"], ids: ReadonlyMap<string, string>): Skillbook {
    const skills = Object.fromEntries(this.#skills);
    const inOrder = (section: Section) => {
      const added = new Set(this.#added[section]);
      const listed = order[section].map((was) => ids.get(was) ?? "");
      const next = listed.filter((id) => added.has(id));
      return [...new Set([...this.#onto.sections[section], ...next, ...added])];
    };
    const sections = { context: inOrder("context"), harness: inOrder("harness") };
    return { ...this.#onto, skills, sections, next_id: this.#next };
  }

  /** A name of somebody's own is kept where it is free, a number where nobody ever had it. */
  #freeId({ id, section }: Strategy): string {
    const number = numberOf(id);
    if (number === null && !this.#isTaken(id)) return id;
    if (number !== null && number > this.#next && !this.#isTaken(id)) {
      this.#next = number;
      return id;
    }
    for (;;) {
      this.#next += 1;
      const fresh = `${section}-${String(this.#next).padStart(5, "0")}`;
      if (!this.#isTaken(fresh)) return fresh;
    }
  }

  #isTaken(id: string): boolean {
    return this.#skills.has(id) || this.#taken.has(id);
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
