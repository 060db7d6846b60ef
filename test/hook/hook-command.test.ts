import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import {
  hookCommand,
  isOwnHook,
  parseHookCommand,
  shellWord,
} from "../../src/hook/hook-command.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function temporaryCli(folder: string, code: string): string {
  const root = mkdtempSync(join(tmpdir(), "skillpr-command-"));
  folders.push(root);
  const cli = join(root, folder, "cli.js");
  mkdirSync(dirname(cli), { recursive: true });
  writeFileSync(cli, code);
  return cli;
}

const sh = (command: string, env: NodeJS.ProcessEnv = {}) =>
  execFileSync("sh", ["-c", command], { env, encoding: "utf8" });

const STRANGE = [
  "plain",
  "with space",
  "it's",
  'a "quote"',
  "$HOME",
  "$(id)",
  "`id`",
  "a\\b",
  "a\nb",
  "ü*?",
];

describe("the command", () => {
  test("has the shape that is documented", () => {
    expect(hookCommand({ node: "/usr/bin/node", cli: "/opt/skillpr/dist/cli.js" })).toBe(
      "test -f /opt/skillpr/dist/cli.js && /usr/bin/node /opt/skillpr/dist/cli.js hook || true",
    );
  });

  test.each(STRANGE)("a shell runs it in a folder named %j", (name) => {
    const cli = temporaryCli(name, "console.log(process.argv[2], process.argv[1])");
    const command = hookCommand({ node: process.execPath, cli });
    expect(sh(command, { HOME: "/elsewhere" })).toBe(`hook ${cli}\n`);
    expect(parseHookCommand(command)).toEqual({ node: process.execPath, cli });
  });

  test("a missing file and a failing program are silent successes", () => {
    const cli = temporaryCli("x", "process.exit(7)");
    expect(sh(hookCommand({ node: process.execPath, cli }))).toBe("");
    expect(sh(hookCommand({ node: process.execPath, cli: `${dirname(cli)}/gone/cli.js` }))).toBe(
      "",
    );
  });

  test("an agent that puts variables into the texts of its settings changes nothing", () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a folder may be called that
    const cli = "/home/user/$HOME/${HOME}/${HOME:-x}/cli.js";
    const command = hookCommand({ node: "/usr/bin/node", cli });
    const replaced = command.replace(/\$(?:(\w+)|\{([^}]+)\})/g, "REPLACED");
    expect(replaced).toBe(command);
    expect(parseHookCommand(command)?.cli).toBe(cli);
  });

  test("words that need no quotes have none", () => {
    expect(shellWord("/usr/bin/node")).toBe("/usr/bin/node");
    expect(shellWord("")).toBe("''");
  });
});

describe("an entry is skillpr's", () => {
  const command = hookCommand({ node: "/n", cli: "/x/cli.js" });
  test("by its name, or without a name by the shape of its command", () => {
    expect(isOwnHook({ type: "command", command })).toBe(true);
    expect(isOwnHook({ type: "command", name: "skillpr", command: "skillpr hook" })).toBe(true);
  });
  test.each([
    { type: "command", command, name: "other" },
    { type: "command", command: "node /x/cli.js hook" },
    { type: "command", command: "test -f /x/cli.js && /n /y/cli.js hook || true" },
    { type: "command", command: "test -f /x/tool.js && /n /x/tool.js hook || true" },
    { type: "command", command: `${command}; rm -rf x` },
    { type: "command", command: "test -f /x/cli.js && /n /x/cli.js hook || true && y" },
    { type: "http", url: "http://127.0.0.1/", name: "skillpr" },
    { type: "command", command: "test -f $(x)/cli.js && /n $(x)/cli.js hook || true" },
    "text",
    null,
  ])("and not otherwise: %j", (hook) => {
    expect(isOwnHook(hook)).toBe(false);
  });
});
