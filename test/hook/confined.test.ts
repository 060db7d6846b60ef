import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { confined } from "../../src/hook/confined.ts";
import type { FoundRepository } from "../../src/hook/find-repository.ts";

let home: string;
let root: string;
let repository: FoundRepository;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "skillpr-confined-")));
  root = join(home, "repository");
  const gitDir = join(root, ".git");
  repository = { root, gitDir, commonDir: gitDir, dir: root, stateDir: join(gitDir, "skillpr") };
  mkdirSync(join(root, "inside"), { recursive: true });
  mkdirSync(join(home, "outside"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const kept = (path: string, about = repository) => {
  const env = { XDG_CONFIG_HOME: path, QWEN_HOME: path, HOME: home };
  const result = confined({ env, home }, about);
  expect(result.home).toBe(home);
  expect(result.env["QWEN_HOME"]).toBe(result.env["XDG_CONFIG_HOME"]);
  return result.env["XDG_CONFIG_HOME"];
};

describe("places of the user's files that the environment names", () => {
  test("count outside of the repository, whether they exist or not", () => {
    for (const path of [join(home, "outside"), join(home, "to-come"), `${root}-2`])
      expect(kept(path)).toBe(path);
  });

  test("don't count inside of it, whether they exist or not", () => {
    for (const path of ["", "inside", "to-come/deep", "inside/../to-come"])
      expect(kept(join(root, path))).toBeUndefined();
    expect(kept(`${home}/outside/../repository/inside`)).toBeUndefined();
  });

  test("don't count where a link leads inside, nor where a link of the repository leads outside", () => {
    symlinkSync(join(root, "inside"), join(home, "link"));
    symlinkSync(join(home, "outside"), join(root, "link"));
    for (const path of [join(home, "link"), join(home, "link/to-come"), join(root, "link")])
      expect(kept(path)).toBeUndefined();
  });

  test("don't count in the project around a submodule", () => {
    const commonDir = join(root, ".git/modules/lib");
    const library = { ...repository, root: join(root, "lib"), dir: join(root, "lib"), commonDir };
    expect(kept(join(root, "inside"), { ...library, gitDir: commonDir })).toBeUndefined();
  });
});

test("variables that redirect git, Node or requests are gone", () => {
  const bad = { GIT_DIR: "/x", NODE_OPTIONS: "--require /x", HTTPS_PROXY: "http://x.example.com" };
  const { env } = confined({ env: { ...bad, LANG: "C" }, home }, repository);
  expect(env).toEqual({ LANG: "C", SKILLPR_WORKER: "running" });
});

test("a home folder inside the repository is not believed: the account's own counts", () => {
  const inside = join(root, "inside");
  const result = confined({ env: { HOME: inside }, home: inside }, repository);
  const { homedir } = userInfo();
  expect([result.home, result.env["HOME"]]).toEqual([homedir, homedir]);
});
