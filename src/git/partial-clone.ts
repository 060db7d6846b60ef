/** Blobs that a partial clone left out, fetched at once instead of one connection each. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { hasCode } from "../core/errors.ts";
import type { Git } from "./git.ts";
import { requireId } from "./names.ts";
import type { Repository } from "./repository.ts";

/**
 * Makes sure that every blob below these trees is here. Costs one look at a folder in a full clone.
 * When no remote is known, nothing happens: reading a blob then says what is missing.
 * @throws SkillprError `git` when the fetch fails
 */
export async function prefetchBlobs(
  repository: Repository,
  trees: readonly string[],
): Promise<void> {
  if (trees.length === 0 || !hasPromisedObjects(repository.commonDir)) return;
  const missing = await missingObjects(repository.git, trees);
  if (missing.length === 0) return;

  const pattern = "^remote\\..*\\.promisor$";
  const config = await repository.git.text(
    ["config", "-z", "--type=bool", "--get-regexp", pattern],
    {
      okCodes: [0, 1],
    },
  );
  const promisor = config.split("\0").find((entry) => entry.endsWith("\ntrue"));
  const remote = promisor?.slice("remote.".length, promisor.indexOf(".promisor\n"));
  if (!remote) return;
  const input = missing.map((id) => `${id}\n`).join("");
  await repository.git.run([...FETCH, "--", remote], { input });
}

/** Ids of what belongs to these trees and is not on this machine. */
export async function missingObjects(git: Git, trees: readonly string[]): Promise<string[]> {
  trees.forEach(requireId);
  // The one command that says what is missing instead of fetching it (2.39: or failing).
  const list = ["rev-list", "--objects", "--no-walk", "--missing=print", ...trees];
  const listed = (await git.text(list)).split("\n");
  return listed.filter((line) => line.startsWith("?")).map((line) => line.slice(1));
}

/** What git itself runs for a lazy fetch: these objects only, and no ref, tag or file changes. */
const FETCH: readonly string[] = [
  "-c",
  "fetch.negotiationAlgorithm=noop",
  "fetch",
  "--quiet",
  "--no-tags",
  "--no-write-fetch-head",
  "--no-prune",
  "--no-write-commit-graph",
  "--recurse-submodules=no",
  "--filter=blob:none",
  "--stdin",
];

/** A partial clone marks the packs that it got from its remote. */
function hasPromisedObjects(commonDir: string): boolean {
  try {
    return readdirSync(join(commonDir, "objects/pack")).some((name) => name.endsWith(".promisor"));
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}
