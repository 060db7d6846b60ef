import {
  SKILL_FILE_MAX_BYTES,
  SKILL_LINE_MAX_CHARS,
  SKILL_MAX_FILES,
  SKILL_TOTAL_MAX_BYTES,
  SKILLBOOK_TOTAL_MAX_BYTES,
} from "../../core/limits.ts";
import { count } from "../../core/text.ts";
import {
  isSkillbookPath,
  SKILLBOOK_FILE_NAME,
  SKILLBOOK_FOLDER,
} from "../../skills/skillbook-files.ts";
import { howToMakeRoom, skillbookFileMax } from "../../skills/skillbook-limits.ts";
import type { Change, TreeFile, VerifyInput } from "../change.ts";
import type { ChangedFolder, VerifyContext } from "../context.ts";
import { type Detail, defineRule, EVERY_PROFILE, quoted } from "../rule.ts";

export const sizeRule = defineRule({
  id: "structure.size",
  level: "error",
  why: "A person must be able to read all of it in minutes; text beyond a screen's edge or a long file's middle is not read.",
  example: "a SKILL.md of 146 KB",
  profiles: EVERY_PROFILE,
  *check(context): Iterable<Detail> {
    const level = context.input.profile === "pull-request" ? "warning" : "error";
    const prefix = `${context.input.skillsRoot}/`;
    // Outside the root nothing is loaded: the path itself is refused.
    for (const change of context.written.filter(({ path }) => path.startsWith(prefix))) {
      const bytes = context.input.blob(change.id);
      if (bytes === undefined) {
        // No warning in any profile: what was not loaded was not verified.
        yield {
          path: change.path,
          message: `${quoted(change.path)} is too large to be loaded, or is no file.`,
          hint: `Keep a file below ${SKILL_FILE_MAX_BYTES} bytes.`,
        };
      } else yield* withLevel(level, checkFile(context, change, bytes));
    }
    for (const folder of context.folders) {
      yield* withLevel(level, checkFolder(folder, context.input));
    }
  },
});

function* withLevel(level: "error" | "warning", details: Iterable<Detail>): Iterable<Detail> {
  for (const detail of details) yield { ...detail, level };
}

function* checkFile(
  context: VerifyContext,
  { path, id }: Change,
  bytes: Uint8Array,
): Iterable<Detail> {
  const rest = inSkillbook(context, path);
  // What is rendered from a Skillbook may be longer: nobody writes it, and an agent searches it.
  const most = rest === null ? SKILL_FILE_MAX_BYTES : skillbookFileMax(rest);
  if (bytes.length > most) {
    yield {
      path,
      message: `${quoted(path)} has ${bytes.length} bytes; at most ${most} are allowed.`,
      hint:
        rest === null
          ? "Shorten it, or move details into files below `references/`."
          : sentence(howToMakeRoom(rest)),
    };
  }
  const blob = context.text(id);
  // Of the Skillbook's JSON, structure.skillbook bounds each text.
  if (blob.kind !== "text" || isSkillbookPath(path, context.skillsRoot)) return;
  const lines = blob.text.split("\n");
  const long = lines.findIndex((line) => line.length > SKILL_LINE_MAX_CHARS);
  if (long < 0) return;
  yield {
    path,
    line: long + 1,
    column: SKILL_LINE_MAX_CHARS + 1,
    message: `The line has ${lines[long]?.length ?? 0} characters; at most ${SKILL_LINE_MAX_CHARS} are allowed.`,
    hint: "Break the line.",
  };
}

/** Path in the Skillbook's folder; null for a file of another skill. */
function inSkillbook({ skillsRoot, input }: VerifyContext, path: string): string | null {
  const folder = `${skillsRoot}/${SKILLBOOK_FOLDER}/`;
  return path.startsWith(folder) && isSkillbook(folder, input.next)
    ? path.slice(folder.length)
    : null;
}

function isSkillbook(folder: string, files: readonly TreeFile[]): boolean {
  return files.some(({ path }) => path === `${folder}${SKILLBOOK_FILE_NAME}`);
}

function* checkFolder(
  { folder, path, nextFiles }: ChangedFolder,
  { blob }: VerifyInput,
): Iterable<Detail> {
  if (nextFiles.length > SKILL_MAX_FILES) {
    yield {
      path,
      message: `The skill has ${count(nextFiles.length, "file")}; at most ${SKILL_MAX_FILES} are allowed.`,
      hint: "Merge some of its references.",
    };
  }
  let total = 0;
  // One that is not loaded is a finding already, or was there before and is not this change's doing.
  for (const { id } of nextFiles) total += blob(id)?.length ?? 0;
  const isBook = folder === SKILLBOOK_FOLDER && isSkillbook(`${path}/`, nextFiles);
  const most = isBook ? SKILLBOOK_TOTAL_MAX_BYTES : SKILL_TOTAL_MAX_BYTES;
  if (total > most) {
    yield {
      path,
      message: `The files of the skill have more than ${most} bytes together.`,
      hint: isBook ? sentence(howToMakeRoom(null)) : "Shorten it, or split it into two skills.",
    };
  }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
