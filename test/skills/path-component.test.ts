import { describe, expect, it } from "vitest";
import { PATH_COMPONENT_MAX_BYTES } from "../../src/core/limits.ts";
import {
  componentProblem,
  isGitFolderName,
  isWindowsDeviceName,
} from "../../src/skills/path-component.ts";

describe("isGitFolderName", () => {
  it.each([
    ".git",
    ".GIT",
    ".Git ",
    ".git.",
    ".git. .",
    "git~1",
    "GIT~2",
    ".g\u200cit",
    ".git\u200d",
    "\ufeff.git",
    ".git::$INDEX_ALLOCATION",
    ".git:x",
    ".\uff47\uff49\uff54",
  ])("sees through %j", (name) => expect(isGitFolderName(name)).toBe(true));

  it.each(["git", "a.git", ".github", ".gitmodules", "git~", "git~1.md", "digit"])(
    "leaves %s alone",
    (name) => expect(isGitFolderName(name)).toBe(false),
  );
});

describe("isWindowsDeviceName", () => {
  it.each(["con", "CON", "aux.md", "nul .txt", "com1", "LPT9.a.b", "com\u00b9", "CONIN$", "prn:x"])(
    "knows %j",
    (name) => expect(isWindowsDeviceName(name)).toBe(true),
  );

  it.each(["console", "com", "com10", "auxiliary.md", "a.con", ""])("leaves %j alone", (name) =>
    expect(isWindowsDeviceName(name)).toBe(false),
  );
});

describe("componentProblem", () => {
  it.each(["SKILL.md", "a", "a b.md", "a_b-c.1.md", "x".repeat(PATH_COMPONENT_MAX_BYTES)])(
    "finds nothing wrong with %s",
    (name) => expect(componentProblem(name)).toBeNull(),
  );

  it.each([
    ["", "is empty"],
    ["..", "leads to another folder"],
    [".GIT", "is `.git` for some file system"],
    ["a\ufffd", "is not valid UTF-8"],
    ["a\nb", "holds a control character"],
    ["a\u0085", "holds a control character"],
    ["a\u202eb", "holds a character outside ASCII"],
    ["e\u0301", "holds a character outside ASCII"],
    ["a\\b", "holds a backslash, which separates folders on Windows"],
    ["a:b", "holds a colon, which names a stream or a drive on Windows"],
    ["a?", "holds a character that Windows refuses"],
    [".gitattributes", "starts with a dot and is hidden in listings"],
    ["-rf", "starts with a hyphen and reads as an option"],
    [" a", "starts with a space"],
    ["a.", "ends in a dot or a space, which Windows drops"],
    ["a ", "ends in a dot or a space, which Windows drops"],
    ["aux.md", "is a device on Windows"],
    ["x".repeat(300), `is longer than ${PATH_COMPONENT_MAX_BYTES} bytes`],
  ])("says what is wrong with %j", (name, problem) => {
    expect(componentProblem(name)).toBe(problem);
  });
});
