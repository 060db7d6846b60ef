import { SKILL_LINE_MAX_CHARS } from "../../core/limits.ts";
import { count } from "../../core/text.ts";
import { ambiguousIds, MAKE_UNAMBIGUOUS } from "../../skills/ambiguous-id.ts";
import { SKILL_FILE_NAME } from "../../skills/skill-path.ts";
import { parseSkillbook, renderSkillbook, type Skillbook } from "../../skills/skillbook.ts";
import {
  renderSkillbookFiles,
  SKILLBOOK_FILE_NAME,
  SKILLBOOK_FOLDER,
  skillFolders,
} from "../../skills/skillbook-files.ts";
import type { TreeFile } from "../change.ts";
import type { ChangedFolder, VerifyContext } from "../context.ts";
import { type Detail, defineRule, EVERY_PROFILE, quoted } from "../rule.ts";
import { oddStrings, whatIsLost } from "../skillbook-changes.ts";

const FIX = "Let skillpr write it: `skillpr skillbook validate --fix`.";

export const skillbookRule = defineRule({
  id: "structure.skillbook",
  level: "error",
  why: "People read SKILL.md and agents may read the JSON: both must say the same, and what earlier sessions taught must not vanish.",
  example: "a SKILL.md that isn't what skillbook.json gives; a counter that went down",
  profiles: EVERY_PROFILE,
  *check(context): Iterable<Detail> {
    for (const folder of context.folders)
      if (folder.folder === SKILLBOOK_FOLDER) yield* checkFolder(context, folder);
    yield* checkGone(context);
    yield* checkNames(context);
  },
});

/** A new skill that is called like a strategy in use, or the other way round: marks of that name could mean either. */
function* checkNames(context: VerifyContext): Iterable<Detail> {
  const { input, folders, skillsRoot } = context;
  const path = `${skillsRoot}/${SKILLBOOK_FOLDER}/${SKILLBOOK_FILE_NAME}`;
  const isBookChanged = folders.some(({ folder }) => folder === SKILLBOOK_FOLDER);
  const fresh = folders.filter(({ parentFiles }) => parentFiles.length === 0);
  if (!isBookChanged && fresh.length === 0) return;
  const [before, after] = [input.parent, input.next].map((files) => {
    const text = textOf(
      context,
      files.find((file) => file.path === path),
    );
    const parsed = text === null ? null : parseSkillbook(text);
    if (!parsed?.ok) return [];
    return ambiguousIds(parsed.skillbook, skillFolders(files, skillsRoot));
  });
  for (const id of after?.filter((each) => before?.includes(each) !== true) ?? []) {
    const isFolder = fresh.some(({ folder }) => folder === id);
    yield {
      path: isFolder ? `${skillsRoot}/${id}/${SKILL_FILE_NAME}` : path,
      message: `${quoted(id)} is both a strategy of the Skillbook and the folder of a skill, so that neither can be marked.`,
      hint: `${MAKE_UNAMBIGUOUS.charAt(0).toUpperCase()}${MAKE_UNAMBIGUOUS.slice(1)}.`,
      level: "warning",
    };
  }
}

/** A person may remove it as a whole; a proposal's deletions are refused anyway. */
function* checkGone({
  input,
  changes,
  folders,
  text,
  skillsRoot,
}: VerifyContext): Iterable<Detail> {
  const path = `${skillsRoot}/${SKILLBOOK_FOLDER}/${SKILLBOOK_FILE_NAME}`;
  const gone = changes.find((change) => change.path === path && change.status === "D");
  if (gone === undefined || input.profile !== "pull-request") return;
  if (folders.some(({ folder }) => folder === SKILLBOOK_FOLDER)) return;
  const blob = text(gone.oldId);
  const parsed = blob.kind === "text" ? parseSkillbook(blob.text) : null;
  if (!parsed?.ok) return;
  const strategies = count(Object.keys(parsed.skillbook.skills).length, "strategy", "strategies");
  yield {
    path,
    message: `The Skillbook is removed, with its ${strategies} and all their marks.`,
    hint: "Keep it if only some of them are wrong: `skillpr apply` with REMOVE takes single ones out of use.",
    level: "warning",
  };
}

