import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  bytesOf,
  readSettingsFile,
  textOf,
  writeSettingsFile,
} from "../../src/hook/settings-file.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "settings-file-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const path = () => join(root, ".agent", "settings.json");
function put(text: string): void {
  mkdirSync(join(root, ".agent"), { recursive: true });
  writeFileSync(path(), text);
}

test("what somebody else wrote meanwhile is not overwritten", async () => {
  put("{}\n");
  const file = await readSettingsFile(path(), false);
  writeFileSync(path(), '{"theirs":1}\n');
  await expect(writeSettingsFile(file, Buffer.from("ours"))).rejects.toMatchObject({
    code: "config",
    message: expect.stringContaining("was changed by somebody else meanwhile"),
  });
  rmSync(path());
  await expect(writeSettingsFile(file, Buffer.from("ours"))).rejects.toThrow(/meanwhile/);
  const absent = await readSettingsFile(path(), false);
  put("{}\n");
  await expect(writeSettingsFile(absent, Buffer.from("ours"))).rejects.toThrow(/meanwhile/);
  expect(readFileSync(path(), "utf8")).toBe("{}\n");
});

test("a file is replaced whole, with its mode, and nothing is left beside it", async () => {
  put("{}\n");
  chmodSync(path(), 0o666);
  await writeSettingsFile(await readSettingsFile(path(), false), Buffer.from("new"));
  expect(lstatSync(path()).mode & 0o777).toBe(0o666);
  expect(readFileSync(path(), "utf8")).toBe("new");
  expect(readdirSync(join(root, ".agent"))).toEqual(["settings.json"]);
});

test("a user's folder may be a link, as dotfiles often are; a project's may not", async () => {
  mkdirSync(join(root, "dotfiles"));
  symlinkSync(join(root, "dotfiles"), join(root, ".agent"));
  writeFileSync(path(), "{}\n");
  await expect(readSettingsFile(path(), false)).rejects.toThrow(/is a symbolic link/);
  await writeSettingsFile(await readSettingsFile(path(), true), Buffer.from("new"));
  expect(readFileSync(join(root, "dotfiles/settings.json"), "utf8")).toBe("new");
});

test("a byte order mark is not part of the text, and is put back", async () => {
  put("\ufeff{}\n");
  const file = await readSettingsFile(path(), false);
  expect(textOf(file)).toBe("{}\n");
  expect(bytesOf(file, "[]").toString("utf8")).toBe("\ufeff[]");
});

test("a file larger than settings are is refused", async () => {
  put(" ".repeat(1024 * 1024 + 1));
  await expect(readSettingsFile(path(), false)).rejects.toThrow(/too large/);
});
