/** `command: verify`: the check on a pull request; needs no secret, runs nothing of what it looks at. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { toSarif } from "../cli/sarif.ts";
import { EXIT_REFUSED, SkillprError } from "../core/errors.ts";
import { count } from "../core/text.ts";
import { ObjectReader } from "../git/objects.ts";
import { openRepository, resolveBase } from "../git/repository.ts";
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
 * Where the checked range starts. For a pull request GitHub checks out a merge commit that it made
 * (`refs/pull/N/merge`): its other parent is the base as it was merged with, which may be newer than the one that the
 * event names.
 */
async function startOfRange({ inputs, event, workspace }: ActionRun): Promise<string | null> {
  if (inputs.flags.base !== undefined) return inputs.flags.base;
  const pull = event.pullRequest;
  if (pull === null) return null;
  const repository = await openRepository(resolve(workspace, inputs.path), { isTrusted: true });
  const head = await resolveBase(repository, "HEAD");
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const { parents } = await reader.commit(head.commit);
  const [first, second] = parents;
  const isMerge = parents.length === 2 && second === pull.headCommit && first !== undefined;
  const start = isMerge ? first : pull.baseCommit;
  if ((await reader.info(start)) !== null) return start;
  throw new SkillprError(
    "input",
    `the checkout doesn't have ${start.slice(0, 12)}, the base of pull request #${pull.number}`,
    "give actions/checkout `fetch-depth: 0`",
  );
}