function* checkFolder(context: VerifyContext, folder: ChangedFolder): Iterable<Detail> {
  const path = `${folder.path}/${SKILLBOOK_FILE_NAME}`;
  const file = folder.nextFiles.find((each) => each.path === path);
  const before = folder.parentFiles.find((each) => each.path === path);
  // A folder of that name without the file is a skill like any other.
  if (file === undefined && before === undefined) return;
  const text = textOf(context, file);
  if (text === null) {
    yield {
      path,
      message: `The Skillbook has no ${SKILLBOOK_FILE_NAME} any more that can be read.`,
      hint: "Restore the file: everything else in the folder is rendered from it.",
    };
    return;
  }
  const parsed = parseSkillbook(text);
  if (!parsed.ok) {
    for (const { message } of parsed.problems)
      yield {
        path,
        message: `The Skillbook's file can't be used: ${quoted(message)}.`,
        hint: "Correct it there; `skillpr skillbook validate` lists all that is wrong.",
      };
    return;
  }
  const { skillbook } = parsed;
  if (text !== renderSkillbook(skillbook))
    yield { path, message: "The Skillbook's file is not written in its one form.", hint: FIX };
  yield* checkStrings(path, text, skillbook);
  yield* checkRendering(context, folder, skillbook);
  yield* checkAgainst(context, path, textOf(context, before), skillbook);
}

function* checkStrings(path: string, text: string, skillbook: Skillbook): Iterable<Detail> {
  for (const { value, problem } of oddStrings(skillbook)) {
    const at = text.indexOf(JSON.stringify(value).slice(1, -1));
    yield {
      path,
      line: at < 0 ? null : text.slice(0, at).split("\n").length,
      message: `${quoted(value)} ${problem}.`,
      hint: `Write plain text of at most ${SKILL_LINE_MAX_CHARS} characters.`,
    };
  }
}

/** Every file is the rendering, and there is no other. */
function* checkRendering(
  context: VerifyContext,
  { path, nextFiles }: ChangedFolder,
  skillbook: Skillbook,
): Iterable<Detail> {
  const expected = new Map(
    renderSkillbookFiles(skillbook).map((file) => [`${path}/${file.path}`, file.content]),
  );
  expected.delete(`${path}/${SKILLBOOK_FILE_NAME}`);
  for (const [name, content] of expected) {
    const text = textOf(
      context,
      nextFiles.find((file) => file.path === name),
    );
    if (text === content) continue;
    yield {
      path: name,
      line: text === null ? null : firstDifference(text, content),
      message: `${quoted(name)} is not what ${SKILLBOOK_FILE_NAME} gives.`,
      hint: FIX,
    };
  }
  for (const file of nextFiles) {
    if (expected.has(file.path) || file.path === `${path}/${SKILLBOOK_FILE_NAME}`) continue;
    yield {
      path: file.path,
      message: `${quoted(file.path)} is no file of the Skillbook.`,
      hint: `The folder holds ${SKILLBOOK_FILE_NAME} and what is rendered from it; write another skill for anything else.`,
    };
  }
}

function* checkAgainst(
  { input }: VerifyContext,
  path: string,
  parentText: string | null,
  skillbook: Skillbook,
): Iterable<Detail> {
  const parent = parentText === null ? null : parseSkillbook(parentText);
  // What couldn't be read before can't be held against this change.
  if (!parent?.ok) return;
  for (const message of whatIsLost(parent.skillbook, skillbook))
    yield {
      path,
      message,
      hint: "Marks only go up, and REMOVE keeps a strategy in the file: restore what was there.",
      // A person may tidy up by hand, and is told what that loses.
      level: input.profile === "pull-request" ? "warning" : "error",
    };
}

function textOf(context: VerifyContext, file: TreeFile | undefined): string | null {
  const blob = file?.mode.startsWith("100") ? context.text(file.id) : null;
  return blob?.kind === "text" ? blob.text : null;
}

function firstDifference(text: string, expected: string): number {
  const lines = expected.split("\n");
  const index = text.split("\n").findIndex((line, at) => line !== lines[at]);
  return index < 0 ? lines.length : index + 1;
}
