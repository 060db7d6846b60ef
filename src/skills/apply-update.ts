/**
 * Applies a batch of update operations to a Skillbook, whole or not at all. Pure: the Skillbook that was
 * given stays as it is.
 */
import { HINT_NAMES_MAX } from "../core/limits.ts";
import { nearest } from "../core/nearest.ts";
import { MAKE_UNAMBIGUOUS } from "./ambiguous-id.ts";
import { sourceOfMark, withSources } from "./occurrences.ts";
import type {
  AddOperation,
  BatchProblem,
  Operation,
  TagOperation,
  UpdateBatch,
} from "./operation.ts";
import { withReason } from "./reasons.ts";
import { COUNT_OF, NO_TAGS, type SkillTags } from "./skill-tags.ts";
import type { Occurrence, Section, Skillbook, Strategy } from "./skillbook.ts";
import { numberOf } from "./strategy.ts";
import { readUpdateBatch } from "./update-batch.ts";

/** What the operations themselves don't say. */
export interface ApplyOptions {
  /** ISO 8601: what `created_at` and `updated_at` say. Without it they stay as they are. */
  readonly at?: string;
  /** Folders of whole skills, which a TAG may name too; those that have marks already always may. */
  readonly skills?: ReadonlySet<string>;
}

/** The Skillbook after a batch, or what is wrong with the batch. */
export type AppliedUpdate =
  | {
      readonly ok: true;
      readonly skillbook: Skillbook;
      /** The strategy that each operation was about, in their order: what an ADD got, too. */
      readonly ids: readonly string[];
      /** Numbers of the operations that changed nothing: the removal of what was removed already. */
      readonly idle: readonly number[];
      readonly warnings: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly BatchProblem[] };

/**
 * Applies a batch to a Skillbook, whole or not at all; the one that was given stays as it is.
 *
 * An operation may name a strategy that an earlier ADD of the batch makes (ids count up:
 * `context-00001`), not one that a later one will make. Counts start at 0, and only TAG moves them. REMOVE keeps
 * the strategy in the file, out of use; the same once more is passed over with a warning, and anything else on it is
 * refused.
 *
 * @param batch checked here, so it may come from anywhere; its spelling may be as lenient as
 *   parseUpdateBatch() reads it
 * @returns the new Skillbook, or every problem of the batch; never throws
 */
export function applyUpdate(
  skillbook: Skillbook,
  batch: UpdateBatch,
  options: ApplyOptions = {},
): AppliedUpdate {
  const read = readUpdateBatch(batch);
  const draft = new Draft(skillbook, options);
  const ids = read.operations.map((operation, index) =>
    operation === null ? "" : draft.apply(operation, index),
  );
  const problems = [...read.problems, ...draft.problems];
  if (problems.length > 0) return { ok: false, problems: inOrder(problems) };
  const warnings = [...read.warnings, ...draft.warnings];
  return { ok: true, skillbook: draft.finish(), ids, idle: draft.idle, warnings };
}

function inOrder(problems: readonly BatchProblem[]): BatchProblem[] {
  return problems.toSorted((a, b) => (a.operation ?? -1) - (b.operation ?? -1));
}

/** The Skillbook while a batch is applied to it. */
class Draft {
  readonly problems: BatchProblem[] = [];
  readonly warnings: string[] = [];
  readonly idle: number[] = [];
  readonly #from: Skillbook;
  readonly #at: string | undefined;
  readonly #folders: ReadonlySet<string>;
  readonly #skills: Map<string, Strategy>;
  readonly #tags: Map<string, SkillTags>;
  readonly #added: Record<Section, string[]> = { context: [], harness: [] };
  #nextId: number;

  constructor(skillbook: Skillbook, { at, skills = new Set() }: ApplyOptions) {
    this.#from = skillbook;
    this.#at = at;
    this.#folders = skills;
    this.#skills = new Map(Object.entries(skillbook.skills));
    this.#tags = new Map(Object.entries(skillbook.skill_tags ?? {}));
    this.#nextId = skillbook.next_id;
  }

