/** What people decided and said about proposals on GitHub: for reviewers that have no token to look there themselves. */
import { SkillprError } from "../core/errors.ts";
import * as limits from "../core/limits.ts";
import { cut } from "../core/text.ts";
import { ObjectReader } from "../git/objects.ts";
import { isSkillName } from "../skills/skill-name.ts";
import { contentKeyOfTree, descriptionOfTree } from "./content-of.ts";
import type { Declined } from "./declined.ts";
import type { PullRequest } from "./github-answers.ts";
import type { PullRequestPlace } from "./pull-request-place.ts";

export interface OpenOnGithub {
  readonly skill: string;
  readonly number: number;
  /** Of owners, members and collaborators, oldest first; cut. */
  readonly words: readonly string[];
}

export interface ProposalsOnGithub {
  readonly open: readonly OpenOnGithub[];
  /** Closed without a merge; the reason is what was said last. */
  readonly declined: readonly Declined[];
}

const BRANCH = "auto-skill/";
/** Who may write to the repository, or was invited to; everybody else's words are a stranger's. */
const INVITED: ReadonlySet<string> = new Set(["OWNER", "MEMBER", "COLLABORATOR"]);

/**
 * Looks through the newest proposals, and through what was said about at most CONTEXT_PROPOSALS_MAX of each kind.
 * @throws SkillprError `github`, `git`
 */
export async function readProposalsOnGithub(place: PullRequestPlace): Promise<ProposalsOnGithub> {
  const { github, target, source } = place;
  const all = await github.pullRequests(target, { state: "all" }, limits.PULL_REQUEST_PAGES_MAX);
  const ours = all.filter(
    ({ head }) =>
      (head.repositoryId === source.id || head.repositoryId === null) &&
      head.branch.startsWith(BRANCH) &&
      isSkillName(head.branch.slice(BRANCH.length)),
  );
  const ofState = (wanted: PullRequest["state"]) =>
    ours.filter(({ state }) => state === wanted).slice(0, limits.CONTEXT_PROPOSALS_MAX);
  const open: OpenOnGithub[] = [];
  for (const pull of ofState("open"))
    open.push({ skill: skillOf(pull), number: pull.number, words: await wordsAbout(place, pull) });
  const declined: Declined[] = [];
  for (const pull of ofState("closed")) {
    const one = await declinedAs(place, pull);
    if (one !== null) declined.push(one);
  }
  return { open, declined };
}

function skillOf({ head }: PullRequest): string {
  return head.branch.slice(BRANCH.length);
}

async function wordsAbout(place: PullRequestPlace, { number }: PullRequest): Promise<string[]> {
  const comments = await place.github.comments(place.target, number);
  return comments
    .filter(({ association, body }) => INVITED.has(association) && body.trim() !== "")
    .slice(-limits.CONTEXT_WORDS_MAX)
    .map(({ body }) => cut(body.trim(), limits.CONTEXT_WORD_MAX_CHARS));
}

/** Null where its commit can't be had any more. */
async function declinedAs(place: PullRequestPlace, pull: PullRequest): Promise<Declined | null> {
  const { repository, targetRemote, skillsRoot } = place;
  const { sha } = pull.head;
  const skill = skillOf(pull);
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  try {
    if ((await reader.info(sha))?.type !== "commit") await targetRemote.fetch([sha]);
  } catch (error) {
    if (!(error instanceof SkillprError) || error.code !== "git") throw error;
    place.onNote(`what #${pull.number} held can't be fetched any more: ${error.message}`);
    return null;
  }
  const { tree, committer } = await reader.commit(sha);
  const folder = await reader.treeAt(tree, `${skillsRoot}/${skill}`);
  if (folder === null) return null;
  const words = await wordsAbout(place, pull);
  return {
    skill,
    contentKey: await contentKeyOfTree(reader, folder),
    description: await descriptionOfTree(reader, folder),
    reason: words.at(-1) ?? `pull request #${pull.number} was closed`,
    commit: sha,
    at: committer.date ?? "",
  };
}
