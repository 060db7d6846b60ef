/** What was done between two versions of a Skillbook, told from the two alone. Pure. */
import { STRATEGY_TEXT_MAX_CHARS } from "../core/limits.ts";
import { cut } from "../core/text.ts";
import { usesBetween } from "./beside-operations.ts";
import { canonical, newSources } from "./occurrences.ts";
import type { Operation, RemoveOperation, TagOperation, UpdateOperation } from "./operation.ts";
import { newReasons, type Reason, reasonsOf } from "./reasons.ts";
import { newDecisions } from "./similarity-decisions.ts";
import { COUNT_OF, NO_TAGS, type SkillTags, tagsOf } from "./skill-tags.ts";
import { type Occurrence, type Skillbook, type Strategy, strategyOf } from "./skillbook.ts";
import { SECTIONS } from "./skillbook-files.ts";

/** What was done between two versions, as operations with their reasons and sources, and the id that each is about. */
export function operationsBetween(
  from: Skillbook,
  to: Skillbook,
): { readonly operations: readonly Operation[]; readonly ids: readonly string[] } {
  const fresh = strategiesInOrder(to).filter(({ id }) => strategyOf(from, id) === null);
  const additions = fresh.map((strategy): Operation => {
    const { section, keywords, issue, insight, occurrences } = strategy;
    const source = occurrences.length > 0 ? { insight_source: occurrences } : {};
    return {
      type: "ADD",
      section,
      keywords,
      issue,
      ...(insight !== null && { insight }),
      ...because(reasonsOf(strategy), "ADD"),
      ...source,
    };
  });
  const removals = fresh
    .filter(({ active }) => !active)
    .map(({ id: skill_id, removed_reason: reason }): RemoveOperation => {
      return { type: "REMOVE", skill_id, ...(reason !== undefined && { reason }) };
    });
  const changes = [...removals, ...changesBetween(from, to)];
  return {
    operations: [...additions, ...changes],
    ids: [...fresh.map(({ id }) => id), ...changes.map(({ skill_id }) => skill_id)],
  };
}

/** What was done to strategies and skills that both have, as operations. */
export function changesBetween(
  from: Skillbook,
  to: Skillbook,
): Exclude<Operation, { type: "ADD" }>[] {
  const decisions = newDecisions(from, to);
  const strategies = strategiesInOrder(to).flatMap((after) => {
    const before = strategyOf(from, after.id);
    return before === null ? [] : changesOf(before, after, decisions.has(after.id));
  });
  const marks = Object.entries(to.skill_tags ?? {}).flatMap(([folder, after]) =>
    tagsBetween(folder, tagsOf(from, folder) ?? NO_TAGS, after),
  );
  return [...strategies, ...marks];
}

/** @param isDecided whether a new decision is told beside it */
function changesOf(
  before: Strategy,
  after: Strategy,
  isDecided: boolean,
): Exclude<Operation, { type: "ADD" }>[] {
  const sources = newSources(before.occurrences, after.occurrences);
  const common = { skill_id: after.id, ...(sources.length > 0 && { insight_source: sources }) };
  const { removed_reason: reason } = after;
  const tags = withUsesSaid(tagsBetween(after.id, before, after), usesBetween(before, after));
  const isRemoved = before.active && !after.active;
  const reasons = newReasons(before, after);
  // What came with nothing else, not even a mark, is told as an UPDATE that changes no text.
  const marked = tags.flatMap(({ insight_source: source = [] }) => source);
  const isSaid =
    newSources(marked, sources).length > 0 || reasons.some(({ type }) => type !== "TAG");
  // How often it was used comes with a mark where there is one, so that it waits with it.
  const isUsed = after.used_count > before.used_count && tags.length === 0;
  const isSaidAlone = (isSaid || isUsed || isDecided) && !isRemoved && after.active;
  const isUpdated = contentOf(before) !== contentOf(after) || isSaidAlone;
  const update: UpdateOperation = {
    type: "UPDATE",
    ...common,
    ...because(reasons, "UPDATE"),
    issue: after.issue,
    ...changedBeside(before, after),
  };
  const remove = { type: "REMOVE" as const, ...common, ...(reason !== undefined && { reason }) };
  return [...(isUpdated ? [update] : []), ...tags, ...(isRemoved ? [remove] : [])];
}

/** The first of the marks says how often their strategy was used. */
function withUsesSaid(marks: readonly TagOperation[], used: number): readonly TagOperation[] {
  return marks.map((mark, at) => (at === 0 && used > 0 ? { ...mark, used } : mark));
}

/** Of what an UPDATE may leave out, what differs: the rest is whatever it is where the operation is applied. */
function changedBeside(
  before: Strategy,
  { insight, keywords }: Strategy,
): Pick<UpdateOperation, "insight" | "keywords"> {
  return {
    ...(canonical(before.keywords) !== canonical(keywords) && { keywords }),
    ...(before.insight !== insight && insight !== null && { insight }),
  };
}

/** Reasons of one kind, as one. */
function because(
  reasons: readonly Reason[],
  type: Operation["type"],
): { readonly reason?: string } {
  const said = [
    ...new Set(reasons.filter((each) => each.type === type).map((each) => each.reason)),
  ];
  return said.length === 0 ? {} : { reason: cut(said.join(" "), STRATEGY_TEXT_MAX_CHARS) };
}

type Marked = Pick<
  SkillTags,
  "helpful_count" | "harmful_count" | "neutral_count" | "occurrences" | "reasons"
>;

/**
 * A mark for each that the counters moved, with its own reason and source where they can be told. In the order in
 * which the sources came: applied again, they stand as they stood.
 */
function tagsBetween(skill_id: string, before: Marked, after: Marked): TagOperation[] {
  const sources = newSources(before.occurrences, after.occurrences);
  const reasons = newReasons(before, after).filter(({ type }) => type === "TAG");
  const marks = ([1, -1, 0] as const).flatMap((delta) => {
    const count = COUNT_OF[delta];
    const said = reasons.filter((each) => each.delta === delta);
    return Array.from({ length: Math.max(0, after[count] - before[count]) }, (_, at) => {
      const own = said[at];
      const source = sourcesOf(own, sources);
      const operation: TagOperation = {
        type: "TAG",
        skill_id,
        metadata: { delta },
        ...(own !== undefined && { reason: own.reason }),
        ...(source.length > 0 && { insight_source: source }),
      };
      return { operation, came: source[0] === undefined ? 0 : sources.indexOf(source[0]) };
    });
  });
  return marks.toSorted((a, b) => a.came - b.came).map(({ operation }) => operation);
}

function sourcesOf(
  reason: Reason | undefined,
  sources: readonly Occurrence[],
): readonly Occurrence[] {
  const own = sources.filter((each) => each["trace_uid"] === reason?.from);
  return reason?.from !== undefined && own.length > 0 ? own : sources;
}

/** In the order in which they stand in the file, those that a section lists. */
export function strategiesInOrder({ sections, skills }: Skillbook): Strategy[] {
  const listed = SECTIONS.flatMap((section) => sections[section]);
  const position = new Map(Object.keys(skills).map((id, at) => [id, at]));
  return listed
    .flatMap((id) => (Object.hasOwn(skills, id) ? [skills[id] as Strategy] : []))
    .sort((a, b) => (position.get(a.id) ?? 0) - (position.get(b.id) ?? 0));
}

/** What two strategies that say the same have in common. */
export function contentOf({ section, keywords, issue, insight }: Strategy): string {
  return canonical([section, keywords, issue, insight]);
}
