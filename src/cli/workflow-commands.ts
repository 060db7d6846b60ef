/** The commands around workflows on GitHub, as `--help` shows them. */
import { PLAN_JOBS, PLAN_JOBS_MAX } from "../core/limits.ts";
import type { AddCommand, Choices } from "./program.ts";
import { WORKFLOWS } from "./workflows.ts";

interface Parsers extends Pick<Choices, "manyOf"> {
  readonly from1: (most: number) => (value: string) => number;
}

export function addWorkflows(command: AddCommand, { from1, manyOf }: Parsers): void {
  addInit(
    command(
      "init",
      "copy workflows for GitHub into this repository",
      "Writes workflow files into .github/workflows and says what they need. What is there stays as it is.",
    ),
    manyOf,
  );
  command(
    "plan <transcripts...>",
    "spread transcripts over review jobs",
    "Prints a matrix for `strategy.matrix` of a workflow: those of one session together, those of one repository side by " +
      "side, all jobs about as long.",
  ).option("--max-jobs <n>", `the most jobs (default: ${PLAN_JOBS})`, from1(PLAN_JOBS_MAX));
  command(
    "upload [transcript]",
    "send a redacted transcript to the repository's inbox",
    "Shows the redacted transcript; with --yes it sends exactly that to the branch skillpr/inbox/<session> of this repository " +
      "on GitHub, where a workflow (skillpr init --workflow inbox) reviews it. Everybody who may read the repository can read it there.",
  )
    .option("--session <id>", "find this session in the agents' own stores")
    .option("--latest", "take the newest session of this repository")
    .option("--yes", "send it")
    .option("--force", "also to a public repository");
}

function addInit(init: ReturnType<AddCommand>, manyOf: Choices["manyOf"]): void {
  const names = Object.keys(WORKFLOWS);
  init
    .requiredOption(
      "--action <owner/name@commit>",
      "the action, pinned: the repository that it is released in, and the commit of a release's tag",
    )
    .option("--workflow <names>", `which: ${names.join(", ")} (default: verify)`, manyOf(names))
    .addHelpText(
      "after",
      `
Workflows:
${Object.entries(WORKFLOWS)
  .map(([name, what]) => `  ${name.padEnd(10)} ${what}`)
  .join("\n")}`,
    );
}
