/**
 * The offline reviewer: no model, no network. It writes down failed-then-fixed procedures that the
 * session shows beyond doubt, and nothing else. The same session gives the same bytes.
 */

import { OFFLINE_MAX_SKILLS, SKILL_FILE_MAX_BYTES } from "../../core/limits.ts";
import { contentKey } from "../../skills/content-key.ts";
import { readMarker } from "../../skills/marker.ts";
import { parseSkillFile, renderSkillFile } from "../../skills/skill-file.ts";
import { SKILL_FILE_NAME } from "../../skills/skill-path.ts";
import { raisePatch } from "../../skills/version.ts";
import type { Reviewer, ReviewInput, ReviewNote, ReviewResult } from "../reviewer.ts";
import { openSkillFolder, type SkillFolder } from "../skill-folder.ts";
import type { Arc } from "./arc.ts";
import { type ArcSearch, findArcs } from "./find-arcs.ts";
import { type Lesson, lessonOf } from "./lesson.ts";
import { mergeSkill } from "./merge-skill.ts";
import { type Placement, placeLesson } from "./place-lesson.ts";
import { atProjectRoot } from "./project-path.ts";
import { quotedLine } from "./quote.ts";
import { silenceOf } from "./silence.ts";
import { writeSkill } from "./write-skill.ts";

const NAME = "offline";

/** Enough of an id to tell sessions apart; the trailers of the commit have all of it. */
function shortId(id: string): string {
  return quotedLine(id.replace(/[^\w-]/g, ""), 9).replace(/-.*$|…$/, "") || "unknown";
}

function isDeclined(input: ReviewInput, text: string): boolean {
  const key = contentKey([{ path: SKILL_FILE_NAME, content: text }]);
  return input.declined.some((declined) => declined.contentKey === key);
}

/** Only what both readings take for an auto-skill may be changed; the list of existing skills is not enough. */
function mayChange(text: string): boolean {
  return parseSkillFile(text).ok && readMarker(text).isAutoSkill;
}

/** The new SKILL.md of an existing auto-skill; null when the lesson adds nothing. */
function updatedText(input: ReviewInput, lesson: Lesson, old: string): string | null {
  const parsed = parseSkillFile(old);
  if (!parsed.ok || !mayChange(old)) return null;
  const body = mergeSkill(parsed.skill.body, lesson, shortId(input.session.id));
  if (body === null) return null;
  const { where } = readMarker(old);
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

function whyNowhere(place: Extract<Placement, { kind: "silent" }>): string {
  switch (place.because) {
    case "declined":
      return `${place.folder} was declined`;
    case "taught":
      return `the skill ${place.folder} of a person covers it`;
    case "in-place":
      return `${place.folder}, which is in place and not committed, covers it`;
    case "no-name":
      return `every name for it is taken, from ${place.folder} on`;
  }
}

type Saved = { readonly note: ReviewNote } | { readonly silence: string };

interface Desk {
  readonly folder: SkillFolder;
  readonly input: ReviewInput;
  /** What exists, and what this review wrote so far. */
  existing: ReviewInput["existing"];
  readonly notes: ReviewNote[];
}

async function textsOf({ folder, existing }: Desk): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const skill of existing) {
    const read = await folder.read(`${skill.folder}/${SKILL_FILE_NAME}`);
    if (read.ok) texts.set(skill.folder, read.text);
  }
  return texts;
}

/** Writes one lesson. */
async function save(desk: Desk, first: Lesson, again: Lesson): Promise<Saved> {
  const { folder, input } = desk;
  const texts = await textsOf(desk);
  const textOf = (name: string) => texts.get(name) ?? null;
  const existing = desk.existing.map((skill) => ({
    ...skill,
    isAutoSkill: skill.isAutoSkill && mayChange(textOf(skill.folder) ?? ""),
  }));
  const place = placeLesson(first, existing, input.declined, textOf, input.inPlace);
  if (place.kind === "silent") return { silence: whyNowhere(place) };
  const text =
    place.kind === "create"
      ? newText(input, first, place.folder)
      : updatedText(input, again, textOf(place.folder) ?? "");
  if (text === null || desk.notes.some((note) => note.skill === place.folder))
    return { silence: `the lesson is in the skill ${place.folder} already` };
  if (Buffer.byteLength(text) > SKILL_FILE_MAX_BYTES)
    return { silence: `the skill ${place.folder} would be too large` };
  if (isDeclined(input, text)) return { silence: `${place.folder} was declined` };
  const path = `${place.folder}/${SKILL_FILE_NAME}`;
  const written =
    place.kind === "create" ? await folder.create(path, text) : await folder.replace(path, text);
  if (!written.ok) return { silence: `${path} could not be written: ${written.reason}` };
  if (place.kind === "create") {
    const own = { name: place.folder, folder: place.folder, description: first.description };
    desk.existing = [...desk.existing, { ...own, isAutoSkill: true, isOpenProposal: true }];
  }
  return { note: { skill: place.folder, why: first.why } };
}

/** null when the arc has nothing to name a skill by. */
async function learn(desk: Desk, arc: Arc): Promise<Saved | null> {
  const { session } = desk.input;
  const first = lessonOf(session, arc, null);
  // Beside turns of an earlier session, a turn id alone would be ambiguous.
  const again = lessonOf(session, arc, shortId(session.id));
  return first === null || again === null ? null : save(desk, first, again);
}

const OLD = "what the session solved was reviewed before, and nothing was solved since";

/** What came out in the turns that weren't reviewed before: the lesson of an earlier success was judged then. */
function solvedSince({ arcs, left }: ArcSearch, { session, newFrom }: ReviewInput): ArcSearch {
  if (newFrom === null) return { arcs, left };
  const start = session.turns.findIndex(({ id }) => id === newFrom);
  const fresh = new Set(session.turns.slice(start).map(({ id }) => id));
  return {
    arcs: arcs.filter(({ green }) => fresh.has(green.turn)),
    left: left.filter(({ turn }) => fresh.has(turn)),
  };
}

async function review(given: ReviewInput): Promise<ReviewResult> {
  const projectRoot = (await given.locateProject?.()) ?? given.projectRoot;
  const input = { ...given, session: atProjectRoot(given.session, projectRoot) };
  const desk: Desk = {
    folder: openSkillFolder(input.skillsDir),
    input,
    existing: input.existing,
    notes: [],
  };
  const { notes } = desk;
  const silences: string[] = [];
  const found = findArcs(input.session);
  const { arcs, left } = solvedSince(found, input);
  for (const arc of arcs) {
    if (notes.length === OFFLINE_MAX_SKILLS) break;
    input.signal.throwIfAborted();
    const saved = await learn(desk, arc);
    if (saved === null) continue;
    if ("silence" in saved) silences.push(saved.silence);
    else notes.push(saved.note);
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
  const isOld = arcs.length < found.arcs.length && left.length === 0;
  const silence = silences[0] ?? (isOld ? OLD : silenceOf(left, input.session.cwd));
  return { notes, usage, silence: notes.length > 0 ? null : silence };
}

/** Finds failed-then-fixed procedures without a model. */
export const offlineReviewer: Reviewer = { name: NAME, review };
