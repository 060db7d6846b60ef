/**
 * The offline reviewer: no model, no network. It writes down failed-then-fixed procedures that the
 * session shows beyond doubt, and nothing else. The same session gives the same bytes.
 */
import { OFFLINE_MAX_SKILLS, SKILL_FILE_MAX_BYTES } from "../../core/limits.ts";
import { contentKey } from "../../skills/content-key.ts";
import { readMarker } from "../../skills/marker.ts";
import { parseSkillFile, renderSkillFile } from "../../skills/skill-file.ts";
import { raisePatch } from "../../skills/version.ts";
import type { Reviewer, ReviewInput, ReviewNote, ReviewResult } from "../reviewer.ts";
import { openSkillFolder, type SkillFolder } from "../skill-folder.ts";
import { findArcs } from "./find-arcs.ts";
import { type Lesson, lessonOf } from "./lesson.ts";
import { mergeSkill } from "./merge-skill.ts";
import { placeLesson } from "./place-lesson.ts";
import { quotedLine } from "./quote.ts";
import { writeSkill } from "./write-skill.ts";

const NAME = "offline";

/** Enough of an id to tell sessions apart; the trailers of the commit have all of it. */
function shortId(id: string): string {
  return quotedLine(id.replace(/[^\w-]/g, ""), 9).replace(/-.*$|…$/, "") || "unknown";
}

function isDeclined(input: ReviewInput, text: string): boolean {
  const key = contentKey([{ path: "SKILL.md", content: text }]);
  return input.declined.some((declined) => declined.contentKey === key);
}

/** The new SKILL.md of an existing auto-skill; null when the lesson adds nothing, or it can't be kept up. */
function updatedText(input: ReviewInput, lesson: Lesson, old: string): string | null {
  const parsed = parseSkillFile(old);
  // Only what both readings take for an auto-skill may be changed; the list of existing skills is not enough.
  const { isAutoSkill, where } = readMarker(old);
  if (!parsed.ok || !isAutoSkill) return null;
  const body = mergeSkill(parsed.skill.body, lesson, shortId(input.session.id));
  if (body === null) return null;
  return renderSkillFile({
    name: parsed.skill.name ?? lesson.name,
    description: parsed.skill.description ?? lesson.description,
    version: raisePatch(parsed.skill.version),
    extractedAt: input.extractedAt,
    marker: where.length > 1 ? "both" : (where[0] ?? input.marker),
    body,
    keep: parsed.skill.frontmatter,
  });
}

function newText(input: ReviewInput, lesson: Lesson, folder: string): string {
  return renderSkillFile({
    name: folder,
    description: lesson.description,
    version: "1.0.0",
    extractedAt: input.extractedAt,
    marker: input.marker,
    body: writeSkill(lesson, shortId(input.session.id)),
  });
}

/** Writes one lesson; null when nothing was written. */
async function save(
  folder: SkillFolder,
  input: ReviewInput,
  first: Lesson,
  again: Lesson,
): Promise<ReviewNote | null> {
  const texts = new Map<string, string>();
  for (const skill of input.existing) {
    const read = await folder.read(`${skill.folder}/SKILL.md`);
    if (read.ok) texts.set(skill.folder, read.text);
  }
  const place = placeLesson(
    first,
    input.existing,
    input.declined,
    (name) => texts.get(name) ?? null,
  );
  if (place.kind === "silent") return null;
  const path = `${place.folder}/SKILL.md`;
  const text =
    place.kind === "create"
      ? newText(input, first, place.folder)
      : updatedText(input, again, texts.get(place.folder) ?? "");
  if (text === null || Buffer.byteLength(text) > SKILL_FILE_MAX_BYTES || isDeclined(input, text))
    return null;
  const written =
    place.kind === "create" ? await folder.create(path, text) : await folder.replace(path, text);
  return written.ok ? { skill: place.folder, why: first.why } : null;
}

async function review(input: ReviewInput): Promise<ReviewResult> {
  const folder = openSkillFolder(input.skillsDir);
  const notes: ReviewNote[] = [];
  const { session } = input;
  for (const arc of findArcs(session).arcs) {
    if (notes.length === OFFLINE_MAX_SKILLS) break;
    input.signal.throwIfAborted();
    const first = lessonOf(session, arc, (turn) => turn);
    // Beside turns of an earlier session, a turn id alone would be ambiguous.
    const again = lessonOf(session, arc, (turn) => `${turn} of session ${shortId(session.id)}`);
    if (first === null || again === null) continue;
    const note = await save(folder, input, first, again);
    if (note !== null) notes.push(note);
  }
  const usage = {
    reviewer: NAME,
    model: null,
    turns: 0,
    inputTokens: 0,
    outputTokens: 0,
    requestBytes: 0,
    incomplete: false,
  };
  return { notes, usage };
}

/** Finds failed-then-fixed procedures without a model. */
export const offlineReviewer: Reviewer = { name: NAME, review };
