/** What a reviewer sees: title and body of a pull request. Pure: the same input is the same text. */
import { SkillprError } from "../core/errors.ts";
import * as limits from "../core/limits.ts";
import type { Proposal } from "../proposal/proposal.ts";
import type { Finding } from "../verify/finding.ts";
import { FIGURES, templateFields } from "./pull-request-fields.ts";
import { bodyWith, marked, placeIn, roomIn, withoutMarkers } from "./pull-request-markers.ts";
import { renderTemplate, type TemplateFields } from "./pull-request-template.ts";
import { type SkillbookVersions, skillbookFields } from "./skillbook-fields.ts";

/** What the text says about going on. */
export interface HandOver {
  /** Name of the branch on GitHub. */
  readonly branch: string;
  /** The label that makes skillpr leave the pull request alone. */
  readonly stopLabel: string;
}

export interface PullRequestInput {
  readonly proposal: Proposal;
  /** Of the verification on the actual parent, with what the review said of itself. */
  readonly findings: readonly Finding[];
  /** templates/pull-request.md, or the repository's own at the base commit. */
  readonly template: string;
  /** How the template is named in errors: its path. */
  readonly templateName?: string;
  /** What the pull request as a whole does to the base: a second commit on a new skill's branch still adds it. */
  readonly operation: "ADD" | "UPDATE";
  /** Name of the branch that it is to be merged into, without `refs/heads/`. */
  readonly baseRef: string;
  /** SKILL.md at the base, for an update. */
  readonly parentSkill?: string;
  /** SKILL.md at the commit that the proposal is on top of, where the pull request was open before. */
  readonly openSkill?: string;
  /** Of the Skillbook's pull request. */
  readonly skillbook?: SkillbookVersions;
  readonly handOver: HandOver;
  /** Its evidence was read off `previous`. */
  readonly isEvidenceCarried?: boolean;
  /** The body as it stands on GitHub, in any line ends; absent or blank: there is none yet. */
  readonly previous?: string;
}

export interface PullRequestText {
  readonly title: string;
  /** What people wrote above and below our part is in it; equal to `previous` when there is nothing to change. */
  readonly body: string;
  /** One sentence for the log when the body was left as people made it; else null. */
  readonly note: string | null;
}

/** @throws SkillprError `config` when the template can't be used, or is too long by itself */
export function pullRequestText(input: PullRequestInput): PullRequestText {
  const { skill } = input.proposal;
  const title = `skill: ${input.operation === "ADD" ? "add" : "update"} ${skill}`;
  const previous = input.previous ?? "";
  const place = placeIn(previous, skill);
  // Also where nothing is written: a template that can't be used is said so at once.
  const text = fitting(input, roomIn(place));
  const leftAlone = (why: string) => {
    return { title, body: previous, note: `the pull request's text was left alone: ${why}` };
  };
  if (place.kind === "theirs")
    return leftAlone("skillpr's part of it can't be told from what people wrote");
  if (text === null) return leftAlone("what people wrote leaves no room for more");
  const said = place.kind === "new" ? undefined : place.parts.ours.replace(/\r\n/g, "\n");
  // What took another time, and said the same, is the same.
  const isSame = said !== undefined && isButFor(said, text.withoutFigures);
  return { title, body: isSame ? previous : bodyWith(place, text.whole), note: null };
}

interface Filled {
  readonly whole: string;
  /** With FIGURE where one stands. */
  readonly withoutFigures: string;
}

/** From Unicode's private use: it stands in nobody's template. */
const FIGURE = "\u{f0000}";

/** Whether a text is another one, whatever stands for its figures. */
function isButFor(text: string, withoutFigures: string): boolean {
  const [first = "", ...rest] = withoutFigures.split(FIGURE);
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const [index, part] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const next = isLast ? text.length - part.length : text.indexOf(part, at);
    if (next < at || !text.startsWith(part, next)) return false;
    const figure = text.slice(at, next);
    if (figure.length > limits.PULL_REQUEST_FIGURE_MAX_CHARS || figure.includes("\n")) return false;
    at = next + part.length;
  }
  return at === text.length;
}

function fieldsOf(input: PullRequestInput, detail: (typeof limits.PULL_REQUEST_DETAILS)[number]) {
  const fields = templateFields(input, detail);
  const { skillbook, proposal } = input;
  if (skillbook === undefined) return fields;
  return { ...fields, ...skillbookFields(skillbook, proposal, detail) };
}

/** The most detailed text that fits; null when people's own words leave no room for the shortest. */
function fitting(input: PullRequestInput, room: number): Filled | null {
  const { proposal, template, templateName = "templates/pull-request.md" } = input;
  let shortest = 0;
  for (const detail of limits.PULL_REQUEST_DETAILS) {
    const safe = Object.entries(fieldsOf(input, detail)).map(([name, value]): [string, string] => [
      name,
      withoutMarkers(value),
    ]);
    const fields: TemplateFields = Object.fromEntries(safe);
    const fill = (values: TemplateFields) =>
      marked(proposal.skill, renderTemplate(template, templateName, values));
    const whole = fill(fields);
    if (whole.length <= room) {
      const figures = FIGURES.filter((name) => fields[name] !== "").map((name) => [name, FIGURE]);
      return { whole, withoutFigures: fill({ ...fields, ...Object.fromEntries(figures) }) };
    }
    shortest = whole.length;
  }
  if (shortest <= limits.PULL_REQUEST_BODY_MAX_CHARS) return null;
  throw new SkillprError(
    "config",
    `the template of pull requests (${templateName}) gives a body of ${shortest} characters where ${limits.PULL_REQUEST_BODY_MAX_CHARS} fit`,
    "shorten it, or name the long fields only once",
  );
}
