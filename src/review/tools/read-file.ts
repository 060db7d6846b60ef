import { READ_LINES_MAX } from "../../core/limits.ts";
import { failure, lineWindow, pageWindow } from "../bounded-output.ts";
import { decodeText } from "../decode-text.ts";
import type { FileView } from "../file-view.ts";
import { quotePath, resolvePath, TRANSCRIPT_PATH } from "../paths.ts";
import type { Tool } from "../tool.ts";
import { type ArgumentSpecs, parametersOf, prepareArguments } from "../tool-arguments.ts";

const ARGUMENTS: ArgumentSpecs = {
  file_path: {
    type: "string",
    description: `The file, absolute or relative to the project's root; ${TRANSCRIPT_PATH} is the whole session.`,
    isRequired: true,
    aliases: ["absolute_path", "path"],
  },
  offset: {
    type: "integer",
    description: "Optional: the 0-based line to start from.",
  },
  limit: {
    type: "integer",
    description: `Optional: how many lines, at most ${READ_LINES_MAX}.`,
  },
};

/** Reads a text file of the view. */
export function readFileTool(view: FileView): Tool {
  return {
    name: "read_file",
    description:
      "Reads a text file: a tracked file of the project as of the base commit, a skill as it is now, or the session's transcript. A long file comes in parts: use offset and limit.",
    parameters: parametersOf(ARGUMENTS),
    prepare: (args) => prepareArguments(ARGUMENTS, args),
    async execute(args) {
      const resolved = resolvePath(view.root, String(args["file_path"]));
      if (!resolved.ok) return failure(resolved.reason);
      const offset = Number(args["offset"] ?? 0);
      const limit = Number(args["limit"] ?? 0) || READ_LINES_MAX;
      const page = await view.page(resolved.path, offset, limit);
      if (page !== null) return pageWindow(page, offset);
      const read = await view.read(resolved.path);
      if (!read.ok) return failure(read.reason);
      const text = decodeText(read.bytes);
      const quoted = quotePath(resolved.path);
      if (text === null)
        return failure(`${quoted} is a binary file of ${read.bytes.byteLength} bytes, not text`);
      const output = lineWindow(text, offset, limit, read.isCut);
      if (!output.isError) view.markShown(resolved.path, output.text);
      return output;
    },
  };
}
