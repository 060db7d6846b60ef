/** The commands and flags, as `--help` shows them. Declares only: what a command does is loaded later. */
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { PUBLISH_TARGETS, REVIEWERS, TRIGGERS } from "../core/choices.ts";
import {
  AUTO_SKILL_THRESHOLD,
  REVIEW_MAX_TURNS,
  REVIEW_MAX_TURNS_MAX,
  REVIEW_TIMEOUT_MAX_SECONDS,
  REVIEW_TIMEOUT_SECONDS,
} from "../core/limits.ts";
import { addBackground } from "./background-commands.ts";
import { addAdopt, addInstall } from "./install-options.ts";
import { withPublishing } from "./publish-options.ts";
import { addReport } from "./report-options.ts";
import { addRevise } from "./revise-options.ts";
import { addSkillbook } from "./skillbook-options.ts";
import { addWorkflows } from "./workflow-commands.ts";

/** What a command was called with. */
export interface Call {
  readonly command: string;
  readonly positionals: readonly string[];
  readonly flags: Readonly<Record<string, unknown>>;
}

const EXIT_CODES = `
Exit codes:
  0  done, or nothing to do        2  refused by the verifier
  1  bad input, usage or config    3  the model, git or GitHub failed
  70 a bug in skillpr`;

const MODEL = `
The model (--reviewer auto-skill) comes from flags and the environment, never from a file of the repository:
  OPENAI_API_KEY    its key; a local server takes any
  OPENAI_MODEL      its name
  OPENAI_BASE_URL   the address of any OpenAI-compatible server, up to /v1 (default: OpenAI)`;

/** @param run is handed the one command that was called */
export function createProgram(version: string, run: (call: Call) => Promise<void>): Command {
  const program = new Command("skillpr")
    .description(
      "Turns what a coding agent learned in a session into skills that a person approves: " +
        "a transcript is reviewed, the result is verified, and it waits on a branch of its own.",
    )
    .version(version, "-V, --version")
    .exitOverride()
    .showHelpAfterError("(skillpr --help lists the commands, skillpr <command> --help its flags)")
    .addHelpText(
      "after",
      `
Start here:
  skillpr demo                                       the whole story, offline, in a temporary repository
  skillpr doctor                                     what this machine has and what is missing
  skillpr review --latest                            review your newest session in this repository
  skillpr review --latest --reviewer offline         the same without a model
  skillpr list                                       what waits for you
${EXIT_CODES}`,
    );

  const command = (name: string, summary: string, description = summary) => {
    const [word = name] = name.split(" ");
    return program
      .command(name)
      .summary(summary)
      .description(description)
      .option("--repo <dir>", "the repository", ".")
      .option("--json", "print one JSON object on stdout")
      .action(async (...args: unknown[]) => {
        const self = args.at(-1) as Command;
        await run({ command: word, positionals: self.args, flags: self.opts() });
      });
  };

  addReview(command);
  addDecisions(command);
  addReport(command);
  addRevise(command, { oneOf }, (one) => withBounds(withModel(one)));
  addChecks(command);
  addBackground(command);
  addInstall(command, { oneOf, manyOf });
  addAdopt(command);
  addSkillbook(command, { oneOf });
  addWorkflows(command, { from1, manyOf });
  return program;
}

/**
 * What commander ended with: its help and version are no errors; a wrong call was told on stderr
 * already, and with `--json` is one object on stdout like every other error.
 * @throws whatever isn't commander's: a bug
 */
export function usageExit(error: unknown, argv: readonly string[]) {
  if (!(error instanceof CommanderError)) throw error;
  const isHelp = error.code.startsWith("commander.help");
  if (error.exitCode === 0) return { exitCode: 0, isHelp };
  if (argv.includes("--json")) {
    const message = error.message.replace(/^error: /, "").split("\n")[0];
    const hint = "skillpr <command> --help lists its arguments and flags";
    const failure = { status: "failed", error: { code: "usage", message, hint } };
    process.stdout.write(`${JSON.stringify(failure)}\n`);
  }
  return { exitCode: 1, isHelp };
}

export type AddCommand = (name: string, summary: string, description?: string) => Command;

/** What declarations in other files need of commander. */
export interface Choices {
  readonly oneOf: typeof oneOf;
  readonly manyOf: typeof manyOf;
}

function oneOf(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices);
}

function withModel(command: Command): Command {
  return command
    .option("--model <name>", "the model (default: $OPENAI_MODEL)")
    .option("--base-url <url>", "its server (default: $OPENAI_BASE_URL)");
}

function withBounds(command: Command): Command {
  return command
    .option(
      "--max-turns <n>",
      `rounds of the reviewer (default: ${REVIEW_MAX_TURNS})`,
      from1(REVIEW_MAX_TURNS_MAX),
    )
    .option(
      "--timeout <seconds>",
      `time of one review (default: ${REVIEW_TIMEOUT_SECONDS})`,
      from1(REVIEW_TIMEOUT_MAX_SECONDS),
    );
}

