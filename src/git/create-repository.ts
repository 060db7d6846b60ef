import { Git } from "./git.ts";
import { gitInWorkTree, openRepository, type Repository } from "./repository.ts";

/** Makes a repository of what lies in a folder, with one commit on `main`; for the demo. */
export async function createRepository(dir: string, message: string): Promise<Repository> {
  await new Git({ gitDir: null, cwd: dir }).run(["init", "--quiet", "--initial-branch=main", "."]);
  const repository = await openRepository(dir);
  const git = gitInWorkTree(repository);
  await git.run(["add", "--all"]);
  const person = ["-c", "user.name=A developer", "-c", "user.email=developer@example.com"];
  await git.run([...person, "-c", "commit.gpgSign=false", "commit", "--quiet", "-m", message]);
  return repository;
}
