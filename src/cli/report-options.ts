/** What `skillpr report` takes. */
import type { AddCommand } from "./program.ts";

export function addReport(command: AddCommand): void {
  command(
    "report [skill]",
    "show proposals with the session they come from, as text or as a page",
    "Shows the open proposals (or one): why, evidence, findings, the skill and its diff, the session as a " +
      "timeline, and how the Skillbook and the queue went. With --html it is one page that needs nothing else.",
  )
    .option("--html <file>", "write it as an HTML page: no script, no request")
    .option("--proposals <dir>", "about sealed proposals that `review --out` wrote there")
    .option(
      "--transcript <files...>",
      "transcripts to show; else they are looked for on this machine",
    )
    .option("--no-sessions", "don't look for transcripts")
    .option(
      "--base <ref>",
      "what counts as accepted (default: the remote's default branch, else HEAD)",
    )
    .option("--skills-root <dir>", "the folder of skills (default: .qwen/skills)");
}
