/** Adoption: what became of one skill in place, and the reasons why nothing did. */
import { createHash } from "node:crypto";
import type { SkillprError } from "./core/errors.ts";
import * as limits from "./core/limits.ts";
import { cut, safeLine } from "./core/text.ts";
import type { InPlaceContent, InPlaceFolder } from "./git/in-place-folders.ts";
import { hashObject } from "./git/objects.ts";
import type { Outcome } from "./outcome.ts";
import type { FolderFile } from "./proposal/folder-tree.ts";
import { mentionsMarker, readMarker } from "./skills/marker.ts";
import { isSkillName } from "./skills/skill-name.ts";
import { SKILL_FILE_NAME } from "./skills/skill-path.ts";
import type { Finding } from "./verify/finding.ts";
import { verify } from "./verify/verify.ts";

export type NotAdopted =
  /** A branch holds it, or held it. */
  | "already_proposed"
  /** The base holds it. */
  | "already_accepted"
  /** A person turned it down. */
  | "declined"
  /** Another folder of the same name was taken. */
  | "same_name"
  /** Without the marker it is a person's. */
  | "not_auto_skill";

export interface Adoption
  extends Pick<Outcome, "detail" | "operations" | "proposals" | "findings" | "error"> {
  /** Where it lies, from the work tree's root; as it was named when there is no such place. */
  readonly folder: string;
  /** Name of the skill's folder. */
  readonly skill: string;
  readonly status: "proposed" | "skipped" | "refused" | "failed";
  readonly skippedReason?: NotAdopted;
}

const NOTHING = { operations: [], proposals: [], findings: [] } as const;

function where({ path, folder }: Pick<InPlaceFolder, "path" | "folder">) {
  return { folder: path, skill: folder };
}

export function skippedAs(
  place: InPlaceFolder,
  skippedReason: NotAdopted,
  detail: string,
): Adoption {
  return { ...where(place), status: "skipped", skippedReason, detail, ...NOTHING };
}

export function refusedFor(place: InPlaceFolder, findings: readonly Finding[]): Adoption {
  return { ...where(place), status: "refused", ...NOTHING, findings };
}

export function failedWith(
  place: Pick<InPlaceFolder, "path" | "folder">,
  { code, message, hint }: SkillprError,
): Adoption {
  return { ...where(place), status: "failed", ...NOTHING, error: { code, message, hint } };
}

export function adoptedAs(
  place: InPlaceFolder,
  { status, operations, proposals, findings }: Outcome,
): Adoption {
  const isRefused = status === "refused";
  const what = { operations, proposals, findings };
  return { ...where(place), status: isRefused ? "refused" : "proposed", ...what };
}

/** Whether the folder says nothing of reviewers: then it is a person's, whatever else is wrong with it. */
export function isPersonal({ files }: InPlaceContent): boolean {
  const bytes = files.get(SKILL_FILE_NAME);
  if (bytes === undefined) return false;
  const text = bytes.toString("utf8");
  return !readMarker(text).isAutoSkill && !mentionsMarker(text);
}

/** What refuses a folder before it is copied; the same words as in a review. */
export function findingsInPlace(
  { path, folder }: InPlaceFolder,
  content: InPlaceContent,
): Finding[] {
  if (content.isTooMuch) {
    const message = `The folder holds more than ${limits.IN_PLACE_ENTRIES_MAX} files or ${limits.IN_PLACE_MAX_BYTES} bytes, and was not read to the end.`;
    return [
      finding(
        "structure.size",
        path,
        message,
        "Keep a skill small: SKILL.md and a few references.",
      ),
    ];
  }
  if (!isSkillName(folder)) {
    const message = `\`${safeLine(folder)}\` is no name that a branch can have.`;
    const hint = "Rename the folder: lower-case letters, digits and single hyphens.";
    return [finding("structure.name", path, message, hint)];
  }
  if (!content.entries.some((entry) => entry.path === SKILL_FILE_NAME)) {
    const message = `There is no ${SKILL_FILE_NAME} in the folder.`;
    return [finding("structure.skill-file", path, message, "It is no skill without one.")];
  }
  const disk = content.entries.map((entry) => ({ ...entry, path: `${path}/${entry.path}` }));
  // Only kinds: links, pipes and the like have no bytes that could be copied.
  const nothing = { changes: [], parent: [], next: [], blob: () => undefined };
  const odd = verify({ ...nothing, skillsRoot: parentOf(path), profile: "proposal", disk });
  return odd.filter(({ level }) => level === "error");
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** For a folder that a person named although its skill doesn't carry the marker. */
export function markerMissing({ path }: InPlaceFolder): Finding {
  return finding(
    "structure.marker",
    `${path}/${SKILL_FILE_NAME}`,
    "The marker `source: auto-skill` is missing, so this is a person's skill.",
    "Commit it yourself: reviewers leave it alone. Only what an agent wrote is adopted.",
  );
}

/** Agents choose between skills by `name`: a second one would hide the first, or be hidden by it. */
export function nameTaken({ path }: InPlaceFolder, name: string, other: string): Finding {
  return finding(
    "duplicate.name",
    `${path}/${SKILL_FILE_NAME}`,
    `The name \`${safeLine(cut(name, limits.QUOTE_MAX_CHARS))}\` belongs to the skill in ${safeLine(other)} already.`,
    "Merge the two by hand, or give this one another name.",
  );
}

function finding(rule: string, path: string, message: string, hint: string): Finding {
  return { rule, level: "error", path: safeLine(path), line: null, message, hint };
}

/** The files as git would hold them. */
export function folderFiles(
  { files }: InPlaceContent,
  objectFormat: "sha1" | "sha256",
): FolderFile[] {
  return [...files].map(([path, bytes]) => ({
    path,
    mode: "100644",
    id: hashObject("blob", bytes, objectFormat),
  }));
}

/** By which the same folder with the same content is known again; `sha256:…`. */
export function adoptionDigest(folder: string, { files }: InPlaceContent): string {
  const sha = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest("hex");
  const listed = [...files].map(([path, bytes]) => [path, sha(bytes)]).sort();
  return `sha256:${sha(JSON.stringify(["adopt", folder, listed]))}`;
}
