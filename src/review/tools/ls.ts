import { LS_ENTRIES_MAX } from "../../core/limits.ts";
import { safeLine } from "../../core/text.ts";
import { answer, boundedOutput, failure } from "../bounded-output.ts";
import type { EntryKind, FileView } from "../file-view.ts";
import { quotePath, resolvePath } from "../paths.ts";
import type { ReviewTexts } from "../review-texts.ts";
import type { Tool } from "../tool.ts";
import { type ArgumentSpecs, parametersOf, prepareArguments } from "../tool-arguments.ts";

const argumentsFor = (texts: ReviewTexts): ArgumentSpecs => ({
  path: {
    type: "string",
    description: texts("ls.path"),
    isRequired: true,
    aliases: ["dir_path", "file_path"],
  },
});

const SUFFIXES: Readonly<Record<EntryKind, string>> = {
  file: "",
  folder: "/",
  link: " (symbolic link, not followed)",
  submodule: " (submodule)",
  special: " (not a plain file)",
};

/** Lists a folder of the view, folders first. */
export function lsTool(view: FileView, texts: ReviewTexts): Tool {
  const specs = argumentsFor(texts);
  return {
    name: "ls",
    description: texts("ls"),
    parameters: parametersOf(specs),
    prepare: (args) => prepareArguments(specs, args),
    async execute(args) {
      const resolved = resolvePath(view.root, String(args["path"]));
      if (!resolved.ok) return failure(resolved.reason);
      const entries = await view.list(resolved.path);
      if (entries === null) {
        const read = await view.read(resolved.path);
        const reason = read.ok ? `${quotePath(resolved.path)} is a file` : read.reason;
        return failure(reason);
      }
      if (entries.length === 0) return answer("[The folder is empty.]");
      const folders = entries.filter(({ kind }) => kind === "folder");
      const others = entries.filter(({ kind }) => kind !== "folder");
      const sorted = [...folders, ...others].slice(0, LS_ENTRIES_MAX);
      const lines = sorted.map(({ name, kind }) => `${safeLine(name)}${SUFFIXES[kind]}`);
      const left = entries.length - sorted.length;
      const hint = "list the rest with the shell, e.g. ls with a pattern, or ls piped into tail";
      if (left > 0) lines.push(`[… ${left} more of ${entries.length}: ${hint}]`);
      return answer(boundedOutput(lines.join("\n"), hint));
    },
  };
}
