/**
 * One name in a path, as every file system must be able to hold it: git on Linux commits names
 * that mean something else on macOS or Windows, or that are `.git` there.
 */
import { PATH_COMPONENT_MAX_BYTES } from "../core/limits.ts";

/** Code points that HFS+ ignores when it compares names, so that `.g<U+200C>it` is `.git`. */
const HFS_IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;
const encoder = new TextEncoder();

/** True for `con`, `AUX.md`, `nul `, `com1.txt`: Windows opens a device whatever the extension. */
export function isWindowsDeviceName(component: string): boolean {
  const stem = component.split(/[.:]/, 1)[0] ?? "";
  return /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)$/i.test(stem.trimEnd());
}

/** True for `.git` in every spelling that some file system takes for it. */
export function isGitFolderName(component: string): boolean {
  const plain = component
    .replace(HFS_IGNORED, "")
    .normalize("NFKC")
    .toLowerCase()
    // NTFS drops trailing dots and spaces, and what follows a colon names a stream of the same file.
    .replace(/:.*$/s, "")
    .replace(/[. ]+$/, "");
  return plain === ".git" || /^git~\d+$/.test(plain);
}

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
/** In the order in which they are looked for: the most telling first. */
const PROBLEMS: readonly (readonly [RegExp | ((component: string) => boolean), string])[] = [
  [/^$/, "is empty"],
  [/^\.\.?$/, "leads to another folder"],
  [isGitFolderName, "is `.git` for some file system"],
  [/\ufffd/, "is not valid UTF-8"],
  [/[\u0000-\u001f\u007f-\u009f]/, "holds a control character"],
  [/[^\u0000-\u007f]/, "holds a character outside ASCII"],
  [/\\/, "holds a backslash, which separates folders on Windows"],
  [/:/, "holds a colon, which names a stream or a drive on Windows"],
  [/[<>"|?*]/, "holds a character that Windows refuses"],
  [/^\./, "starts with a dot and is hidden in listings"],
  [/^-/, "starts with a hyphen and reads as an option"],
  [/^ /, "starts with a space"],
  [/[. ]$/, "ends in a dot or a space, which Windows drops"],
  [isWindowsDeviceName, "is a device on Windows"],
  [isTooLong, `is longer than ${PATH_COMPONENT_MAX_BYTES} bytes`],
];
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose

/**
 * What is wrong with a file's or folder's name inside a skill.
 *
 * @param component one name between slashes; bytes that are not UTF-8 appear as U+FFFD
 * @returns the end of the sentence "the name …", or null when the name is fine everywhere
 */
export function componentProblem(component: string): string | null {
  const found = PROBLEMS.find(([test]) =>
    typeof test === "function" ? test(component) : test.test(component),
  );
  return found?.[1] ?? null;
}

function isTooLong(component: string): boolean {
  return encoder.encode(component).length > PATH_COMPONENT_MAX_BYTES;
}
