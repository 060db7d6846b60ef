import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { userEnvironment } from "../../src/core/user-environment.ts";

let home: string;
let repository: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "skillpr-user-")));
  repository = join(home, "repository");
  mkdirSync(join(repository, "inside"), { recursive: true });
  mkdirSync(join(home, "outside"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const kept = (path: string) => {
  const given = { env: { XDG_CONFIG_HOME: path, QWEN_HOME: path, PATH: "/bin" }, home };
  const { env } = userEnvironment(given, [repository]);
  expect(env["PATH"]).toBe("/bin");
  expect(env["QWEN_HOME"]).toBe(env["XDG_CONFIG_HOME"]);
  return env["XDG_CONFIG_HOME"];
};

describe("places that the environment names", () => {
  test("count outside of the repository, whether they exist or not", () => {
    for (const path of [join(home, "outside"), join(home, "to-come"), `${repository}-2`])
      expect(kept(path)).toBe(path);
  });

  test("don't count inside of it, whether they exist or not", () => {
    for (const path of ["", "inside", "to-come/deep", "inside/../to-come"])
      expect(kept(join(repository, path))).toBeUndefined();
    expect(kept(`${home}/outside/../repository/inside`)).toBeUndefined();
  });

  test("don't count where a link leads inside", () => {
    symlinkSync(join(repository, "inside"), join(home, "link"));
    expect(kept(join(home, "link"))).toBeUndefined();
    expect(kept(join(home, "link", "to-come"))).toBeUndefined();
  });

  test("don't count where a link of the repository leads outside", () => {
    symlinkSync(join(home, "outside"), join(repository, "link"));
    expect(kept(join(repository, "link"))).toBeUndefined();
  });

  test("may be empty", () => {
    expect(kept("")).toBe("");
  });
});

test("a home folder inside the repository is not believed: the account's own counts", () => {
  const given = { env: {}, home: join(repository, "inside") };
  expect(userEnvironment(given, [repository]).home).toBe(userInfo().homedir);
  expect(userEnvironment({ env: {}, home }, [repository]).home).toBe(home);
});
