/** A workspace on a temporary repository's base, in its own folder for temporary files. */
import { readdirSync } from "node:fs";
import { openRepository, resolveBase } from "../../src/git/repository.ts";
import { openWorkspace, type Workspace, type WorkspaceOptions } from "../../src/git/workspace.ts";
import type { TemporaryRepository } from "../support/temp-repository.ts";

export const ROOT = ".qwen/skills";

/** @param options `dir`: where in the repository git is asked; default its folder */
export async function open(
  repository: TemporaryRepository,
  options: { readonly dir?: string; readonly overlays?: WorkspaceOptions["overlays"] } = {},
): Promise<Workspace> {
  const { dir = repository.dir, overlays = [] } = options;
  const opened = await openRepository(dir);
  const base = await resolveBase(opened);
  const { tempRoot } = repository;
  return openWorkspace(opened, { base, skillsRoot: ROOT, overlays, tempRoot });
}

/** What is left of workspaces. */
export function leftIn(repository: TemporaryRepository): string[] {
  const all = readdirSync(repository.tempRoot, { recursive: true, encoding: "utf8" });
  return all.filter((path) => path.includes("/"));
}
