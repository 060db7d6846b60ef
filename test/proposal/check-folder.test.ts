import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRepository, resolveBase } from "../../src/git/repository.ts";
import { openWorkspace } from "../../src/git/workspace.ts";
import { checkFolder } from "../../src/proposal/check-folder.ts";
import { skillText } from "../support/auto-skill.ts";
import { temporaryRepository } from "../support/temp-repository.ts";

const skillsRoot = ".qwen/skills";

test("says of one folder what the verifier will say, as it lies there at that moment", async () => {
  await using repository = await temporaryRepository({ files: { "README.md": "readme\n" } });
  const opened = await openRepository(repository.dir);
  const base = await resolveBase(opened);
  const { tempRoot } = repository;
  await using workspace = await openWorkspace(opened, { base, skillsRoot, overlays: [], tempRoot });
  const redact = async (text: string) => text.replace("a-secret", "[redacted]");
  const place = { workspace, skillsRoot, objectFormat: opened.objectFormat, redact };
  const rules = async (folder: string) =>
    (await checkFolder(place, folder)).map(({ rule }) => rule);
  const put = (folder: string, text: string) => {
    mkdirSync(join(workspace.skillsDir, folder), { recursive: true });
    writeFileSync(join(workspace.skillsDir, folder, "SKILL.md"), text);
  };
  put("good", skillText("good"));
  const body = "# Other\n\nRun `npm ci` once.\n";
  put("unmarked", skillText("unmarked", { marker: false, body }));
  expect(await rules("good")).toEqual([]);
  expect(await rules("unmarked")).toEqual(["structure.marker"]);
  put("unmarked", skillText("unmarked", { body }));
  expect(await rules("unmarked")).toEqual([]);
  put("good", `${skillText("good")}\nlog in with a-secret\n`);
  expect(await rules("good")).toEqual(["secret.value"]);
  put("good", skillText("good"));
  // Not what another folder of a similar name has.
  put("good-two", "no skill");
  expect(await rules("good")).toEqual([]);
  expect((await rules("good-two")).length).toBeGreaterThan(0);
  symlinkSync("/etc/passwd", join(workspace.skillsDir, "good/notes.md"));
  expect(await rules("good")).not.toEqual([]);
});

test("knows the skills of the project's other root and what the session never named, as sealing does", async () => {
  await using repository = await temporaryRepository({ files: { "README.md": "readme\n" } });
  const opened = await openRepository(repository.dir);
  const base = await resolveBase(opened);
  const { tempRoot } = repository;
  await using workspace = await openWorkspace(opened, { base, skillsRoot, overlays: [], tempRoot });
  const body = "Install it with `npm install left-pad-pro`.";
  mkdirSync(join(workspace.skillsDir, "good"), { recursive: true });
  writeFileSync(join(workspace.skillsDir, "good/SKILL.md"), `${skillText("good")}\n${body}\n`);
  const other = ".agents/skills/old/SKILL.md";
  const rules = async (said: string) => {
    const place = {
      workspace,
      skillsRoot,
      objectFormat: opened.objectFormat,
      redact: async (text: string) => text,
      otherSkills: async () => [{ path: other, name: "good", description: "x", body: "x" }],
      sessionTexts: async () => ({ parts: [{ read: () => Buffer.from(said) }] }),
    };
    const found = await checkFolder(place, "good");
    return found.map(({ level, rule, message }) => [level, rule, message.includes(other)]);
  };
  const shadow = ["error", "structure.shadow", true];
  expect(await rules("it has left-pad-pro")).toEqual([shadow]);
  expect(await rules("nothing")).toEqual([shadow, ["warning", "ungrounded.package", false]]);
});