function addReview(command: AddCommand): void {
  const review = command(
    "review [transcripts...]",
    "review session transcripts and propose skills",
    "Reviews one or more transcripts: files, folders, globs, or - for stdin. " +
      "What passes the verifier becomes a commit on the branch auto-skill/<skill>.",
  );
  withPublishing(withBounds(withModel(review)), PUBLISH_TARGETS, { oneOf })
    .option(
      "--session <id>",
      "find this session in the agents' own stores; its first 8 characters are enough",
    )
    .option("--latest", "take the newest session of this repository")
    .option(
      "--base <ref>",
      "what skills are proposed against (default: the remote's default branch, else HEAD)",
    )
    .addOption(
      new Option("--reviewer <name>", "who reviews (default: auto-skill)").choices(REVIEWERS),
    )
    .option(
      "--threshold <n>",
      `the fewest completed tool calls that are reviewed (default: ${AUTO_SKILL_THRESHOLD})`,
      whole,
    )
    .addOption(
      new Option(
        "--trigger <rule>",
        "count: enough tool calls; experience: a failure overcome or a correction by the user (default: count)",
      ).choices(TRIGGERS),
    )
    .option("--force", "skip the gate, never the verifier")
    .option("--enabled", "review although the agent's settings switch reviews off")
    .option("--skills-root <dir>", "the folder of skills (default: .qwen/skills)")
    .option("--out <dir>", "also write the sealed proposals there, one folder per skill")
    .option("--model-log <dir>", "write every model request and response there, redacted")
    .option(
      "--dry-run",
      "everything but the branch: print the diff and the findings, leave no trace",
    )
    .addHelpText(
      "after",
      `
Examples:
  skillpr review session.jsonl --reviewer offline
  skillpr review --latest --model qwen3-coder-plus --dry-run
  skillpr review 'sessions/**/*.jsonl' --reviewer offline --json
${MODEL}
${EXIT_CODES}`,
    );
}

function addDecisions(command: AddCommand): void {
  const withPlace = (one: Command) =>
    one
      .option(
        "--base <ref>",
        "what counts as accepted (default: the remote's default branch, else HEAD)",
      )
      .option("--skills-root <dir>", "the folder of skills (default: .qwen/skills)");
  withPlace(command("list", "list the proposals that wait for you"));
  withPlace(command("show <skill>", "show one proposal: its diff, evidence and findings"));
  withPlace(
    command(
      "accept <skill>",
      "merge a proposal into the branch it was proposed against",
      "Verifies the proposal again and merges it, as git merge would, into the local branch that it " +
        "was proposed against (or the one that --base names). Only a clean merge; where that branch " +
        "is checked out, only the skill's folder changes.",
    ),
  );
  withPlace(
    command(
      "reject <skill>",
      "drop a proposal and remember that it was declined",
      "Removes the branch and remembers its content, so that it is not proposed again.",
    ),
  ).option("--reason <text>", "why, for whoever reviews next");
  const publish = command(
    "publish <proposal-dir>",
    "publish what `review --out` wrote",
    "Rebuilds each proposal from its files, compares, verifies again on the actual parent, and " +
      "commits it to its branch. Nothing in the folder is trusted.",
  );
  withPublishing(withPlace(publish), ["branch", "pr", "auto"], { oneOf });
}

function addChecks(command: AddCommand): void {
  command("transcripts <files...>", "say what skillpr recognises in transcript files");
  command(
    "verify",
    "check what a commit range changes",
    "Checks every change between the merge base of --base and --head, and --head.",
  )
    .option("--base <rev>", "where the range starts (default: the default branch)")
    .option("--head <rev>", "where it ends (default: HEAD)")
    .addOption(
      oneOf("--format <format>", "how findings are printed", ["text", "json", "sarif", "github"]),
    )
    .addOption(
      new Option(
        "--profile <profile>",
        "proposal: every change must be an allowed skill change; pull-request: only the skills root is checked",
      )
        .choices(["proposal", "pull-request"])
        .default("proposal"),
    )
    .option("--skills-root <dir>", "the folder of skills (default: .qwen/skills)");
  withModel(
    command(
      "doctor",
      "say what is missing on this machine",
      "Says what this machine has and what is missing. With a model set up it makes one tiny request.",
    ).option("--online", "ask GitHub, too, what the token may do here (two requests that read)"),
  ).addHelpText("after", MODEL);
  command("demo", "run the whole story offline in a temporary repository")
    .option("--keep", "leave the temporary repository where it is, to look around in it")
    .option("--skillbook", "show the Skillbook instead: a batch going in, and one that is refused");
}

/** Names with commas between them; the option may also stand several times. */
function manyOf(choices: readonly string[]) {
  return (value: string, before: readonly string[] = []): string[] => {
    const names = value.split(",").map((name) => name.trim());
    if (names.every((name) => choices.includes(name))) return [...before, ...names];
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(", ")}.`);
  };
}

/** A whole number; commander turns the error into a usage message that names the flag. */
function whole(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(value);
}

function from1(most: number): (value: string) => number {
  return (value) => {
    const number = whole(value);
    if (number < 1 || number > most)
      throw new InvalidArgumentError(`It must be between 1 and ${most}.`);
    return number;
  };
}
