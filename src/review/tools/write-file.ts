import { TOOL_TEXT_MAX_CHARS } from "../../core/limits.ts";
import { answer, failure } from "../bounded-output.ts";
import { findingsText } from "../findings-text.ts";
import { resolvePath } from "../paths.ts";
import type { Tool } from "../tool.ts";
import { type ArgumentSpecs, parametersOf, prepareArguments } from "../tool-arguments.ts";
import type { ToolOptions } from "../tools.ts";

/** Creates a file under the skills root. */
export function writeFileTool({ view, skillFolder, check, texts }: ToolOptions): Tool {
  const { skillsRoot } = view;
  const specs: ArgumentSpecs = {
    file_path: {
      type: "string",
      description: texts("write_file.file_path", { skillsRoot }),
      isRequired: true,
      aliases: ["absolute_path", "path"],
    },
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
      const resolved = resolvePath(view.root, String(args["file_path"]));
      if (!resolved.ok) return failure(resolved.reason);
      const skill = view.skillPath(resolved.path);
      if (skill === null || !skill.includes("/"))
        return failure(`only files of skills, under ${skillsRoot}, can be written`);
      const written = await skillFolder.create(skill, String(args["content"]));
      if (!written.ok) return failure(written.reason);
      view.markShown(resolved.path, String(args["content"]));
      const findings = await check(skill.slice(0, skill.indexOf("/")));
      return answer(`Created ${skillsRoot}/${skill}.\n${findingsText(findings)}`);
    },
  };
}
