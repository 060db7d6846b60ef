/** `command: verify`: the check on a pull request; needs no secret, runs nothing of what it looks at. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { toSarif } from "../cli/sarif.ts";
import { EXIT_REFUSED, SkillprError } from "../core/errors.ts";
import { count, safeLine, shortCommit } from "../core/text.ts";
import { ObjectReader } from "../git/objects.ts";
import { isAncestor } from "../git/refs.ts";
import { openRepository, type Repository, resolveBase } from "../git/repository.ts";
import { hasError } from "../verify/finding.ts";
import { verifyRange } from "../verify-range.ts";
import { type ActionResult, type ActionRun, actionResult, openCheckout } from "./action-run.ts";
import { log } from "./runner.ts";

export async function runVerify(run: ActionRun): Promise<ActionResult> {
  const { inputs, workspace } = run;
  const base = await startOfRange(run);
  // A pull request must not bring the config of its own check.
  const flags = { ...inputs.flags, base: undefined };
  const { repository, config } = await openCheckout(run, flags, base ?? undefined);
  const range = { base, head: "HEAD", profile: inputs.profile };
  const { changes, findings } = await verifyRange({ repository, config }, range);
  const isOk = !hasError(findings);
  log(`${count(changes.length, "changed file")} checked, ${count(findings.length, "finding")}`);
  const outputs: Record<string, string> = {};
  if (inputs.sarifFile !== null) {
    const file = resolve(workspace, inputs.sarifFile);
    const sarif = toSarif(findings, { root: config.skillsRoot, version: manifest.version });
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `${JSON.stringify(sarif, null, 2)}\n`);
    outputs["sarif-path"] = file;
  }
  return actionResult({
    outcome: isOk ? "ok" : "refused",
    findings,
    exitCode: isOk ? 0 : EXIT_REFUSED,
    outputs,
    advice: isOk
      ? []
      : [
          "Correct what the findings name, or close the pull request; the rules are in docs/verifier.md of skillpr.",
        ],
  });
}

/**
 * Where the checked range starts: on the base branch itself, where the event's part of it does. For a pull request GitHub checks out a merge commit that it made
 * (`refs/pull/N/merge`): its other parent is the base as it was merged with, which may be newer than the one that the
 * event names.
 * @throws SkillprError `input` when the checkout doesn't have that, or isn't what the pull request brings: a check of
 * something else would pass and mean nothing
 */
async function startOfRange({ inputs, event, workspace }: ActionRun): Promise<string | null> {
  if (inputs.flags.base !== undefined) return inputs.flags.base;
  const { pullRequest: pull, newFrom } = event;
  if (pull === null && newFrom === null) return null;
  const repository = await openRepository(resolve(workspace, inputs.path), { isTrusted: true });
  const head = await resolveBase(repository, "HEAD");
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  if (pull === null) {
    if (newFrom !== null && (await reader.info(newFrom)) === null)
      throw notHere(newFrom, "what was pushed");
    return newFrom;
  }
  const { parents } = await reader.commit(head.commit);
  const [first, second] = parents;
  const isMerge = parents.length === 2 && second === pull.headCommit && first !== undefined;
  if (!isMerge && !(await isBehind(repository, reader, pull.headCommit, head.commit)))
    throw new SkillprError(
      "input",
      `the checkout is at ${short(head.commit)}, which doesn't hold pull request #${pull.number} (${short(pull.headCommit)})`,
      `give actions/checkout \`ref: refs/pull/${pull.number}/merge\` and \`fetch-depth: 0\`; its files are only read`,
    );
  const start = isMerge ? first : pull.baseCommit;
  if ((await reader.info(start)) !== null) return start;
  throw notHere(start, `pull request #${pull.number}`);
}

/** Whether one commit is in the other's history, as far as the checkout has it. */
async function isBehind(
  { git }: Repository,
  reader: ObjectReader,
  commit: string,
  later: string,
): Promise<boolean> {
  return (await reader.info(commit))?.type === "commit" && (await isAncestor(git, commit, later));
}

function notHere(commit: string, what: string): SkillprError {
  return new SkillprError(
    "input",
    `the checkout doesn't have ${short(commit)}, from which on ${what} is checked`,
    "give actions/checkout `fetch-depth: 0`; after a forced push, name another start with the input `base`",
  );
}

function short(commit: string): string {
  return safeLine(shortCommit(commit));
}
