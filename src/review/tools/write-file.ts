import { TOOL_TEXT_MAX_CHARS } from "../../core/limits.ts";
import { answer, failure } from "../bounded-output.ts";
import { findingsText } from "../findings-text.ts";
import type { Tool } from "../tool.ts";
import { type ArgumentSpecs, parametersOf, prepareArguments } from "../tool-arguments.ts";
import type { ToolOptions } from "../tools.ts";
import { filePathSpec, skillFilePlace } from "./file-argument.ts";

/** Creates a file under the skills root. */
export function writeFileTool({ view, skillFolder, check, texts }: ToolOptions): Tool {
  const { skillsRoot } = view;
  const specs: ArgumentSpecs = {
    file_path: filePathSpec(texts("write_file.file_path", { skillsRoot })),
    content: {
      type: "string",
      description: texts("write_file.content"),
      isRequired: true,
      maxChars: TOOL_TEXT_MAX_CHARS,
    },
  };
  return {
    name: "write_file",
    description: texts("write_file", { skillsRoot }),
    parameters: parametersOf(specs),
    prepare: (args) => prepareArguments(specs, args),
    async execute(args) {
      const place = skillFilePlace(view, args, "written");
      if (!place.ok) return failure(place.reason);
      const { path, skill, folder } = place;
      const written = await skillFolder.create(skill, String(args["content"]));
      if (!written.ok) return failure(written.reason);
      view.markShown(path, String(args["content"]));
      const findings = await check(folder);
      return answer(`Created ${skillsRoot}/${skill}.\n${findingsText(findings)}`);
    },
  };
}
