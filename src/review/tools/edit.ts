import {
  SKILL_FILE_MAX_BYTES,
  TOOL_OUTPUT_MAX_CHARS,
  TOOL_TEXT_MAX_CHARS,
} from "../../core/limits.ts";
import { count } from "../../core/text.ts";
import { answer, failure } from "../bounded-output.ts";
import { findingsText } from "../findings-text.ts";
import { quotePath } from "../paths.ts";
import type { ReviewTexts } from "../review-texts.ts";
import type { Tool } from "../tool.ts";
import { type ArgumentSpecs, parametersOf, prepareArguments } from "../tool-arguments.ts";
import type { ToolOptions } from "../tools.ts";
import { filePathSpec, skillFilePlace } from "./file-argument.ts";

/** Replaces text in a file under the skills root. */
export function editTool({ view, skillFolder, check, texts }: ToolOptions): Tool {
  const { skillsRoot } = view;
  const specs = argumentsFor(skillsRoot, texts);
  return {
    name: "edit",
    description: texts("edit", { skillsRoot }),
    parameters: parametersOf(specs),
    prepare: (args) => prepareArguments(specs, args),
    async execute(args) {
      const place = skillFilePlace(view, args, "edited");
      if (!place.ok) return failure(place.reason);
      const { path, skill, folder } = place;
      const read = await skillFolder.read(skill);
      if (!read.ok) return failure(read.reason);
      const unseen = await view.unshownLines(path, read.text);
      const problem = unseenProblem(read.text, String(args["old_string"]), unseen);
      if (problem !== null) return failure(`${quotePath(path)} was not read: ${problem}`);
      const replaced = replaceText(read.text, {
        from: String(args["old_string"]),
        to: String(args["new_string"]),
        isAll: args["replace_all"] === true,
      });
      if ("reason" in replaced) return failure(replaced.reason);
      const written = await skillFolder.replace(skill, replaced.text);
      if (!written.ok) return failure(written.reason);
      // Behind its own edit the model knows what it knew, and what it wrote.
      const known = new Set(unseen.map((line) => read.text.split("\n")[line]));
      const now = replaced.text.split("\n").filter((line) => !known.has(line));
      view.markShown(path, now.join("\n"));
      const findings = await check(folder);
      const places = count(replaced.places, "place");
      return answer(`Edited ${skillsRoot}/${skill} in ${places}.\n${findingsText(findings)}`);
    },
  };
}

function argumentsFor(skillsRoot: string, texts: ReviewTexts): ArgumentSpecs {
  const text = { type: "string", isRequired: true, maxChars: TOOL_TEXT_MAX_CHARS } as const;
  return {
    file_path: filePathSpec(texts("edit.file_path", { skillsRoot })),
    old_string: { ...text, description: texts("edit.old_string") },
    new_string: { ...text, description: texts("edit.new_string") },
    replace_all: {
      type: "boolean",
      description: texts("edit.replace_all"),
    },
  };
}

/**
 * Why the model hasn't seen enough to edit; null when it has. Of what
 * one answer can't hold, the lines that are replaced are enough.
 */
function unseenProblem(text: string, from: string, unseen: readonly number[]): string | null {
  const [first, last] = [unseen[0], unseen.at(-1)];
  if (first === undefined || last === undefined) return null;
  if (text.length <= TOOL_OUTPUT_MAX_CHARS)
    return `read all of it with read_file first, then edit: lines ${first + 1} to ${last + 1} were not shown`;
  if (from === "") return null;
  let line = 0;
  const height = from.split("\n").length - 1;
  const parts = text.split(from).slice(0, -1);
  for (const part of parts) {
    line += part.split("\n").length - 1;
    const found = unseen.find((one) => one >= line && one <= line + height);
    if (found !== undefined)
      return `read it around line ${found + 1} with read_file first, then edit`;
    line += height;
  }
  return null;
}

function replaceText(
  text: string,
  { from, to, isAll }: { from: string; to: string; isAll: boolean },
): { readonly text: string; readonly places: number } | { readonly reason: string } {
  if (from === "") return { reason: "old_string is empty: give the text that is to be replaced" };
  if (from === to) return { reason: "old_string and new_string are the same" };
  const parts = text.split(from);
  const places = parts.length - 1;
  if (places === 0)
    return { reason: "old_string does not occur in the file: read it again and copy it exactly" };
  if (places > 1 && !isAll)
    return {
      reason: `old_string occurs in ${places} places: give more of the text around it, or set replace_all`,
    };
  // Counted before it is made: every letter of a file can be replaced by a whole text.
  const bytes =
    Buffer.byteLength(text) + places * (Buffer.byteLength(to) - Buffer.byteLength(from));
  if (bytes > SKILL_FILE_MAX_BYTES)
    return {
      reason: `the text would have ${bytes} bytes, and a file of a skill may have ${SKILL_FILE_MAX_BYTES}`,
    };
  return { text: parts.join(to), places };
}
