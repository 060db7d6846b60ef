/** Title and body of a pull request, from what is seen on the remote and what is proposed here. */
import { shortRef } from "../git/refs.ts";
import type { Proposal } from "../proposal/proposal.ts";
import type { Finding } from "../verify/finding.ts";
import { evidenceIn } from "./carried-over.ts";
import type { Acting } from "./publish-pull-request.ts";
import { isOfComments } from "./pull-request-fields.ts";
import { readBodyTemplate, readSkillText } from "./pull-request-sources.ts";
import { type PullRequestText, pullRequestText } from "./pull-request-text.ts";
import { skillbookInput } from "./skillbook-request.ts";

export interface Wording {
  readonly findings: readonly Finding[];
  /** The branch is made anew, on the base. */
  readonly isNewStart: boolean;
  readonly previous: string;
}

/** @throws SkillprError `config` when the template can't be used */
export async function wordingOf(acting: Acting, wording: Wording): Promise<PullRequestText> {
  const { place, local, seen, reader } = acting;
  const { folderTree } = seen.base;
  const parentSkill = folderTree === null ? null : await readSkillText(reader, folderTree);
  const openSkill = await openSkillOf(acting, wording);
  const ofReview = local.proposal.findings.filter(({ rule }) => rule.startsWith("review."));
  const { proposal } = local;
  const carried = isSessionUnknown(proposal) ? await carriedOver(acting, wording) : [];
  const text = pullRequestText({
    proposal: carried.length === 0 ? proposal : { ...proposal, evidence: carried },
    isEvidenceCarried: carried.length > 0,
    findings: [...ofReview, ...wording.findings],
    template: await readBodyTemplate(place, reader, seen.context.base.tree),
    ...(place.config.template !== null && { templateName: place.config.template }),
    previous: wording.previous,
    operation: folderTree === null ? "ADD" : "UPDATE",
    baseRef: place.base,
    ...(parentSkill !== null && { parentSkill }),
    ...(openSkill !== null && { openSkill }),
    handOver: { branch: shortRef(seen.ref), stopLabel: place.config.stopLabel },
    ...(await skillbookInput(acting, wording.isNewStart)),
  });
  if (text.note !== null) place.onNote(text.note);
  return text;
}

/** What the branch held before this: by its own commits, so that the next run says the same. */
async function openSkillOf({ place, seen, reader }: Acting, wording: Wording) {
  if (wording.isNewStart || seen.branch === null) return null;
  const { skill, folderTree } = seen;
  for (const { tree } of seen.branch.commits) {
    const folder = await reader.treeAt(tree, `${place.skillsRoot}/${skill}`);
    if (folder !== null && folder !== folderTree) return await readSkillText(reader, folder);
  }
  return null;
}

/** A revision that was made where nothing is known of the session. */
function isSessionUnknown({ session, evidence }: Proposal): boolean {
  return isOfComments(session) && evidence.length === 0;
}

/** What the page says already of the commands that the skill still names. */
async function carriedOver({ local, reader }: Acting, { previous }: Wording) {
  const { skill, folderTree } = local.branch;
  const text = await readSkillText(reader, folderTree);
  return text === null ? [] : evidenceIn(previous, skill, text);
}
