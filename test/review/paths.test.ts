import { expect, test } from "vitest";
import { pathBelow, resolvePath, viewRoot } from "../../src/review/paths.ts";

test.each([
  ["/work/app", "/work/app"],
  ["/work/app/", "/work/app"],
  ["C:\\work\\app", "/C:/work/app"],
  ["/", "/"],
])("the root %j is %j in the view", (root, expected) => {
  expect(viewRoot(root)).toBe(expected);
});

test.each([
  ["src/a.ts", "/work/app/src/a.ts"],
  ["./src//a.ts/", "/work/app/src/a.ts"],
  ["/work/app/src/../b", "/work/app/b"],
  ["../../etc/passwd", "/etc/passwd"],
  ["/transcript/session.md", "/transcript/session.md"],
  ["a\\b", "/work/app/a\\b"],
])("the path %j is %j", (path, expected) => {
  expect(resolvePath("/work/app", path)).toEqual({ ok: true, path: expected });
});

test("a path of Windows under a root of Windows", () => {
  const root = viewRoot("C:\\work");
  expect(resolvePath(root, "C:\\work\\src\\a.ts")).toEqual({ ok: true, path: "/C:/work/src/a.ts" });
});

test.each(["", "  ", "a\0b", "a\nb", "~", "~/.ssh/id", "~root/x", "x".repeat(5000)])(
  "%j is no path",
  (path) => {
    expect(resolvePath("/work/app", path)).toMatchObject({ ok: false });
  },
);

test("what lies below a folder, and what only looks so", () => {
  expect(pathBelow("/a/b", "/a/b/c")).toBe("c");
  expect(pathBelow("/a/b", "/a/b")).toBe(".");
  expect(pathBelow("/a/b", "/a/bc")).toBeNull();
  expect(pathBelow("/", "/a")).toBe("a");
});
