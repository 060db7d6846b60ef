/** Which open proposals are to be revised, and what was said of them: seen on GitHub, or told by the planning job. */
import { SkillprError } from "./core/errors.ts";
import { safeLine } from "./core/text.ts";
import { resolveAcceptedBase } from "./git/accepted-base.ts";
import { stateDir } from "./git/repository.ts";
import type { Place } from "./proposals.ts";
import { isNamed, type OpenOnGithub } from "./publish/proposals-on-github.ts";
import type { PullRequests } from "./publish/pull-requests.ts";
import { applyContext, readContext } from "./review-context.ts";

/**
 * Brings the branches of open proposals here too, so that they are revised as they are now.
 * @param named a pull request's number or a skill; null: all open proposals
 * @throws SkillprError `input` when nothing open has that name, `github`
 */
export async function askedOnGithub(
  { repository, config }: Place,
  pullRequests: PullRequests,
  named: string | null,
): Promise<OpenOnGithub[]> {
  await pullRequests.fetchOpen(
    await resolveAcceptedBase(repository, config.base, config.skillsRoot),
  );
  return requireSome(await pullRequests.open(named), named);
}

/**
 * Without a token, and without asking GitHub; what the file says of declined proposals is remembered.
 * @param file as `command: plan` writes it
 * @param named as in `askedOnGithub`
 * @throws SkillprError `input`
 */
export async function askedInContext(
  { repository }: Place,
  file: string,
  named: string | null,
): Promise<OpenOnGithub[]> {
  const context = await readContext(file);
  await applyContext(stateDir(repository), context);
  const open = context.open.filter((one) => named === null || isNamed(one, named));
  return requireSome(open, named);
}

function requireSome(open: OpenOnGithub[], named: string | null): OpenOnGithub[] {
  if (named === null || open.length > 0) return open;
  throw new SkillprError(
    "input",
    `no open pull request of skillpr's is "${safeLine(named)}"`,
    "name its number or its skill; skillpr list shows what is open",
  );
}
