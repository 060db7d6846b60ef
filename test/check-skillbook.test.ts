/** `skillpr skillbook validate` and the verifier agree on what the Skillbook's folder holds. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkSkillbook } from "../src/check-skillbook.ts";
import { SKILLBOOK_INLINE_MAX_STRATEGIES } from "../src/core/limits.ts";
import type { Skillbook } from "../src/skills/skillbook.ts";
import { renderSkillbookFiles } from "../src/skills/skillbook-files.ts";
import { bookOf } from "./skills/skillbook-samples.ts";
import { findingsOf, ROOT } from "./verify/verify-input.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "skillpr-check-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function write(book: Skillbook, more: Readonly<Record<string, string>> = {}): string {
  const files = renderSkillbookFiles(book).map(({ path, content }) => [path, content] as const);
  for (const [path, content] of [...files, ...Object.entries(more)]) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
  return join(dir, "skillbook.json");
}

const refused = (book: Skillbook, more: Readonly<Record<string, string>>) => {
  const files = renderSkillbookFiles(book).map(({ path, content }) => [path, content] as const);
  const all = [...files, ...Object.entries(more)];
  const next = Object.fromEntries(all.map(([path, text]) => [`${ROOT}/skillbook/${path}`, text]));
  return findingsOf("structure.skillbook", { next }).map(({ path }) =>
    String(path).slice(`${ROOT}/skillbook/`.length),
  );
};

it("a Skillbook that isn't there is said to be missing, and what makes one", async () => {
  await expect(checkSkillbook(join(dir, "skillbook.json"), true)).rejects.toMatchObject({
    code: "input",
    message: expect.stringContaining("there is no Skillbook at"),
    hint: expect.stringContaining("skillpr apply"),
  });
});

describe("a file that isn't the Skillbook's", () => {
  const small = bookOf(2);
  it.each<[string, Skillbook, Readonly<Record<string, string>>]>([
    ["nothing", small, {}],
    ["a text beside it", small, { "NOTES.md": "Mine.\n" }],
    ["a reference that nothing is rendered to yet", small, { "references/context.md": "Old.\n" }],
    [
      "others among its references",
      bookOf(SKILLBOOK_INLINE_MAX_STRATEGIES + 1),
      { "references/tips.md": "Mine.\n", "scripts/run.sh": "true\n" },
    ],
  ])("%s: what validate says, the verifier says", async (_name, book, more) => {
    const file = write(book, more);
    const foreign = Object.keys(more).toSorted();
    const check = await checkSkillbook(file, false);
    expect(check).toMatchObject({ ok: foreign.length === 0, foreign, stale: [] });
    expect(refused(book, more).toSorted()).toEqual(foreign);
    // Somebody's own file is left where it is.
    expect(await checkSkillbook(file, true)).toMatchObject({ ok: foreign.length === 0, foreign });
    for (const [path, text] of Object.entries(more))
      expect(readFileSync(join(dir, path), "utf8")).toBe(text);
  });

  it("empty folders are none: git doesn't see them", async () => {
    const file = write(small);
    mkdirSync(join(dir, "references/none"), { recursive: true });
    expect(await checkSkillbook(file, false)).toMatchObject({ ok: true, foreign: [] });
  });

  it("a link in the place of a file is not that file, and --fix writes it", async () => {
    const file = write(small);
    const other = join(dir, "..", `${Date.now()}-other.md`);
    writeFileSync(other, readFileSync(join(dir, "SKILL.md")));
    rmSync(join(dir, "SKILL.md"));
    symlinkSync(other, join(dir, "SKILL.md"));
    expect(await checkSkillbook(file, false)).toMatchObject({ ok: false, stale: ["SKILL.md"] });
    expect(await checkSkillbook(file, true)).toMatchObject({ ok: true, fixed: ["SKILL.md"] });
    expect(await checkSkillbook(file, false)).toMatchObject({ ok: true, stale: [], foreign: [] });
    rmSync(other);
  });

  it("beside a file of another name nothing is looked at", async () => {
    write(small, { "mine.json": renderSkillbookFiles(small)[0]?.content ?? "" });
    expect(await checkSkillbook(join(dir, "mine.json"), false)).toMatchObject({
      ok: true,
      foreign: [],
    });
  });
});
