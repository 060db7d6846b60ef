/** The Skillbook as a skill folder: which files it consists of, and what stands in them. Pure. */
import { SKILLBOOK_INLINE_MAX_STRATEGIES } from "../core/limits.ts";
import { count } from "../core/text.ts";
import { stringifyYaml } from "../core/yaml.ts";
import { MARKER_LINE } from "./marker.ts";
import { parseSkillPath, SKILL_FILE_NAME } from "./skill-path.ts";
import { renderSkillbook, type Section, type Skillbook, type Strategy } from "./skillbook.ts";

/** The folder under the skills root, and the name of the skill; its branch is called after it. */
export const SKILLBOOK_FOLDER = "skillbook";
export const SKILLBOOK_FILE_NAME = "skillbook.json";
/** In the order in which they are shown. */
export const SECTIONS: readonly Section[] = ["context", "harness"];

/** True for the one JSON file that a skill may hold: the Skillbook's, in its folder. */
export function isSkillbookFile(folder: string, rest: string): boolean {
  return folder === SKILLBOOK_FOLDER && rest === SKILLBOOK_FILE_NAME;
}

/** The same for a path from the repository's root. */
export function isSkillbookPath(path: string, skillsRoot: string): boolean {
  const place = parseSkillPath(path, skillsRoot);
  return place !== null && isSkillbookFile(place.folder, place.rest);
}

/** The folders of the skills beside the Skillbook, of a listing of the skills root: what it may mark. */
export function skillFolders(
  files: readonly { readonly path: string }[],
  skillsRoot: string,
): ReadonlySet<string> {
  const folders = files.flatMap(({ path }) => parseSkillPath(path, skillsRoot)?.folder ?? []);
  return new Set(folders.filter((folder) => folder !== SKILLBOOK_FOLDER));
}

/** One file of the folder, its path relative to it. */
export interface SkillbookFile {
  readonly path: string;
  readonly content: string;
}

/**
 * All files of the Skillbook's folder: skillbook.json, SKILL.md, and `references/<section>.md` once it
 * holds more than SKILLBOOK_INLINE_MAX_STRATEGIES (removed ones counted, so that a reference file, once
 * there, never has to go). The same Skillbook gives the same bytes.
 */
export function renderSkillbookFiles(skillbook: Skillbook): SkillbookFile[] {
  const isLarge = Object.keys(skillbook.skills).length > SKILLBOOK_INLINE_MAX_STRATEGIES;
  const body = isLarge ? indexOf(skillbook) : entriesOf(skillbook);
  const references = SECTIONS.filter(
    (section) => isLarge && skillbook.sections[section].length > 0,
  );
  return [
    { path: SKILLBOOK_FILE_NAME, content: renderSkillbook(skillbook) },
    { path: SKILL_FILE_NAME, content: `${FRONTMATTER}\n${INTRODUCTION}\n${body}` },
    ...references.map((section) => ({
      path: referenceOf(section),
      content: `# Skillbook: ${section}\n\n${entriesIn(skillbook, section)}\n`,
    })),
  ];
}

const DESCRIPTION =
  "Small strategies that earlier sessions in this project taught, each with how often it helped or harmed. " +
  "Use when a task in this project begins, when a command or a test fails, and before you repeat a step that went wrong before.";

const FRONTMATTER = `---
${stringifyYaml({ name: SKILLBOOK_FOLDER, description: DESCRIPTION })}metadata:
  ${MARKER_LINE}
---
`;

const INTRODUCTION = `# Skillbook

What sessions in this project taught, one strategy an entry, with the marks that it got since. It is written from \`skillbook.json\` beside it: change it with \`skillpr apply\`, not by hand.

When you use a strategy, name its id in your answer (for example: "as [context-00001] says"), so that it can be marked as helpful or harmful afterwards.
`;

/**
 * The active strategies in ACE's prompt form (`## context`, `- [id]`, Keywords, Issue, Insight), with
 * their marks; empty sections are left out.
 */
function entriesOf(skillbook: Skillbook): string {
  const parts = SECTIONS.filter((section) => activeIn(skillbook, section).length > 0).map(
    (section) => `## ${section}\n\n${entriesIn(skillbook, section)}\n`,
  );
  return parts.length === 0 ? "No strategy is in use.\n" : parts.join("\n");
}

/** Ids with keywords and marks; what they say stands in the references. */
function indexOf(skillbook: Skillbook): string {
  const parts = SECTIONS.flatMap((section) => {
    const active = activeIn(skillbook, section);
    if (active.length === 0) return [];
    const lines = active.map(
      (strategy) =>
        `- [${strategy.id}] ${strategy.keywords.map(oneLine).join(", ")} (${marksOf(strategy)})`,
    );
    const where = `${count(active.length, "strategy", "strategies")}. Look for the keywords of your task, then read the entries of these ids in \`${referenceOf(section)}\`:`;
    return [`## ${section}\n\n${where}\n\n${lines.join("\n")}\n`];
  });
  return parts.length === 0 ? "No strategy is in use.\n" : parts.join("\n");
}

function entriesIn(skillbook: Skillbook, section: Section): string {
  const entries = activeIn(skillbook, section).map((strategy) =>
    entryOf(strategy, marksOf(strategy)),
  );
  return entries.length === 0 ? "No strategy is in use." : entries.join("\n");
}

/** One strategy as ACE puts it into a prompt, with its marks unless they are null. */
export function entryOf({ id, keywords, issue, insight }: Strategy, marks: string | null): string {
  return [
    `- [${id}]`,
    `  Keywords: ${keywords.map(oneLine).join(", ")}`,
    `  Issue: ${oneLine(issue)}`,
    ...(insight === null ? [] : [`  Insight: ${oneLine(insight)}`]),
    ...(marks === null ? [] : [`  Marks: ${marks}`]),
  ].join("\n");
}

/** ACE's prompt form alone: what its own agent would be shown. Empty when nothing is in use. */
export function promptForm(skillbook: Skillbook): string {
  return SECTIONS.filter((section) => activeIn(skillbook, section).length > 0)
    .map((section) => {
      const entries = activeIn(skillbook, section).map((strategy) => entryOf(strategy, null));
      return `## ${section}\n${entries.join("\n\n")}\n`;
    })
    .join("\n");
}

/** The strategies of a section that are in use, in its order. */
export function activeIn({ skills, sections }: Skillbook, section: Section): Strategy[] {
  return sections[section].flatMap((id) => {
    const strategy = Object.hasOwn(skills, id) ? skills[id] : undefined;
    return strategy?.active ? [strategy] : [];
  });
}

function marksOf({ helpful_count, harmful_count, neutral_count }: Strategy): string {
  return `helpful ${helpful_count}, harmful ${harmful_count}, neutral ${neutral_count}`;
}

function referenceOf(section: Section): string {
  return `references/${section}.md`;
}

/** A strategy's text never begins a line of its own, so it can't become a heading, a fence or an entry. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
