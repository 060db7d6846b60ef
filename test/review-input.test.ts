import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { locateProject, projectRootOf } from "../src/review-input.ts";
import { temporaryRepository } from "./support/temp-repository.ts";

describe("the project's root as the session names it", () => {
  test.each([
    [
      "the session's folder, when it was elsewhere",
      "/home/user/parcels",
      "/work/parcels",
      "/home/user/parcels",
    ],
    [
      "this repository, when the session was in it",
      "/work/parcels",
      "/work/parcels",
      "/work/parcels",
    ],
    [
      "this repository, when it was in a folder of it",
      "/work/parcels/src",
      "/work/parcels",
      "/work/parcels",
    ],
    [
      "a neighbour with the same beginning is elsewhere",
      "/work/parcels-2",
      "/work/parcels",
      "/work/parcels-2",
    ],
    ["a folder of Windows", "C:\\work\\parcels", "/work/parcels", "C:\\work\\parcels"],
    ["no folder known", null, "/work/parcels", "/work/parcels"],
    ["no folder known, bare", null, null, "/project"],
    ["a relative folder says nothing", "parcels", "/work/parcels", "/work/parcels"],
    ["the root of the disk would hold everything", "/", "/work/parcels", "/work/parcels"],
    ["also by another name", "/home/..", "/work/parcels", "/work/parcels"],
    ["the transcript's place is taken", "/transcript/x", "/work/parcels", "/work/parcels"],
  ])("%s", (_, cwd, root, expected) => {
    expect(projectRootOf(cwd, root)).toBe(expected);
  });

  test("a session that came here by a link is spelled as it spelled it", async () => {
    await using repository = await temporaryRepository();
    mkdirSync(join(repository.dir, "src"));
    const link = join(repository.home, "link");
    symlinkSync(repository.dir, link);
    expect(projectRootOf(link, repository.dir)).toBe(link);
    expect(projectRootOf(join(link, "src"), repository.dir)).toBe(link);
    symlinkSync(join(repository.dir, "src"), join(repository.home, "sources"));
    expect(projectRootOf(join(repository.home, "sources"), repository.dir)).toBe(repository.dir);
  });
});

describe("a session that ran in a folder of the project, elsewhere", () => {
  const paths = ["README.md", "packages/report/src/a.ts", "report/b.ts", "src/c.ts"];
  const project = { list: async () => paths.map((path) => ({ path, mode: "100644" })) };
  test.each([
    ["/home/user/mono/packages/report", "/home/user/mono"],
    ["/home/user/mono/packages/report/src", "/home/user/mono"],
    ["/home/user/mono/packages", "/home/user/mono"],
    ["/home/user/report", "/home/user"],
    ["/home/user/mono", "/home/user/mono"],
    ["/home/user/mono/packages/other", "/home/user/mono/packages/other"],
    ["/src", "/src"],
    ["C:\\work\\mono\\packages\\report", "C:\\work\\mono"],
    // The repository itself, which may lie in a folder of such a name.
    ["/work/src", "/work/src"],
  ])("%s", async (cwd, expected) => {
    expect(await locateProject(cwd, "/work/src", project)).toBe(expected);
  });
});
