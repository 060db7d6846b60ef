/** The commands of the post-session door, as `--help` shows them. */
import type { AddCommand } from "./program.ts";

export function addBackground(command: AddCommand): void {
  command(
    "hook",
    "capture a session; called by the agent's hooks",
    "Reads an agent's hook message (JSON) on stdin, copies the session's transcript into the " +
      "repository's queue, starts a worker in the background and exits with 0 at once, silent. " +
      "What goes wrong is written to the queue's log. `skillpr install` sets an agent up for it.",
  ).addHelpText(
    "after",
    `
The environment:
  SKILLPR_WORKER=off   capture only, start no worker`,
  );
  command(
    "work",
    "review the sessions that hooks have captured",
    "Reviews the captured sessions that are due, one after the other, and ends. A hook starts it " +
      "by itself. The model comes from your own files: skillpr's config, else Qwen Code's user settings.",
  ).option("--now", "also take sessions that may still go on, and tries that wait");
  command("status", "show the captured sessions and what became of them").option(
    "--watch",
    "show it again whenever it changes, until Ctrl-C",
  );
  command(
    "retry [job]",
    "try a parked session again",
    "Puts a parked job back into the queue, or makes one that waits for its next try due at once. " +
      "The job is named by its id, the beginning of it, or the session's id.",
  ).option("--all", "every parked job");
}
