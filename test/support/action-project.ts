/** The demo's project behind a remote, and clones of it as `actions/checkout` makes them. */
import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { type TemporaryRepository, temporaryRepository } from "./temp-repository.ts";

const PROJECT = resolve(import.meta.dirname, "../../templates/demo/repository");

export async function actionProject(): Promise<TemporaryRepository> {
  const repository = await temporaryRepository();
  cpSync(PROJECT, repository.dir, { recursive: true });
  await repository.commit("before the session");
  return repository;
}

/** @param options of `git clone` */
export async function checkout(
  repository: TemporaryRepository,
  name: string,
  ...options: string[]
): Promise<string> {
  const dir = join(repository.home, name);
  const url = `file://${repository.dir}`;
  await repository.gitIn(repository.home, "clone", "--quiet", ...options, url, dir);
  // Which `git clone` writes and `actions/checkout` doesn't.
  await repository.gitIn(dir, "update-ref", "-d", "refs/remotes/origin/HEAD");
  return dir;
}

/** What every step of a job has. */
export function stepIn(repository: TemporaryRepository, workspace: string) {
  return { workspace, temp: join(repository.home, "runner"), base: repository.env };
}