  finish(): Skillbook {
    const { sections } = this.#from;
    return {
      ...this.#from,
      skills: Object.fromEntries(this.#skills),
      sections: {
        context: [...sections.context, ...this.#added.context],
        harness: [...sections.harness, ...this.#added.harness],
      },
      next_id: this.#nextId,
      ...(this.#tags.size > 0 && { skill_tags: Object.fromEntries(this.#tags) }),
    };
  }

  apply(operation: Operation, index: number): string {
    if (operation.type === "ADD") return this.#add(operation, index);
    const { skill_id: id } = operation;
    // What is no id was refused where it was read.
    if (id === "") return id;
    const strategy = this.#skills.get(id);
    const isSkill = this.#folders.has(id) || this.#tags.has(id);
    // A strategy that is out of use can't be marked, so the skill of that name is meant.
    const isSkillMeant = operation.type === "TAG" && isSkill && strategy?.active !== true;
    if (operation.type === "TAG" && strategy?.active && this.#folders.has(id)) {
      const what = `"${id}" is both a strategy and the folder of a skill`;
      this.#refuse("ambiguous_skill_id", index, what, MAKE_UNAMBIGUOUS);
    } else if (isSkillMeant) this.#tagSkill(operation);
    else if (strategy !== undefined) this.#change(strategy, operation, index);
    else if (!isSkill) this.#refuseUnknown(id, index);
    else this.#refuseSkill(id, index);
    return id;
  }

  #change(strategy: Strategy, operation: Exclude<Operation, AddOperation>, index: number): void {
    const { id, active, removed_reason: known } = strategy;
    if (!active && operation.type === "REMOVE" && (operation.reason ?? known) === known) {
      this.idle.push(index);
      this.warnings.push(`operation ${index}: "${id}" was removed already`);
      return;
    }
    if (!active) {
      const hint = "ADD what should be used again";
      this.#refuse("removed_skill_id", index, `"${id}" was removed`, hint);
      return;
    }
    if (operation.type === "REMOVE") {
      const { reason } = operation;
      const why = reason === undefined ? {} : { removed_reason: reason };
      this.#put({ ...strategy, active: false, ...why }, operation);
      return;
    }
    if (operation.type === "TAG") {
      const count = COUNT_OF[operation.metadata.delta];
      this.#put({ ...strategy, [count]: strategy[count] + 1 }, operation);
      return;
    }
    const { issue, insight = strategy.insight, keywords = strategy.keywords, section } = operation;
    if (
      section !== undefined &&
      section.trim().toLowerCase() !== strategy.section &&
      section.trim() !== ""
    )
      this.warnings.push(`operation ${index}: "${id}" stays in its section, ${strategy.section}`);
    this.#put({ ...strategy, issue, insight, keywords }, operation);
  }

  #add(operation: AddOperation, index: number): string {
    const { section, keywords, issue, insight = null, skill_id } = operation;
    const id = skill_id ?? this.#newId(section);
    if (this.#folders.has(id)) {
      const hint = "leave skill_id out to get a new one";
      this.#refuse("duplicate_skill_id", index, `"${id}" is the folder of a skill`, hint);
      return id;
    }
    if (this.#skills.has(id)) {
      const hint = "leave skill_id out to get a new one, or UPDATE the strategy";
      this.#refuse("duplicate_skill_id", index, `"${id}" exists already`, hint);
      return id;
    }
    const twin = this.#twinOf(operation);
    if (twin !== undefined)
      this.warnings.push(`operation ${index}: "${twin.id}" says exactly the same`);
    // ACE's own counter would else make the same id again, and overwrite this one.
    this.#nextId = Math.max(this.#nextId, numberOf(id) ?? 0);
    const strategy: Strategy = {
      id,
      section,
      keywords,
      issue,
      insight,
      occurrences: [],
      active: true,
      used_count: 0,
      helpful_count: 0,
      harmful_count: 0,
      neutral_count: 0,
      ...(this.#at !== undefined && { created_at: this.#at }),
    };
    this.#put(strategy, operation);
    this.#added[section].push(id);
    return id;
  }

  /** A strategy in use that has the same words. */
  #twinOf({ section, issue, insight }: AddOperation): Strategy | undefined {
    return [...this.#skills.values()].find(
      (each) =>
        each.active && each.section === section && each.issue === issue && each.insight === insight,
    );
  }

  #newId(section: Section): string {
    for (;;) {
      this.#nextId += 1;
      const id = `${section}-${String(this.#nextId).padStart(5, "0")}`;
      if (!this.#skills.has(id)) return id;
    }
  }

  #tagSkill(operation: TagOperation): void {
    const { skill_id, metadata } = operation;
    const tags = withReason(this.#tags.get(skill_id) ?? NO_TAGS, operation);
    const count = COUNT_OF[metadata.delta];
    const occurrences = withSources(tags.occurrences, sourcesOf(operation));
    const updated = this.#at === undefined ? {} : { updated_at: this.#at };
    this.#tags.set(skill_id, { ...tags, [count]: tags[count] + 1, occurrences, ...updated });
  }

  #put(strategy: Strategy, operation: Operation): void {
    const occurrences = withSources(strategy.occurrences, sourcesOf(operation));
    const updated = this.#at === undefined ? {} : { updated_at: this.#at };
    const reasoned = withReason(strategy, operation);
    this.#skills.set(strategy.id, { ...reasoned, occurrences, ...updated });
  }

  #refuseUnknown(id: string, index: number): void {
    const names = [...this.#skills.keys(), ...this.#folders];
    const near = nearest(id, names);
    const some = (near.length > 0 ? near : names).slice(0, HINT_NAMES_MAX).join(", ");
    const hint = some === "" ? "the Skillbook is empty: ADD a strategy" : `it has ${some}, …`;
    this.#refuse("unknown_skill_id", index, `"${id}" is not in the Skillbook`, hint);
  }

  #refuseSkill(id: string, index: number): void {
    const hint = "a whole skill can only be marked (TAG); its text changes by a review";
    this.#refuse("unknown_skill_id", index, `"${id}" is a skill, not a strategy`, hint);
  }

  #refuse(code: BatchProblem["code"], operation: number, what: string, hint: string): void {
    const message = `operation ${operation}: skill_id ${what}`;
    this.problems.push({ code, operation, field: "skill_id", message, hint });
  }
}

/** As they are kept. */
function sourcesOf({ type, insight_source: source }: Operation): readonly Occurrence[] {
  const sources: readonly Occurrence[] = source === undefined ? [] : [source].flat();
  return type === "TAG" ? sources.map(sourceOfMark) : sources;
}

/** The operations of a batch that did something, with the ids that they are about. */
export function doneIn(
  { ids, idle }: Extract<AppliedUpdate, { ok: true }>,
  operations: readonly Operation[],
): { readonly operations: readonly Operation[]; readonly ids: readonly string[] } {
  const isDone = (_: unknown, at: number) => !idle.includes(at);
  return { operations: operations.filter(isDone), ids: ids.filter(isDone) };
}
