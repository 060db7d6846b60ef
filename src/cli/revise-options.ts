/** `skillpr revise`, as `--help` shows it. */
import type { AddCommand, Choices } from "./program.ts";
import { withPublishing } from "./publish-options.ts";

type Command = ReturnType<AddCommand>;

export function addRevise(
  command: AddCommand,
  { oneOf }: Pick<Choices, "oneOf">,
  withModel: (one: Command) => Command,
): void {
  const revise = command(
    "revise <pr|skill>",
    "work review comments into a proposal's next commit",
    "Reads what owners, members and collaborators said on the open pull request, lets the reviewer edit the skill, and adds " +
      "what passes the verifier to the pull request as a commit. Each comment gets a reply, once.",
  );
  withPublishing(withModel(revise), ["none", "branch", "pr", "auto"], { oneOf })
    .option("--base <ref>", "what counts as accepted (default: the remote's default branch)")
    .option("--skills-root <dir>", "the folder of skills (default: .qwen/skills)")
    .option(
      "--out <dir>",
      "write the sealed proposal there and publish nothing: skillpr publish does",
    )
    .option(
      "--context <file>",
      "take the comments from this file, which `command: plan` of the action writes; needs no token",
    )
    .option("--model-log <dir>", "write every model request and response there, redacted")
    .addHelpText(
      "after",
      `
Examples:
  skillpr revise 12
  skillpr revise release-flow --out revised && skillpr publish revised --publish pr`,
    );
}
