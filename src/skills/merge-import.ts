/**
 * Brings a Skillbook from elsewhere into one: what both have is one strategy, of which the file may know more
 * (ACE loaded ours, went on with it and saved it); the rest is new. Pure.
 */
import { UPDATE_BATCH_MAX_OPERATIONS } from "../core/limits.ts";
import { count } from "../core/text.ts";
import { joinStrategies, laterOf } from "./join-strategies.ts";
import { canonical, unseenSources } from "./occurrences.ts";
import { contentOf, strategiesInOrder } from "./operations-between.ts";
import { rebaseSkillbook } from "./rebase-skillbook.ts";
import { countOf, renamedDecisions } from "./similarity-decisions.ts";
import { COUNTS, NO_TAGS, type SkillTags, tagsOf } from "./skill-tags.ts";
import { EMPTY_SKILLBOOK, type Skillbook, type Strategy, strategyOf } from "./skillbook.ts";

export interface MergedImport {
  readonly skillbook: Skillbook;
  /** What became of what is known here already, and what was left out, a sentence each. */
  readonly notes: readonly string[];
}

export interface KnownHere {
  /** Folders of whole skills that may be marked. */
  readonly skills: ReadonlySet<string>;
  /** Earlier versions of the Skillbook: a text that stood in them wasn't changed elsewhere. */
  readonly history: readonly Skillbook[];
}

/**
 * Of a strategy with the same id that was made at the same moment, or whose text was known under it, the
 * file's higher counts, further sources, changed text and removal are taken over. The same text under
 * another id is the same strategy too. Another strategy under an id that is taken gets a new one.
 */
export function mergeImported(
  imported: Skillbook,
  onto: Skillbook,
  { skills, history }: KnownHere,
): MergedImport {
  const notes: string[] = [];
  const rest: Strategy[] = [];
  const merged = new Map(Object.entries(onto.skills));
  const ids = new Map<string, string>();
  let same = 0;
  for (const strategy of strategiesInOrder(imported)) {
    const id = knownAs(strategy, onto, history);
    const there = id === null ? undefined : merged.get(id);
    if (there === undefined) {
      rest.push(strategy);
      continue;
    }
    ids.set(strategy.id, there.id);
    const wasText = history.some((book) => isTextOf(book, there.id, strategy));
    const { now, said } = taken(there, strategy, wasText);
    merged.set(there.id, now);
    if (said.length === 0) same += 1;
    else notes.push(`"${there.id}" is known here; from the file it gets ${said.join(", ")}`);
  }
  if (same > 0) notes.push(`${count(same, "strategy is", "strategies are")} here already`);
  const ours = { ...onto, skills: Object.fromEntries(merged) };
  const { skill_tags: tags = {}, ...book } = imported;
  const isRest = new Set(rest.map(({ id }) => id));
  const fresh: Skillbook = {
    ...book,
    // They come at the end, when the ids of both strategies are known.
    similarity_decisions: {},
    skills: Object.fromEntries(rest.map((strategy) => [strategy.id, strategy])),
    sections: {
      context: book.sections.context.filter((id) => isRest.has(id)),
      harness: book.sections.harness.filter((id) => isRest.has(id)),
    },
  };
  const added = rebaseSkillbook(EMPTY_SKILLBOOK, fresh, ours, undefined, skills);
  for (const [was, id] of added.ids) ids.set(was, id);
  for (const [was, id] of added.ids)
    if (was !== id)
      notes.push(`"${was}" is ${takenBy(was, ours)} here, so that of the file is "${id}"`);
  const marked = withTags(tags, added.skillbook, skills);
  // What is new brings its decisions along, and needs no word for them.
  const isKnown = (id: string) => strategyOf(onto, id) !== null;
  const decided = withDecisions(imported, marked.skillbook, { ids, isKnown });
  const said = [...notes, ...added.dropped, ...marked.notes, ...decided.notes];
  return { skillbook: decided.skillbook, notes: said };
}

/** The file's decisions, under the ids that its strategies have here; where there is one already, that stays. */
function withDecisions(
  { similarity_decisions: given }: Skillbook,
  onto: Skillbook,
  { ids, isKnown }: { ids: ReadonlyMap<string, string>; isKnown: (id: string) => boolean },
): MergedImport {
  const known = onto.similarity_decisions;
  const others = Object.entries(given).filter(([pair, each]) => {
    return !Object.hasOwn(known, pair) || canonical(known[pair]) !== canonical(each);
  });
  const { decisions, left } = renamedDecisions(Object.fromEntries(others), (id) => {
    const here = ids.get(id);
    return here !== undefined && strategyOf(onto, here)?.active ? here : undefined;
  });
  const notes = Object.keys(decisions)
    .filter((pair) => !Object.hasOwn(known, pair) && pair.split(",").some(isKnown))
    .map((pair) => `from the file, "${pair.replace(",", '" and "')}" stay apart`);
  if (left > 0) notes.push(`${countOf(left)} left out: not both strategies are in use here`);
  return {
    skillbook: { ...onto, similarity_decisions: { ...known, ...decisions, ...known } },
    notes,
  };
}

function takenBy(id: string, onto: Skillbook): string {
  return strategyOf(onto, id) === null ? "the folder of a skill" : "another strategy";
}

