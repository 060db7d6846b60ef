import { posix } from "node:path";
import {
  SHELL_COMMAND_MAX_CHARS,
  SHELL_REFUSALS_SHOWN,
  SHELL_TIMEOUT_MS,
} from "../../core/limits.ts";
import { boundedOutput, failure } from "../bounded-output.ts";
import type { FileView } from "../file-view.ts";
import { quotePath, TRANSCRIPT_PATH } from "../paths.ts";
import type { ProjectHistory } from "../project.ts";
import type { ReviewTexts } from "../review-texts.ts";
import { runShell, SHELL_COMMANDS, type ShellResult } from "../shell.ts";
import type { Tool, ToolOutput } from "../tool.ts";
import { type ArgumentSpecs, parametersOf, prepareArguments } from "../tool-arguments.ts";

const argumentsFor = (texts: ReviewTexts): ArgumentSpecs => ({
  command: {
    type: "string",
    description: texts("shell.command"),
    isRequired: true,
    maxChars: SHELL_COMMAND_MAX_CHARS,
  },
  description: {
    type: "string",
    description: texts("shell.description"),
  },
});

/** Runs a command line over the view, in-process and read-only. */
export function shellTool(view: FileView, history: ProjectHistory, texts: ReviewTexts): Tool {
  const specs = argumentsFor(texts);
  return {
    name: "shell",
    description: texts("shell", { transcript: TRANSCRIPT_PATH }),
    parameters: parametersOf(specs),
    prepare: (args) => prepareArguments(specs, args),
    async execute(args, signal) {
      const command = String(args["command"]);
      if (command.trim() === "") return failure("the command is empty");
      if (command.includes("\0"))
        return failure("the command holds a NUL byte, which no shell takes");
      const result = await runShell(command, { view, history }, signal);
      // Whole: what a command decoded may be a secret too, and the answer's bound would cut it in two.
      const stdout = await view.redact(result.stdout);
      const stderr = await view.redact(result.stderr);
      const output = outputOf({ ...result, stdout, stderr }, view.skillsRoot);
      for (const path of result.shownFiles) view.markShown(path, output.text);
      return output;
    },
  };
}

const ENDS: Readonly<Record<Exclude<ShellResult["end"], "done">, string>> = {
  time: `it did not end within ${SHELL_TIMEOUT_MS / 1000} seconds: narrow it down, e.g. to one folder`,
  memory: "it needed too much memory: narrow it down, e.g. to one folder",
  stopped: "it was stopped, because the review is over",
};

function outputOf(result: ShellResult, skillsRoot: string): ToolOutput {
  if (result.end !== "done") return failure(ENDS[result.end]);
  const { stdout, exitCode, refusedWrites } = result;
  // Advice for the library's host, not for the model.
  const advised = result.stderr.replace(/, increase executionLimits\.\w+/g, "");
  const stderr = withoutUnread(advised, [...result.unread.keys()]);
  const hint = "narrow it down with grep, head, tail or sed -n";
  const isRefused = refusedWrites.length > 0;
  const parts = [
    isRefused ? refusal(refusedWrites, skillsRoot) : "",
    boundedOutput(stdout, hint),
    stderr === "" ? "" : `[stderr]\n${boundedOutput(stderr, hint)}`,
    ...[...result.unread.values()].slice(0, SHELL_REFUSALS_SHOWN).map((why) => `[${why}]`),
    exitCode === 0 ? "" : `[exit code ${exitCode}]`,
    stderr.includes("command not found") ? `[commands: ${SHELL_COMMANDS.join(", ")}, git]` : "",
  ];
  const text = parts.map((part) => part.replace(/\n$/, "")).filter((part) => part !== "");
  // An exit code is an answer too: grep that finds nothing, a file that isn't there.
  return { text: text.length === 0 ? "[no output]" : text.join("\n"), isError: isRefused };
}

/** Files that are there, and were not read, are said to be missing by the commands: they are not. */
function withoutUnread(stderr: string, paths: readonly string[]): string {
  if (paths.length === 0) return stderr;
  const said = (line: string): string => {
    if (!line.endsWith(MISSING)) return line;
    const head = line.slice(0, -MISSING.length);
    const plain = posix.normalize(head.slice(head.lastIndexOf(": ") + 2));
    const name = plain.replace(/^(?:\.\.\/)+/, "");
    const isUnread = paths.some((path) => path === name || path.endsWith(`/${name}`));
    return isUnread ? `${head}: Could not be read` : line;
  };
  return stderr.split("\n").map(said).join("\n");
}

const MISSING = ": No such file or directory";

function refusal(paths: readonly string[], skillsRoot: string): string {
  const shown = paths.slice(0, SHELL_REFUSALS_SHOWN).map(quotePath).join(", ");
  const more = paths.length > SHELL_REFUSALS_SHOWN ? " and others" : "";
  return `nothing was written to or removed from ${shown}${more}: the shell only reads. Skills are written with write_file and edit, under ${skillsRoot}.`;
}
