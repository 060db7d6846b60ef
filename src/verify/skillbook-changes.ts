/** What a new version of the Skillbook must keep of the one before, and what may stand in it at all. */
import { SKILL_LINE_MAX_CHARS } from "../core/limits.ts";
import { areSourcesKept } from "../skills/occurrences.ts";
import { areReasonsKept } from "../skills/reasons.ts";
import { COUNTS, type SkillTags, tagsOf } from "../skills/skill-tags.ts";
import { type Skillbook, type Strategy, strategyOf } from "../skills/skillbook.ts";
import { quoted } from "./rule.ts";

/** A sentence with its full stop for each thing that is gone or went back. */
export function* whatIsLost(before: Skillbook, after: Skillbook): Generator<string> {
  if (after.next_id < before.next_id)
    yield `The counter of ids went from ${before.next_id} back to ${after.next_id}.`;
  for (const old of Object.values(before.skills)) {
    const now = strategyOf(after, old.id);
    if (now === null) yield `The strategy ${quoted(old.id)} is gone.`;
    else yield* lostOf(old, now);
  }
  yield* lostMarks(before, after);
  for (const field of Object.keys(before))
    if (!Object.hasOwn(after, field)) yield `The field ${quoted(field)} is gone.`;
}

function* lostMarks(before: Skillbook, after: Skillbook): Generator<string> {
  for (const [folder, old] of Object.entries(before.skill_tags ?? {})) {
    const now = tagsOf(after, folder);
    const skill = `the skill ${quoted(folder)}`;
    if (now === null) {
      yield `The marks of ${skill} are gone.`;
      continue;
    }
    yield* lowered(COUNTS, old, now, skill);
    yield* lostEntries(old, now, skill);
    for (const field of Object.keys(old))
      if (!Object.hasOwn(now, field)) yield `The field ${quoted(field)} of ${skill} is gone.`;
  }
}

/** Counters that went down. */
function* lowered<Count extends string>(
  counts: readonly Count[],
  old: Readonly<Record<Count, number>>,
  now: Readonly<Record<Count, number>>,
  whose: string,
): Generator<string> {
  for (const count of counts)
    if (now[count] < old[count])
      yield `${count} of ${whose} went from ${old[count]} back to ${now[count]}.`;
}

/** Of lists that only grow, but that the oldest entries leave one that is full. */
function* lostEntries(old: SkillTags, now: SkillTags, whose: string): Generator<string> {
  if (!areSourcesKept(old.occurrences, now.occurrences)) yield `A source of ${whose} is gone.`;
  // A field that is gone as a whole is told as that.
  if (Object.hasOwn(now, "reasons") && !areReasonsKept(old, now))
    yield `A reason of ${whose} is gone.`;
}

function* lostOf(old: Strategy, now: Strategy): Generator<string> {
  const id = quoted(old.id);
  if (now.section !== old.section) yield `${id} moved to another section.`;
  if (now.active && !old.active) yield `${id} was removed, and is in use again.`;
  yield* lowered([...COUNTS, "used_count"], old, now, id);
  yield* lostEntries(old, now, id);
  for (const field of Object.keys(old))
    if (!Object.hasOwn(now, field)) yield `The field ${quoted(field)} of ${id} is gone.`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const UNREADABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]|\p{Surrogate}/u;

/** Strings of the Skillbook, keys too, that no person could read as they stand. */
export function* oddStrings(value: unknown): Generator<{ value: string; problem: string }> {
  if (typeof value === "string") {
    if (UNREADABLE.test(value)) yield { value, problem: "holds a control character" };
    if (value.length > SKILL_LINE_MAX_CHARS)
      yield { value, problem: `has ${value.length} characters` };
  } else if (Array.isArray(value)) {
    for (const each of value) yield* oddStrings(each);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, each] of Object.entries(value)) {
      yield* oddStrings(key);
      yield* oddStrings(each);
    }
  }
}