/** The id under which a strategy is here; null when it is new. */
function knownAs(
  strategy: Strategy,
  onto: Skillbook,
  history: readonly Skillbook[],
): string | null {
  const { id } = strategy;
  const there = strategyOf(onto, id);
  const isOurs =
    there !== null &&
    there.section === strategy.section &&
    (isSameMoment(there, strategy) ||
      [onto, ...history].some((book) => isTextOf(book, id, strategy)));
  if (isOurs) return id;
  const isTwin = (each: Strategy) =>
    each.active === strategy.active && contentOf(each) === contentOf(strategy);
  const twin = [onto, ...history]
    .flatMap(({ skills }) => Object.values(skills).filter(isTwin))
    .find((each) => strategyOf(onto, each.id)?.active === strategy.active);
  return twin?.id ?? null;
}

/** Where ours has no moment, ACE makes one up when it saves: what has something in common is the same then. */
function isSameMoment(there: Strategy, strategy: Strategy): boolean {
  const [here, at] = [there.created_at, strategy.created_at];
  if (here !== undefined || at === undefined) return here === at;
  const { issue, insight, occurrences } = strategy;
  const isTextShared = there.issue === issue || (insight !== null && there.insight === insight);
  const known = unseenSources(there.occurrences, occurrences).length < occurrences.length;
  return isTextShared || known;
}

function isTextOf(book: Skillbook, id: string, strategy: Strategy): boolean {
  const there = strategyOf(book, id);
  return there !== null && contentOf(there) === contentOf(strategy);
}

/** @param isOldText the file's text stood here before: it was changed here since */
function taken(there: Strategy, other: Strategy, isOldText: boolean): Taken {
  // Of a context strategy ACE itself can't empty it.
  const isEmptied = other.insight === null && other.section === "context";
  const strategy = isEmptied ? { ...other, insight: there.insight } : other;
  const isChanged = contentOf(there) !== contentOf(strategy) && !isOldText;
  if (there.active) return takenOver(there, strategy, isChanged);
  const isLater = strategy.active && (isChanged || marksOver(there, strategy).length > 0);
  return { now: there, said: isLater ? ["nothing: it was removed here"] : [] };
}

interface Taken {
  readonly now: Strategy;
  /** What it got, in words. */
  readonly said: readonly string[];
}

function takenOver(there: Strategy, strategy: Strategy, isChanged: boolean): Taken {
  const isRemoved = !strategy.active;
  const fresh = laterOf(there, strategy).occurrences.length;
  const said = [
    ...marksOver(there, strategy),
    ...(fresh === 0 ? [] : [count(fresh, "source")]),
    ...(isChanged ? ["its changed text"] : []),
    ...(isRemoved ? ["its removal"] : []),
    ...(strategy.used_count > there.used_count ? ["how often it was used"] : []),
  ];
  if (said.length === 0) return { now: there, said };
  const { keywords, issue, insight, removed_reason: reason, updated_at: at } = strategy;
  const now: Strategy = {
    ...joinStrategies(there, bounded(there, strategy), "same"),
    ...(isChanged && { keywords, issue, insight }),
    ...(isRemoved && { active: false }),
    ...(isRemoved && reason !== undefined && { removed_reason: reason }),
    ...(at !== undefined && { updated_at: at }),
  };
  return { now, said };
}

const NAMES = {
  helpful_count: "helpful",
  harmful_count: "harmful",
  neutral_count: "neutral",
} as const;

/** The marks that the other has more, in words. */
function marksOver(there: SkillTags, other: SkillTags): string[] {
  const more = bounded(there, other);
  return COUNTS.flatMap((each) => {
    const n = more[each] - there[each];
    return n > 0 ? [count(n, `${NAMES[each]} mark`)] : [];
  });
}

/** Every mark is told as an operation, and a batch has no more than so many. */
function bounded<Marked extends SkillTags>(there: SkillTags, other: Marked): Marked {
  const counts = COUNTS.map((each) => {
    return [each, Math.min(other[each], there[each] + UPDATE_BATCH_MAX_OPERATIONS)] as const;
  });
  return { ...other, ...Object.fromEntries(counts) };
}

/** The marks of whole skills: the higher counts, of skills that are here. */
function withTags(
  tags: Readonly<Record<string, SkillTags>>,
  onto: Skillbook,
  skills: ReadonlySet<string>,
): MergedImport {
  const notes: string[] = [];
  const marked = new Map(Object.entries(onto.skill_tags ?? {}));
  for (const [folder, other] of Object.entries(tags)) {
    const there = tagsOf(onto, folder);
    if (there === null && !skills.has(folder)) {
      notes.push(`the marks of "${folder}" are left out: there is no such skill here`);
      continue;
    }
    const more = marksOver(there ?? NO_TAGS, other);
    if (more.length === 0) continue;
    notes.push(`the skill "${folder}" gets ${more.join(", ")} from the file`);
    marked.set(folder, joinStrategies(there ?? NO_TAGS, bounded(there ?? NO_TAGS, other), "same"));
  }
  const skill_tags = Object.fromEntries(marked);
  return { skillbook: { ...onto, ...(marked.size > 0 && { skill_tags }) }, notes };
}
