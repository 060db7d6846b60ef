/** The files that make a repository ready for skillpr: written where they are missing, never over what is there. */
import { lstat, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hasCode, SkillprError } from "../core/errors.ts";
import { CONFIG_MAX_BYTES } from "../core/limits.ts";
import { isIgnored, type Repository } from "../git/repository.ts";

/** What became of one file. */
export interface ReadyFile {
  /** `/`-separated, from the repository's root. */
  readonly path: string;
  readonly did: "written" | "changed" | "kept";
  /** Half a sentence for people. */
  readonly why: string;
}

const IGNORE_FILE = ".gitignore";

/** What an agent leaves behind that is no skill, and why git should not see it. */
const IGNORED: readonly { readonly path: string; readonly why: string }[] = [
  {
    path: ".qwen/pending-skills/",
    why: "skills that Qwen Code staged: `skillpr adopt` takes them",
  },
  { path: ".qwen/tmp/", why: "what a session leaves" },
];

/**
 * @param path `/`-separated, from the root
 * @param isDry say what would be done
 * @throws SkillprError `input` when a folder on the way is a link, which could lead out of the repository
 */
export async function writeIfAbsent(
  root: string,
  path: string,
  content: string,
  isDry: boolean,
): Promise<ReadyFile> {
  await requireRealFolders(root, path);
  const file = join(root, ...path.split("/"));
  if (await exists(file)) return { path, did: "kept", why: "it is there already" };
  if (!isDry) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content, { flag: "wx" });
  }
  return { path, did: "written", why: "new" };
}

/** Adds to `.gitignore` what git doesn't ignore yet, below what is there. */
export async function addIgnoreRules(
  repository: Repository,
  root: string,
  isDry: boolean,
): Promise<ReadyFile> {
  const path = IGNORE_FILE;
  const missing: (typeof IGNORED)[number][] = [];
  for (const rule of IGNORED) {
    if (!(await isIgnored(repository, `${rule.path}file`))) missing.push(rule);
  }
  if (missing.length === 0)
    return { path, did: "kept", why: "what agents leave behind is ignored already" };
  const file = join(root, path);
  const before = await textOf(file);
  const lines = missing.map((rule) => `# ${rule.why}\n${rule.path}`).join("\n");
  const gap = before === null || before === "" ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  if (!isDry) await writeFile(file, `${before ?? ""}${gap}${lines}\n`);
  const names = missing.map((rule) => rule.path).join(" and ");
  return { path, did: before === null ? "written" : "changed", why: `ignores ${names}` };
}

/** @returns null where there is no such file @throws SkillprError `input` when it is none that can be added to */
async function textOf(file: string): Promise<string | null> {
  let isFile: boolean;
  try {
    const info = await lstat(file);
    isFile = info.isFile() && info.size <= CONFIG_MAX_BYTES;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
  if (isFile) return readFile(file, "utf8");
  throw new SkillprError(
    "input",
    `${file} is no regular file of a usual size`,
    "make it one, or add the rules yourself: .qwen/pending-skills/ and .qwen/tmp/",
  );
}

async function requireRealFolders(root: string, path: string): Promise<void> {
  const parts = path.split("/").slice(0, -1);
  for (let count = 1; count <= parts.length; count += 1) {
    const folder = join(root, ...parts.slice(0, count));
    try {
      if ((await lstat(folder)).isDirectory()) continue;
    } catch (error) {
      if (hasCode(error, "ENOENT")) return;
      throw error;
    }
    throw new SkillprError(
      "input",
      `${parts.slice(0, count).join("/")} is a link or a file, not a folder`,
      "make it a folder of the repository, then run this again",
    );
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}
