/** What a reviewer sees: title and body of a proposal's pull request. Pure: the same input is the same text. */
import { SkillprError } from "../core/errors.ts";
import * as limits from "../core/limits.ts";
import type { Proposal } from "../proposal/proposal.ts";
import type { Finding } from "../verify/finding.ts";
import { templateFields } from "./pull-request-fields.ts";
import { bodyWith, marked, placeIn, roomIn, withoutMarkers } from "./pull-request-markers.ts";
import { renderTemplate } from "./pull-request-template.ts";

export interface PullRequestInput {
  readonly proposal: Proposal;
  /** Of the verification on the actual parent, with what the review said of itself. */
  readonly findings: readonly Finding[];
  /** templates/pull-request.md, or the repository's own at the base commit. */
  readonly template: string;
  /** How the template is named in errors: its path. */
  readonly templateName: string;
  /** What the pull request as a whole does to the base: a second commit on a new skill's branch still adds it. */
  readonly operation: "ADD" | "UPDATE";
  /** Name of the branch that it is to be merged into, without `refs/heads/`. */
  readonly baseRef: string;
  /** SKILL.md at the base, for an update. */
  readonly previous?: string;
  /** SKILL.md at the commit that the proposal is on top of, where the pull request was open already. */
  readonly parentSkill?: string;
  /** The label that stops skillpr. */
  readonly stopLabel: string;
  /** The pull request as it is on the server, where there is one. */
  readonly existing?: { readonly title: string; readonly body: string | null };
}

export interface PullRequestText {
  readonly title: string;
  readonly body: string;
  /** One sentence for the log where something was left as people made it; null where nothing was. */
  readonly note: string | null;
}

/**
 * @returns the title, unless people gave another; the body, with what people wrote around ours.
 *   Equal to `existing` when there is nothing to change
 * @throws SkillprError `config` when the template can't be used, or is too long by itself
 */
export function pullRequestText(input: PullRequestInput): PullRequestText {
  const { proposal, operation, existing } = input;
  const { skill } = proposal;
  const ours = `skill: ${operation === "ADD" ? "add" : "update"} ${skill}`;
  const isOurs =
    existing === undefined || /^skill: (?:add|update) [a-z0-9-]+$/.test(existing.title);
  const title = isOurs ? ours : existing.title;
  const place = placeIn(existing?.body ?? null, skill);
  // Also where nothing is written: a template that can't be used is said so at once.
  const text = fitting(input, roomIn(place));
  if (place.kind === "theirs") {
    const why = "its body has no part between skillpr's two comments any more";
    return { title, body: place.body, note: `the text of the pull request was left alone: ${why}` };
  }
  if (text === null) {
    const why = "what people wrote there leaves no room";
    const body = existing?.body ?? "";
    return { title, body, note: `the text of the pull request was left alone: ${why}` };
  }
  return { title, body: bodyWith(place, text), note: null };
}

/** The most detailed text that fits; null when people's own words leave no room for the shortest. */
function fitting(input: PullRequestInput, room: number): string | null {
  const { proposal, template, templateName } = input;
  let shortest = 0;
  for (const detail of limits.PULL_REQUEST_DETAILS) {
    const fields = Object.entries(templateFields(input, detail)).map(
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
