import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { isInsideWorker, workerEnvironment } from "../../src/hook/worker-environment.ts";

const inside = ["/project", "/trees/linked"];
const MARK = { SKILLPR_WORKER: "running" };

describe("workerEnvironment", () => {
  test("keeps who the user is, where things are, and what the worker may ask for", () => {
    const kept = {
      HOME: "/home/robin",
      USER: "robin",
      LOGNAME: "robin",
      LANG: "de_DE.UTF-8",
      LC_ALL: "C",
      TZ: "UTC",
      SystemRoot: "C:\\Windows",
      SKILLPR_ANYTHING: "1",
      OPENAI_API_KEY: "key",
      OPENAI_BASE_URL: "http://127.0.0.1:1/v1",
      OPENAI_MODEL: "model",
      GITHUB_TOKEN: "token",
      GH_TOKEN: "token",
    };
    expect(workerEnvironment(kept, inside)).toEqual({ ...kept, ...MARK });
  });

  test.each([
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_SSH_COMMAND",
    "GIT_CONFIG_GLOBAL",
    "NODE_OPTIONS",
    "NODE_PATH",
    "NODE_TLS_REJECT_UNAUTHORIZED",
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "DYLD_INSERT_LIBRARIES",
    "HTTP_PROXY",
    "https_proxy",
    "ALL_PROXY",
    "BASH_ENV",
    "GITHUB_API_URL",
    "QWEN_CODE_MESSAGING_TOKEN",
    "QWEN_PROJECT_DIR",
    "DATABASE_URL",
    "__proto__x",
  ])("%s doesn't reach it", (name) => {
    expect(workerEnvironment({ [name]: "/elsewhere/x" }, inside)).toEqual(MARK);
  });

  test.each(["XDG_CONFIG_HOME", "XDG_STATE_HOME", "QWEN_HOME", "NODE_EXTRA_CA_CERTS"])(
    "%s counts only where it leads out of the repository and its work trees",
    (name) => {
      expect(workerEnvironment({ [name]: "/home/robin/x" }, inside)).toHaveProperty(name);
      for (const path of ["/project/.x", "/trees/linked/x", "/home/../project", "relative", ""])
        expect(workerEnvironment({ [name]: path }, inside)).toEqual(MARK);
    },
  );

  test.each(["TMPDIR", "TEMP", "TMP"])(
    "%s counts only where it is a folder that outlived the agent, out of the repository",
    (name) => {
      const home = realpathSync(mkdtempSync(join(tmpdir(), "skillpr-test-environment-")));
      expect(workerEnvironment({ [name]: home }, inside)).toEqual({ [name]: home, ...MARK });
      for (const folders of [[home], [dirname(home)]])
        expect(workerEnvironment({ [name]: home }, folders)).toEqual(MARK);
      rmSync(home, { recursive: true });
      for (const path of [home, "/etc/hosts", "/etc/hosts/x", "relative", "", "a\0b"])
        expect(workerEnvironment({ [name]: path }, inside)).toEqual(MARK);
    },
  );

  test("the search path loses what lies in the repository and what depends on the folder", () => {
    const PATH = "/project/node_modules/.bin:/usr/bin::.:bin:/trees/linked/bin:/bin";
    expect(workerEnvironment({ PATH }, inside)["PATH"]).toBe("/usr/bin:/bin");
  });

  test("what runs below a worker knows it", () => {
    expect(isInsideWorker(workerEnvironment({ SKILLPR_WORKER: "off" }, []))).toBe(true);
    expect(isInsideWorker({ SKILLPR_WORKER: "off" })).toBe(false);
    expect(isInsideWorker({})).toBe(false);
  });
});
