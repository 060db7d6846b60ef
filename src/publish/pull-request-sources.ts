/** Texts that a pull request is made of, read from commits and never from a work tree. */
import * as limits from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import type { ObjectReader } from "../git/objects.ts";
import { SKILL_FILE_NAME } from "../skills/skill-path.ts";
import type { PullRequestPlace } from "./pull-request-place.ts";

/** The repository's own template at the base, where the config names one; else skillpr's. */
export async function readBodyTemplate(
  { config, bodyTemplate, onNote }: PullRequestPlace,
  reader: ObjectReader,
  baseTree: string,
): Promise<string> {
  const { template } = config;
  if (template === null) return bodyTemplate;
  const text = await readText(reader, baseTree, template);
  if (text !== null) return text;
  onNote(
    `pull-request.template: ${safeLine(template)} is no text file of the base; skillpr's own is used`,
  );
  return bodyTemplate;
}

/** SKILL.md of a skill's folder; null when it has none that is text. */
export function readSkillText(reader: ObjectReader, folderTree: string): Promise<string | null> {
  return readText(reader, folderTree, SKILL_FILE_NAME);
}

async function readText(reader: ObjectReader, tree: string, path: string): Promise<string | null> {
  const folders = path.split("/");
  const name = folders.pop() ?? "";
  const folder = folders.length === 0 ? tree : await reader.treeAt(tree, folders.join("/"));
  const entry = folder === null ? undefined : await reader.entry(folder, name);
  if (entry === undefined || !entry.mode.startsWith("100")) return null;
  const bytes = await reader.blob(entry.id, limits.PULL_REQUEST_SOURCE_MAX_BYTES);
  return bytes === null || bytes.includes(0) ? null : bytes.toString("utf8");
}
