import { READ_LINES_MAX } from "../../core/limits.ts";
import { failure, lineWindow, pageWindow } from "../bounded-output.ts";
import { decodeText } from "../decode-text.ts";
import type { FileView } from "../file-view.ts";
import { quotePath, resolvePath, TRANSCRIPT_PATH } from "../paths.ts";
import type { ReviewTexts } from "../review-texts.ts";
import type { Tool } from "../tool.ts";
import { type ArgumentSpecs, parametersOf, prepareArguments } from "../tool-arguments.ts";
import { filePathSpec } from "./file-argument.ts";

const argumentsFor = (texts: ReviewTexts): ArgumentSpecs => ({
  file_path: filePathSpec(texts("read_file.file_path", { transcript: TRANSCRIPT_PATH })),
  offset: {
    type: "integer",
    description: texts("read_file.offset"),
  },
  limit: {
    type: "integer",
    description: texts("read_file.limit", { lines: String(READ_LINES_MAX) }),
  },
});

/** Reads a text file of the view. */
export function readFileTool(view: FileView, texts: ReviewTexts): Tool {
  const specs = argumentsFor(texts);
  return {
    name: "read_file",
    description: texts("read_file"),
    parameters: parametersOf(specs),
    prepare: (args) => prepareArguments(specs, args),
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
