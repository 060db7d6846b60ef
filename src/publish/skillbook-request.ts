/** What is different where the pull request is the Skillbook's: what is offered, and what page and commit say of it. */
import type { ObjectReader } from "../git/objects.ts";
import { EMPTY_SKILLBOOK, type Skillbook } from "../skills/skillbook.ts";
import { SKILLBOOK_FOLDER } from "../skills/skillbook-files.ts";
import { namesOf } from "./marks-branch.ts";
import type { OpenProposal } from "./open-proposals.ts";
import type { Push } from "./plan-pull-request.ts";
import type { PullRequestPlace } from "./pull-request-place.ts";
import type { PullRequestInput } from "./pull-request-text.ts";
import type { Offered, Offering, Seen } from "./see-pull-request.ts";
import { readSkillbookFolder } from "./skillbook-at.ts";
import {
  carriedTrailers,
  fillBetween,
  folderTrailers,
  marksIn,
  withSessions,
} from "./skillbook-message.ts";
import { offerSkillbook } from "./skillbook-offer.ts";

interface Requesting {
  readonly place: PullRequestPlace;
  readonly local: {
    readonly branch: OpenProposal;
    readonly startFolder: string | null;
  };
  readonly reader: ObjectReader;
  readonly seen: Seen;
}

/** A skill's folder as it is; the Skillbook's operations, applied to what is there. */
export function offeredBy({
  place,
  local,
}: Pick<Requesting, "place" | "local">): Offered | Offering {
  const { branch, startFolder } = local;
  const { skill, folderTree } = branch;
  if (skill !== SKILLBOOK_FOLDER) return { skill, folderTree, startFolder };
  return { skill, offer: (remote) => offerSkillbook(place, branch, remote) };
}

/** What the page of the Skillbook is made of, instead of a skill's; nothing for any other skill. */
export async function skillbookInput(
  requesting: Requesting,
  isNewStart: boolean,
): Promise<Partial<Pick<PullRequestInput, "skillbook" | "template" | "templateName">>> {
  const { place, seen } = requesting;
  if (seen.skill !== SKILLBOOK_FOLDER) return {};
  const before = await bookOf(requesting, seen.base.folderTree);
  const after = await bookOf(requesting, seen.folderTree);
  const wasOpen = isNewStart || seen.isMadeAgain ? null : await openBefore(requesting);
  return {
    skillbook: { before, after, wasOpen },
    template: place.skillbookBodyTemplate,
    templateName: "templates/skillbook-pull-request.md",
  };
}

/** What the branch held before this: by its own commits, so that the next run says the same. */
async function openBefore(requesting: Requesting): Promise<Skillbook | null> {
  const { place, reader, seen } = requesting;
  for (const { tree } of seen.branch?.commits ?? []) {
    const folder = await reader.treeAt(tree, `${place.skillsRoot}/${SKILLBOOK_FOLDER}`);
    if (folder !== null && folder !== seen.folderTree) return bookOf(requesting, folder);
  }
  return null;
}

/** The place with the message that its commit gets: of the Skillbook, with the operations that are new there. */
export async function placeForCommit(
  requesting: Requesting,
  push: Push,
): Promise<PullRequestPlace> {
  const { place, local, reader, seen } = requesting;
  if (seen.skill !== SKILLBOOK_FOLDER) return place;
  // A merge is told against the base, as its page is: ids may be others than on the branch.
  const { tree } = await reader.commit(push.merges ?? push.parent);
  const folder = await reader.treeAt(tree, `${place.skillsRoot}/${SKILLBOOK_FOLDER}`);
  const before = await bookOf(requesting, folder);
  const after = await bookOf(requesting, seen.folderTree);
  const own = marksIn(local.branch.commits.map(({ message }) => message).join("\n"));
  const waited = seen.waited?.marks ?? [];
  const marks = [...new Set([...own, ...waited.flatMap(namesOf)])];
  const replaced = await replacedTrailers(requesting, push);
  const filled = withSessions(place.skillbookMessageTemplate, waited);
  const template = `${filled.trimEnd()}\n${replaced}`;
  return { ...place, messageTemplate: fillBetween(template, { before, after }, marks) };
}

/** What the commits say that this one takes the place of: their sessions count as reviewed, and what they held is known. */
async function replacedTrailers({ place, reader, seen }: Requesting, push: Push): Promise<string> {
  if (push.isReplaced !== true) return "";
  const commits = seen.branch?.commits ?? [];
  const folders: string[] = [];
  for (const { tree } of commits) {
    const folder = await reader.treeAt(tree, `${place.skillsRoot}/${SKILLBOOK_FOLDER}`);
    if (folder !== null) folders.push(folder);
  }
  const carried = carriedTrailers(commits.map(({ message }) => message));
  return `${carried}${folderTrailers([...new Set(folders)])}`;
}

async function bookOf(
  { place, reader }: Pick<Requesting, "place" | "reader">,
  folder: string | null,
): Promise<Skillbook> {
  if (folder === null) return EMPTY_SKILLBOOK;
  return readSkillbookFolder(reader, folder, `${place.skillsRoot}/${SKILLBOOK_FOLDER}`);
}
