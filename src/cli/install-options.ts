/** The declarations of what people put in place with skillpr: the hook in an agent's settings, skills in place. */
import { AGENTS, SCOPES } from "../hook/agents.ts";
import type { AddCommand, Choices } from "./program.ts";

export function addInstall(command: AddCommand, choices: Choices): void {
  addHookTarget(
    command(
      "install",
      "let an agent call skillpr when a session ends",
      "Adds skillpr's hook to an agent's settings, and nothing else: comments, order and formatting " +
        "stay. Shows the difference and keeps a backup outside of the work tree.",
    ),
    choices,
  );
  addHookTarget(
    command(
      "uninstall",
      "take that out again",
      "Gives the settings file back as it was; where it was changed since, only the hook is taken out.",
    ),
    choices,
  );
}

function addHookTarget(command: ReturnType<AddCommand>, { oneOf, manyOf }: Choices): void {
  command
    .option(
      "--agent <names>",
      `${AGENTS.join(", ")}; several with commas between them (default: qwen)`,
      manyOf(AGENTS),
    )
    .addOption(
      oneOf(
        "--scope <scope>",
        "project: the settings of this repository's work tree; user: yours, for all (default: project)",
        SCOPES,
      ),
    )
    .option("--dry-run", "show the difference, write nothing");
}

export function addAdopt(command: AddCommand): void {
  command(
    "adopt [folders...]",
    "propose the skills that an agent wrote in place",
    "Takes skills that lie in the work tree and carry the marker, but that git doesn't track, and " +
      "those that Qwen Code staged in .qwen/pending-skills. Each is verified and becomes a " +
      "proposal on a branch of its own; the files stay where they are. Without a folder: all of them.",
  )
    .option(
      "--base <ref>",
      "what skills are proposed against (default: the remote's default branch, else HEAD)",
    )
    .option("--skills-root <dir>", "the folder of skills (default: .qwen/skills)")
    .option("--dry-run", "everything but the branch: print the diff and the findings");
}
