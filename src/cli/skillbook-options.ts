/** How the Skillbook's commands are declared. */
import type { AddCommand, Choices } from "./program.ts";
import { withPublishing } from "./publish-options.ts";

export function addSkillbook(command: AddCommand, { oneOf }: Pick<Choices, "oneOf">): void {
  const withPlace = (one: ReturnType<AddCommand>) =>
    withPublishing(one, ["none", "branch", "pr", "auto"], { oneOf })
      .option(
        "--base <ref>",
        "what counts as accepted (default: the remote's default branch, else HEAD)",
      )
      .option("--skills-root <dir>", "the folder of skills (default: .qwen/skills)")
      .option("--out <dir>", "also write the sealed proposal there")
      .option("--dry-run", "everything but the branch: print the diff and the findings");
  withPlace(
    command(
      "apply <batch>",
      "apply update operations to the Skillbook, as a proposal",
      "Applies ADD, UPDATE, TAG and REMOVE operations (ACE's JSON; - for stdin), all of them or none, " +
        "to the project's Skillbook. What comes of it waits on the branch auto-skill/skillbook.",
    ),
  ).addHelpText(
    "after",
    `
A batch is { "reasoning": "…", "operations": [ … ] }, or the list of operations alone:
  { "type": "ADD", "section": "context", "keywords": ["tests"], "issue": "…", "insight": "…" }
  { "type": "UPDATE", "skill_id": "context-00001", "issue": "…", "insight": "…" }
  { "type": "TAG", "skill_id": "context-00001", "metadata": { "delta": 1 } }
  { "type": "REMOVE", "skill_id": "context-00001", "reason": "…" }`,
  );
  withPlace(
    command(
      "skillbook <action> [file]",
      "show, export, import, validate or count the Skillbook",
      "show: the strategies. export: its JSON, which ACE reads. import FILE: adds the strategies of an ACE " +
        "Skillbook (v1, v1.5, v2), as a proposal. validate [FILE]: what is wrong with the file in the work " +
        "tree. stats: the marks of every strategy and skill, and what each month added.",
    ),
  )
    .option("--open", "look at the open proposal instead of what is accepted")
    .option("--trace <uid>", "show: only the strategies that this trace taught or marked")
    .addOption(oneOf("--format <format>", "export: which form", ["json", "prompt"]))
    .option("--drop-removed", "import: leave out what was removed")
    .option("--fix", "validate: write the files in their one form");
}
