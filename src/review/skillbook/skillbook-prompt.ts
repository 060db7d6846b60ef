/** What the two roles are asked: fixed words of `templates/review/skillbook/`, filled in by code. */
import { fill } from "../../core/fill.ts";
import {
  PROMPT_DESCRIPTION_MAX_CHARS,
  PROMPT_FOLDED_MIN_TOKENS,
  PROMPT_SESSION_MAX_TOKENS,
  PROMPT_SKILLS_MAX,
  SKILLBOOK_PROMPT_MAX_CHARS,
  SKILLBOOK_PROMPT_SESSIONS_MAX_TOKENS,
} from "../../core/limits.ts";
import { count, cut, safeLine } from "../../core/text.ts";
import type { Skillbook } from "../../skills/skillbook.ts";
import { activeIn, entryOf, SECTIONS } from "../../skills/skillbook-files.ts";
import { render } from "../../transcript/render.ts";
import type { RedactedSession } from "../../transcript/session.ts";
import { fenceFor } from "../prompt.ts";
import type { ReviewTexts } from "../review-texts.ts";
import type { GivenMark } from "./given-marks.ts";
import type { Reflection } from "./reflection.ts";
import type { Used } from "./used-strategies.ts";

/** The texts of `templates/review/skillbook/`. */
export interface SkillbookTemplates {
  readonly reflector: string;
  readonly reflectorTask: string;
  readonly manager: string;
  readonly managerTask: string;
  /** Short ones, by name; see review-texts.ts. */
  readonly texts: string;
}

/** One session to reflect on. */
export interface ReflectedSession {
  readonly session: RedactedSession;
  /** The first turn that wasn't reflected on before; null: all of it is new. */
  readonly newFrom: string | null;
  /** The first turn whose strategies weren't marked before; absent: as `newFrom`. */
  readonly markFrom?: string | null;
  /** Marks that it gave when it was reflected on before, as far as the ledger knows. */
  readonly marked?: readonly GivenMark[];
}

export function reflectorTask(
  template: string,
  given: {
    readonly sessions: readonly ReflectedSession[];
    readonly used: readonly (readonly Used[])[];
    readonly skillbook: Skillbook;
  },
  texts: ReviewTexts,
): string {
  const share = Math.floor(SKILLBOOK_PROMPT_SESSIONS_MAX_TOKENS / given.sessions.length);
  const sessions = given.sessions.map(({ session, newFrom }, number) => {
    const budget = Math.min(PROMPT_SESSION_MAX_TOKENS, Math.max(share, PROMPT_FOLDED_MIN_TOKENS));
    const { text } = render(session, budget);
    return texts("session", {
      number: String(number),
      agent: cut(safeLine(session.agent), PROMPT_DESCRIPTION_MAX_CHARS),
      grown: newFrom === null ? "" : texts("grown", { newFrom }),
      fence: fenceFor(text),
      text,
      used: usedLine(number, given.used[number] ?? [], texts),
    });
  });
  return fill(template, {
    skillbook: bookText(given.skillbook, given.used, texts),
    sessions: sessions.join("\n\n"),
    count: count(given.sessions.length, "session"),
  });
}

export function managerTask(
  template: string,
  given: {
    readonly reflections: readonly Reflection[];
    readonly used: readonly (readonly Used[])[];
    readonly skillbook: Skillbook;
    /** Why people turned earlier changes down. */
    readonly declined: readonly string[];
  },
  texts: ReviewTexts,
): string {
  const marks = given.used.flatMap((each, at) =>
    each.map(({ id, how, turn }) => `- ${id}, reflection_index ${at} (${how} in ${turn})`),
  );
  const reasons = given.declined
    .slice(-PROMPT_SKILLS_MAX)
    .map((reason) => `- ${JSON.stringify(cut(safeLine(reason), PROMPT_DESCRIPTION_MAX_CHARS))}`);
  return fill(template, {
    skillbook: bookText(given.skillbook, given.used, texts),
    declined:
      reasons.length === 0
        ? texts("declined.none")
        : [texts("declined.some"), ...reasons].join("\n"),
    reflections: JSON.stringify(given.reflections, null, 2),
    marks: marks.length === 0 ? texts("marks.none") : marks.join("\n"),
  });
}

/**
 * The strategies in use in ACE's form, with their marks; what the sessions used comes first, and of what
 * no longer fits only the keywords are shown.
 */
function bookText(
  skillbook: Skillbook,
  used: readonly (readonly Used[])[],
  texts: ReviewTexts,
): string {
  const ids = new Set(used.flatMap((each) => each.map(({ id }) => id)));
  const active = SECTIONS.flatMap((section) => activeIn(skillbook, section));
  const first = active.filter(({ id }) => ids.has(id));
  const ordered = [...first, ...active.filter(({ id }) => !ids.has(id))];
  if (ordered.length === 0) return texts("book.empty");
  let room = SKILLBOOK_PROMPT_MAX_CHARS;
  return ordered
    .map((strategy) => {
      const { id, keywords, helpful_count, harmful_count } = strategy;
      const entry = entryOf(strategy, `helpful ${helpful_count}, harmful ${harmful_count}`);
      room -= entry.length;
      return room >= 0 ? entry : `- [${id}] ${safeLine(keywords.join(", "))}`;
    })
    .join("\n");
}

function usedLine(number: number, used: readonly Used[], texts: ReviewTexts): string {
  const values = { number: String(number) };
  if (used.length === 0) return texts("used.none", values);
  const ids = used.map(({ id, how, turn }) => `${id} (${how} in ${turn})`).join(", ");
  return texts("used", { ...values, ids });
}
