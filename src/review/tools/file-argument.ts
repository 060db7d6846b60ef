/** The argument `file_path`, which three tools take, and the file of a skill that two of them write. */
import type { FileView } from "../file-view.ts";
import { resolvePath } from "../paths.ts";
import type { ArgumentSpecs } from "../tool-arguments.ts";

/** Models know the argument by older names, too. */
export function filePathSpec(description: string): ArgumentSpecs[string] {
  return { type: "string", description, isRequired: true, aliases: ["absolute_path", "path"] };
}

/** A file in a skill's folder, as a call names it. */
export type SkillFilePlace =
  | {
      readonly ok: true;
      /** In the view. */
      readonly path: string;
      /** Below the skills root: `release-flow/SKILL.md`. */
      readonly skill: string;
      /** The first part of it. */
      readonly folder: string;
    }
  | { readonly ok: false; readonly reason: string };

/** @param done what was to be done with it, for the refusal: `edited` */
export function skillFilePlace(
  view: FileView,
  args: Readonly<Record<string, unknown>>,
  done: "edited" | "written",
): SkillFilePlace {
  const resolved = resolvePath(view.root, String(args["file_path"]));
  if (!resolved.ok) return resolved;
  const skill = view.skillPath(resolved.path);
  if (skill === null || !skill.includes("/"))
    return { ok: false, reason: `only files of skills, under ${view.skillsRoot}, can be ${done}` };
  return { ok: true, path: resolved.path, skill, folder: skill.slice(0, skill.indexOf("/")) };
}
