/** Brings the verified commit to its branch on the remote: by push, or made and signed by GitHub. */

import { SkillprError } from "../core/errors.ts";
import { VERIFY_BLOB_MAX_BYTES } from "../core/limits.ts";
import { shortCommit } from "../core/text.ts";
import type { ObjectReader } from "../git/objects.ts";
import { shortRef } from "../git/refs.ts";
import { diffTrees } from "../git/skills-tree.ts";
import type { Proposal } from "../proposal/proposal.ts";
import { buildCommit } from "./build-commit.ts";
import { commitMessage } from "./commit-message.ts";
import type { Push } from "./plan-pull-request.ts";
import type { PullRequestPlace } from "./pull-request-place.ts";

export interface Pushing {
  readonly place: PullRequestPlace;
  readonly reader: ObjectReader;
  readonly proposal: Proposal;
  /** Full name of the branch. */
  readonly ref: string;
  readonly push: Push;
  /** Root tree that was verified on `push.parent`. */
  readonly tree: string;
  /** A commit here that is exactly this already, so that it is the one that people see there. */
  readonly localCommit: string | null;
}

/** @returns the commit on the remote; `lost-race` when the branch moved meanwhile */
export async function pushCommit(pushing: Pushing): Promise<string | "lost-race"> {
  const { place, proposal, push, tree, ref } = pushing;
  if (place.config.signCommits) return await commitThere(pushing);
  const parents = [push.parent, ...(push.merges === undefined ? [] : [push.merges])];
  const commit = pushing.localCommit ?? (await buildCommit(place, proposal, tree, parents));
  const pushed = await place.sourceRemote.push({ commit, ref, expected: push.expectedTip });
  return pushed === "pushed" ? commit : "lost-race";
}

/**
 * `createCommitOnBranch` commits on a branch that exists, and only while it is where it was seen. What
 * it made is compared with what was verified; if it differs, the branch is put back.
 */
async function commitThere(pushing: Pushing): Promise<string | "lost-race"> {
  if (pushing.push.isReplaced === true) return replaceThere(pushing);
  const { place, reader, proposal, push, tree, ref } = pushing;
  const { sourceRemote, source, github } = place;
  if (push.expectedTip !== push.parent) {
    const start = { commit: push.parent, ref, expected: push.expectedTip };
    if ((await sourceRemote.push(start)) === "lost-race") return "lost-race";
  }
  const commit = await github.createCommit({
    repository: source,
    branch: shortRef(ref),
    expectedHead: push.parent,
    message: commitMessage(place.messageTemplate, proposal),
    files: await filesBetween(pushing),
  });
  if (commit === "lost-race") return commit;
  // What is there counts, not what the answer says is there.
  const [there] = await sourceRemote.list([ref]);
  if (there === undefined) return "lost-race";
  await sourceRemote.fetch([there.id]);
  const made = await reader.commit(there.id);
  const isAsVerified =
    made.tree === tree && made.parents.length === 1 && made.parents[0] === push.parent;
  if (isAsVerified) return there.id;
  // Somebody went on from a commit that may be right: the next look tells.
  if (there.id !== commit) return "lost-race";
  await putBack(pushing, commit);
  throw new SkillprError(
    "github",
    `GitHub committed something else than what was verified (${shortCommit(commit)}); the branch was put back`,
    "use a push without --sign-commits, and report this with the commit's id",
  );
}

const SIGNED_REF = "refs/heads/skillpr/signed";

/**
 * The signed commit is made on a branch beside, and the branch moves to it at once: a pull request whose branch is
 * where its base is, GitHub closes.
 */
async function replaceThere(pushing: Pushing): Promise<string | "lost-race"> {
  const { place, push, ref } = pushing;
  const { sourceRemote } = place;
  // One that a run left that was stopped; another run's is in the way of its lease.
  const [left] = await sourceRemote.list([SIGNED_REF]);
  const beside = { parent: push.parent, expectedTip: left?.id ?? null };
  const commit = await commitThere({ ...pushing, ref: SIGNED_REF, push: beside });
  if (commit === "lost-race") return commit;
  const moved = await sourceRemote.push({ commit, ref, expected: push.expectedTip });
  await sourceRemote.remove(SIGNED_REF, commit);
  return moved === "pushed" ? commit : "lost-race";
}

async function putBack({ place, push, ref }: Pushing, commit: string): Promise<void> {
  const { sourceRemote } = place;
  if (push.expectedTip === null) await sourceRemote.remove(ref, commit);
  else await sourceRemote.push({ commit: push.expectedTip, ref, expected: commit });
}

async function filesBetween({ place, reader, push, tree }: Pushing) {
  const parent = await reader.commit(push.parent);
  const changes = await diffTrees(place.repository.git, parent.tree, tree);
  const files: { path: string; bytes: Uint8Array }[] = [];
  for (const { path, id, mode } of changes) {
    const bytes = mode === "100644" ? await reader.blob(id, VERIFY_BLOB_MAX_BYTES) : null;
    // The verifier lets nothing else through.
    if (bytes === null) throw new Error(`${path} can't be committed through the API`);
    files.push({ path, bytes });
  }
  return files;
}
