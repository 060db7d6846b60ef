/** The two things that `accept` does in a person's own checkout: who they are, and one folder's files. */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { SkillprError } from "../core/errors.ts";
import { safeLine } from "../core/text.ts";
import type { Git } from "./git.ts";
import { readInPlaceFolder } from "./in-place-folders.ts";
import { hashObject, ObjectReader } from "./objects.ts";
import type { Identity } from "./refs.ts";
import { gitInWorkTree, openRepository, type Repository } from "./repository.ts";
import { listTree } from "./skills-tree.ts";

/**
 * The committer that git would use here.
 * @throws SkillprError `config` when git doesn't know
 */
export async function identityOf(git: Git): Promise<Identity> {
  const { stdout, code } = await git.run(
    ["-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT"],
    { okCodes: [0, 128] },
  );
  const parsed = /^(.*) <(.*)> \d+ [+-]\d{4}\n?$/.exec(stdout.toString("utf8"));
  if (code !== 0 || parsed === null) {
    throw new SkillprError(
      "config",
      "git does not know who you are, and the merge is made in your name",
      'tell it: git config user.name "…" and git config user.email "…"',
    );
  }
  return { name: parsed[1] ?? "", email: parsed[2] ?? "", date: new Date() };
}

/**
 * Brings one folder of a work tree and its index from one tree to another, as `git merge` would:
 * git itself refuses when a file in the way was changed, and everything else stays as it is.
 * Running it again after a crash is harmless. Where an untracked folder holds exactly the new
 * version, it counts as that.
 * @throws SkillprError `input` when the folder has uncommitted or untracked files
 */
export async function updateSkillFolder(options: {
  readonly workTree: string;
  readonly targetTree: string;
  readonly tree: string;
  readonly folder: string;
}): Promise<void> {
  const { workTree, folder } = options;
  refuseWhatIsInTheWay(workTree, folder);
  const repository = await openRepository(workTree);
  const git = gitInWorkTree(repository);
  const isClean = async (...args: string[]) =>
    (await git.run([...args, "--", folder], { okCodes: [0, 1] })).code === 0;
  const untracked = await git.text(["ls-files", "--others", "-z", "--", folder]);
  const hasTarget = await isClean("diff-index", "--quiet", "--cached", options.tree);
  const isDone = hasTarget && (await isClean("diff-files", "--quiet")) && untracked === "";
  if (isDone) return;
  // `status` refreshes what it compares; diff-files would call a merely touched file changed.
  const status = await git.text([
    "status",
    "--porcelain",
    "-z",
    "--untracked-files=all",
    "--ignored=matching",
    "--",
    folder,
  ]);
  const isUntracked = status.split("\0").every((line) => line === "" || /^(?:\?\?|!!) /.test(line));
  if (status !== "" && isUntracked && (await isInPlace(repository, options))) {
    await git.run(["read-tree", "-m", options.targetTree, options.tree]);
    await git.run(["update-index", "-q", "--refresh"], { okCodes: [0, 1] });
    return;
  }
  if (status !== "") {
    throw new SkillprError(
      "input",
      `${folder} has changes of yours in ${workTree} that are not committed`,
      "commit, stash or remove them, then accept again",
    );
  }
  await git.run(["read-tree", "-m", "-u", options.targetTree, options.tree]);
}

/** An agent wrote the same skill in place before: its files stay, and only the index learns of them. */
async function isInPlace(
  repository: Repository,
  { workTree, tree, folder }: { workTree: string; tree: string; folder: string },
): Promise<boolean> {
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const folderTree = await reader.treeAt(tree, folder);
  if (folderTree === null) return false;
  const { entries, files, isTooMuch } = readInPlaceFolder(workTree, folder);
  const isPlain = entries.every(({ kind }) => kind === "file" || kind === "folder");
  const wanted = await listTree(reader, folderTree, "");
  return (
    isPlain &&
    !isTooMuch &&
    wanted.length === files.size &&
    wanted.every(({ path, mode, id }) => {
      const bytes = files.get(path);
      const isSame = bytes !== undefined && id === hashObject("blob", bytes, reader.objectFormat);
      return isSame && mode === "100644";
    })
  );
}

/** A file or link where a folder must go would be replaced by git when it is ignored: it is a person's. */
function refuseWhatIsInTheWay(workTree: string, folder: string): void {
  const parts = folder.split("/");
  for (const [index] of parts.entries()) {
    const path = join(workTree, ...parts.slice(0, index + 1));
    const info = lstatSync(path, { throwIfNoEntry: false });
    if (info === undefined) return;
    if (info.isDirectory()) continue;
    throw new SkillprError(
      "input",
      `${safeLine(path)} is in the way: it is a ${info.isSymbolicLink() ? "link" : "file"}, and a folder must go there`,
      "move it away, then accept again",
    );
  }
}
