import { MARKER_LINE } from "../../skills/marker.ts";
import { SKILLBOOK_FILE_NAME, SKILLBOOK_FOLDER } from "../../skills/skillbook-files.ts";
import type { ChangedFolder, SkillVersion } from "../context.ts";
import { type Detail, defineRule, EVERY_PROFILE, quoted } from "../rule.ts";

const PLAIN_LINE = `\`${MARKER_LINE}\``;

export const markerRule = defineRule({
  id: "structure.marker",
  level: "error",
  why: "Reviewers may only touch skills that reviewers wrote, and what they write must be recognisable as theirs, for every reader.",
  example: "an edit of a skill that a person wrote",
  profiles: EVERY_PROFILE,
  *check({ folders }): Iterable<Detail> {
    for (const folder of folders) {
      if (folder.isPersonal) {
        yield* noteTakenOver(folder);
        continue;
      }
      yield* checkParent(folder);
      if (folder.next) yield* checkNext(folder, folder.next);
    }
  },
});

function* noteTakenOver({ parent, skillPath }: ChangedFolder): Iterable<Detail> {
  if (!parent?.marker?.isAutoSkill) return;
  yield {
    level: "warning",
    path: skillPath,
    message: `The line ${PLAIN_LINE} is removed: from now on this is a person's skill, which reviewers leave alone.`,
    hint: "Keep the line if reviewers should go on improving the skill.",
  };
}

/** A folder without a SKILL.md counts as user-created too: nothing in it says otherwise. */
function* checkParent(folder: ChangedFolder): Iterable<Detail> {
  if (folder.parentFiles.length === 0 || folder.parent?.marker?.isAutoSkill) return;
  const [problem] = folder.parent?.marker?.problems ?? [];
  const reason = problem
    ? `its marker is not valid in the parent version: ${quoted(problem.message)}`
    : `its parent version doesn't carry the line ${PLAIN_LINE}`;
  const said = isBookAlone(folder)
    ? {
        message:
          "The Skillbook has no SKILL.md that skillpr wrote: only its JSON was there before.",
        hint: "Let a person look at the JSON, run `skillpr skillbook validate --fix` and commit both files first.",
      }
    : {
        message: `This skill appears to be user-created (${reason}).`,
        hint: "Leave it as it is; write what was learned into a new skill with another name.",
      };
  for (const { path, status } of folder.changes) if (status !== "D") yield { path, ...said };
}

/** As ACE leaves it: a Skillbook that no agent can load yet, and no other skill can take its place. */
function isBookAlone({ folder, parent, parentFiles }: ChangedFolder): boolean {
  return (
    folder === SKILLBOOK_FOLDER &&
    parent === null &&
    parentFiles.some(({ path }) => path.endsWith(`/${SKILLBOOK_FILE_NAME}`))
  );
}

function* checkNext(folder: ChangedFolder, next: SkillVersion): Iterable<Detail> {
  const path = folder.skillPath;
  const hint = `Put the plain line ${PLAIN_LINE} under \`metadata:\`, once, without quotes or a comment.`;
  if (!next.parsed?.ok || !next.marker) {
    // The details are findings of the rules about text and frontmatter.
    const line = next.parsed?.ok === false ? (next.parsed.problems[0]?.line ?? null) : null;
    const message = "The marker can't be looked for: the frontmatter can't be read safely.";
    yield { path, line, message, hint };
    return;
  }
  if (next.marker.isAutoSkill) return;
  if (next.marker.problems.length === 0) {
    yield { path, message: `The new version doesn't carry the line ${PLAIN_LINE}.`, hint };
  }
  for (const { line, message } of next.marker.problems) {
    yield { path, line, message: `The marker is not valid: ${quoted(message)}.`, hint };
  }
}
