import { spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRepository } from "../src/git/repository.ts";
import { inPlaceSkills } from "../src/in-place-skills.ts";
import { type TemporaryRepository, temporaryRepository } from "./support/temp-repository.ts";

const skill = (name: string, more = "") =>
  `---\nname: ${name}\ndescription: About ${name}.${more}\n---\n\n# ${name}\n`;

async function listed(repository: TemporaryRepository, known: readonly string[] = []) {
  return inPlaceSkills({
    repository: await openRepository(repository.dir),
    skillsRoot: ".qwen/skills",
    existing: known.map((folder) => ({
      folder,
      name: folder,
      description: "",
      isAutoSkill: true,
      isOpenProposal: true,
    })),
    redact: async (text) => text.replaceAll("hush", "[redacted]"),
  });
}

test("untracked ones are told of, marked or not, ignored ones and staged ones too; nothing is changed", async () => {
  await using repository = await temporaryRepository({
    files: { ".qwen/skills/tracked/SKILL.md": skill("tracked"), ".gitignore": "auto-skill-*/\n" },
  });
  repository.write(".qwen/skills/mine/SKILL.md", skill("mine"));
  repository.write(".qwen/skills/auto-skill-a/SKILL.md", skill("a", "\nsource: auto-skill"));
  repository.write(".qwen/skills/open/SKILL.md", skill("open"));
  repository.write(".qwen/pending-skills/task/staged/SKILL.md", skill("staged"));
  const before = await repository.snapshot();
  expect(await listed(repository, ["open"])).toMatchObject([
    {
      path: ".qwen/skills/auto-skill-a",
      folder: "auto-skill-a",
      name: "a",
      description: "About a.",
    },
    { path: ".qwen/skills/mine", text: skill("mine") },
    { path: ".qwen/pending-skills/task/staged", name: "staged" },
  ]);
  expect(await repository.snapshot()).toEqual(before);
});

test("what they say is redacted, and what can't be parsed has its folder's name", async () => {
  await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
  repository.write(".qwen/skills/a/SKILL.md", skill("a", " The password is hush."));
  repository.write(".qwen/skills/b/SKILL.md", "no frontmatter, but hush\n");
  const skills = await listed(repository);
  expect(JSON.stringify(skills)).not.toContain("hush");
  expect(skills).toMatchObject([
    { description: "About a. The password is [redacted]." },
    { name: "b", description: "" },
  ]);
});

test("links, pipes and large files are not read", async () => {
  await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
  const outside = join(repository.home, "outside.md");
  writeFileSync(outside, skill("outside"));
  for (const name of ["link", "pipe", "large"]) repository.write(`.qwen/skills/${name}/x.md`, "x");
  const at = (name: string) => join(repository.dir, ".qwen/skills", name, "SKILL.md");
  symlinkSync(outside, at("link"));
  spawnSync("mkfifo", [at("pipe")]);
  writeFileSync(at("large"), skill("large") + "x".repeat(100_000));
  symlinkSync(repository.home, join(repository.dir, ".qwen/skills/whole"));
  expect(await listed(repository)).toEqual([]);
});

test("a skills root that is a link, and a bare repository, have none", async () => {
  await using repository = await temporaryRepository({ files: { "real/a/SKILL.md": skill("a") } });
  repository.write(".qwen/x", "x");
  symlinkSync(join(repository.dir, "real"), join(repository.dir, ".qwen/skills"));
  expect(await listed(repository)).toEqual([]);
  await using bare = await temporaryRepository({ isBare: true });
  expect(await listed(bare)).toEqual([]);
});
