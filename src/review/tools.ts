/** The five tools of a review; there are no others, and none deletes, renames or runs anything. */
import type { FileView } from "./file-view.ts";
import type { ProjectHistory } from "./project.ts";
import type { ReviewTexts } from "./review-texts.ts";
import type { ReviewFinding } from "./reviewer.ts";
import type { SkillFolder } from "./skill-folder.ts";
import type { Tool } from "./tool.ts";
import { editTool } from "./tools/edit.ts";
import { lsTool } from "./tools/ls.ts";
import { readFileTool } from "./tools/read-file.ts";
import { shellTool } from "./tools/shell.ts";
import { writeFileTool } from "./tools/write-file.ts";

export interface ToolOptions {
  readonly view: FileView;
  readonly skillFolder: SkillFolder;
  readonly history: ProjectHistory;
  /** Has the tools' and their arguments' descriptions. */
  readonly texts: ReviewTexts;
  /** What the verifier says of a skill folder (its name) as it lies there now. */
  readonly check: (folder: string) => Promise<readonly ReviewFinding[]>;
}

/**
 * They contain themselves (no path leads outside, no link is followed); which skill may be written
 * is for the policy to say, which is asked before each of them.
 */
export function createTools(options: ToolOptions): readonly Tool[] {
  const { view, history, texts } = options;
  return [
    readFileTool(view, texts),
    lsTool(view, texts),
    writeFileTool(options),
    editTool(options),
    shellTool(view, history, texts),
  ];
}
