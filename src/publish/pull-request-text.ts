/** What a reviewer sees: title and body of a pull request. Pure: the same input is the same text. */
import { SkillprError } from "../core/errors.ts";
import * as limits from "../core/limits.ts";
import type { Proposal } from "../proposal/proposal.ts";
import type { Finding } from "../verify/finding.ts";
import { templateFields } from "./pull-request-fields.ts";
import { bodyWith, marked, placeIn, roomIn, withoutMarkers } from "./pull-request-markers.ts";
import { renderTemplate } from "./pull-request-template.ts";
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
  return { title, body: bodyWith(place, text), note: null };
}

function fieldsOf(input: PullRequestInput, detail: (typeof limits.PULL_REQUEST_DETAILS)[number]) {
  const fields = templateFields(input, detail);
  const { skillbook, proposal } = input;
  if (skillbook === undefined) return fields;
  return { ...fields, ...skillbookFields(skillbook, proposal, detail) };
}

/** The most detailed text that fits; null when people's own words leave no room for the shortest. */
function fitting(input: PullRequestInput, room: number): string | null {
  const { proposal, template, templateName = "templates/pull-request.md" } = input;
  let shortest = 0;
  for (const detail of limits.PULL_REQUEST_DETAILS) {
    const fields = Object.entries(fieldsOf(input, detail)).map(
      ([name, value]): [string, string] => [name, withoutMarkers(value)],
    );
    const filled = renderTemplate(template, templateName, Object.fromEntries(fields));
    const text = marked(proposal.skill, filled);
    if (text.length <= room) return text;
    shortest = text.length;
  }
  if (shortest <= limits.PULL_REQUEST_BODY_MAX_CHARS) return null;
  throw new SkillprError(
    "config",
    `the template of pull requests (${templateName}) gives a body of ${shortest} characters where ${limits.PULL_REQUEST_BODY_MAX_CHARS} fit`,
    "shorten it, or name the long fields only once",
  );
}
