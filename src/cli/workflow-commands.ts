/** The commands around workflows on GitHub, as `--help` shows them. */
import { PLAN_JOBS, PLAN_JOBS_MAX } from "../core/limits.ts";
import { AGENTS } from "../hook/agents.ts";
import type { AddCommand, Choices } from "./program.ts";
import { SHELLS } from "./shells.ts";
import { WORKFLOWS } from "./workflows.ts";

interface Parsers extends Pick<Choices, "manyOf"> {
  readonly from1: (most: number) => (value: string) => number;
}

export function addWorkflows(command: AddCommand, { from1, manyOf }: Parsers): void {
  addInit(
    command(
      "init",
      "make this repository ready: config, workflows, ignore rules, hook",
      "Writes .skillpr.yml, workflow files (with --action) and what git should ignore, and adds the hook to the agent's " +
        "settings of this work tree. Says each thing that it does; what is there stays as it is.",
    ),
    manyOf,
  );
  command(
    "completion <shell>",
    "print a script that completes commands and flags",
    `For ${SHELLS.join(", ")}. In bash: source <(skillpr completion bash)`,
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
    .option(
      "--action <owner/name@commit>",
      "writes workflows with this action, pinned: the repository that it is released in, and the commit of a release's tag",
    )
    .option(
      "--agent <names>",
      `whose settings get the hook: ${AGENTS.join(", ")} (default: qwen)`,
      manyOf(AGENTS),
    )
    .option("--no-hook", "leave the agents' settings alone")
    .option("--dry-run", "say what would be done, write nothing")
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
