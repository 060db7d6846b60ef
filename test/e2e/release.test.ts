/** `npm run release`, in a clone of this project with a remote of its own: what it makes, what it refuses, what it leaves alone. */
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const ROOT = resolve(import.meta.dirname, "../..");
/** Each makes a release or two, which builds everything. */
const SLOW = { timeout: 600_000 };
/** What a release is made of, and made with. */
const SOURCES =
  "action.yml package.json package-lock.json rolldown.config.mjs tsconfig.json tsconfig.build.json vitest.config.ts scripts src templates test README.md LICENSE".split(
    " ",
  );

let repository: TemporaryRepository;
let remote = "";

beforeAll(async () => {
  repository = await temporaryRepository();
  for (const name of SOURCES)
    cpSync(join(ROOT, name), join(repository.dir, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(repository.dir, "node_modules"));
  writeFileSync(join(repository.dir, ".gitignore"), "node_modules\ndist/\n");
  // One of the tests of the built action: all of them have a run of their own.
  keepOneTest('"%s refuses %s"');
  setVersion("1.2.0");
  await commit("before the release");
  remote = join(repository.home, "remote.git");
  await repository.gitIn(repository.home, "init", "--quiet", "--bare", remote);
  await repository.git("remote", "add", "origin", remote);
  await repository.git("push", "--quiet", "origin", "main");
});
afterAll(async () => await repository[Symbol.asyncDispose]());

function setVersion(version: string): void {
  const file = join(repository.dir, "package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
}

/** Not what is ignored: dist would be in the way of the next release. */
async function commit(message: string): Promise<void> {
  await repository.git("add", "--all");
  await repository.git("commit", "--quiet", "--no-verify", "--message", message);
}

/** In the clone's copy of action.test.ts. */
function keepOneTest(name: string): void {
  const file = join(repository.dir, "test/e2e/action.test.ts");
  const [head = "", ...blocks] = readFileSync(file, "utf8").split(/^(?=(?:test|describe)[.(])/m);
  const kept = blocks.filter((block) => block.includes(name));
  expect(kept).toHaveLength(1);
  writeFileSync(file, `${head}${kept.join("")}`);
}

interface Released {
  readonly code: number | null;
  readonly text: string;
}

function release(...args: string[]): Promise<Released> {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|NODE_ENV)/.test(name));
  const env = { ...Object.fromEntries(own), ...repository.env };
  const child = spawn(process.execPath, ["scripts/release.mjs", ...args], {
    cwd: repository.dir,
    env,
  });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
  child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => done({ code, text }));
  });
}

const tags = (dir = repository.dir) =>
  repository.gitIn(dir, "for-each-ref", "--format=%(refname:short)", "refs/tags");
const commitOf = (ref: string, dir = repository.dir) =>
  repository.gitIn(dir, "rev-parse", `${ref}^{commit}`);

test.each([
  ["no version", [], "usage: npm run release"],
  ["a version that is none", ["1.2"], "usage: npm run release"],
  ["a tag's name", ["v1.2.0"], "usage: npm run release"],
  ["a flag that is none", ["1.2.0", "--force"], "usage: npm run release"],
  ["another version than package.json's", ["1.3.0"], "package.json says 1.2.0"],
])("refuses %s, and does nothing", async (_, args, reason) => {
  const { code, text } = await release(...args);
  expect([code, text]).toEqual([1, expect.stringContaining(reason)]);
  expect(await tags()).toBe("");
  expect(existsSync(join(repository.dir, "dist"))).toBe(false);
});

test("refuses a work tree with changes, files that git doesn't know included", async () => {
  const file = join(repository.dir, "notes.txt");
  writeFileSync(file, "x\n");
  const { code, text } = await release("1.2.0");
  expect([code, text]).toEqual([1, expect.stringContaining("the work tree has changes")]);
  rmSync(file);
  expect(await tags()).toBe("");
});

test("tags a commit with dist, moves the major tag, pushes only when told to", SLOW, async () => {
  const before = await repository.git("rev-parse", "HEAD");
  const scratch = () => readdirSync(tmpdir()).filter((name) => name.startsWith("skillpr-release-"));
  const scratchBefore = scratch();
  const first = await release("1.2.0");
  expect(first.text).toMatch(
    /nothing was pushed; to do so: git push --atomic origin refs\/tags\/v1\.2\.0 \+refs\/tags\/v1$/m,
  );
  // The built action was tested, and these were its tests.
  expect(first.text).toMatch(/test\/e2e\/action\.test\.ts/);
  expect(first.code).toBe(0);
  expect(await tags()).toBe("v1\nv1.2.0");
  expect(await tags(remote)).toBe("");
  const released = await commitOf("v1.2.0");
  expect(await commitOf("v1")).toBe(released);
  expect(await repository.git("rev-parse", `${released}^`)).toBe(before);
  const added = await repository.git("diff", "--name-only", before, released);
  expect(added.split("\n").filter((path) => !/^dist\/.*(?<!\.cache)$/.test(path))).toEqual([]);
  expect(added).toContain("dist/action.js");
  expect(await repository.git("cat-file", "-t", "v1.2.0")).toBe("tag");
  // Nothing else: the branch, HEAD, the index and the work tree are as they were.
  expect(await repository.git("rev-parse", "HEAD")).toBe(before);
  expect(await repository.git("branch", "--contains", released)).toBe("");
  expect(await repository.git("status", "--porcelain")).toBe("");
  expect(scratch()).toEqual(scratchBefore);

  const again = await release("1.2.0");
  expect([again.code, again.text]).toEqual([1, expect.stringContaining("is there already")]);

  // What the tag holds is an action that runs.
  const use = mkdtempSync(join(repository.home, "use-"));
  await repository.gitIn(use, "clone", "--quiet", "--branch", "v1.2.0", repository.dir, "action");
  const step = spawn(process.execPath, [join(use, "action/dist/action.js")], {
    cwd: use,
    env: { ...repository.env, INPUT_COMMAND: "none" },
  });
  let said = "";
  step.stdout.on("data", (chunk: Buffer) => (said += chunk.toString("utf8")));
  await new Promise((done) => step.on("close", done));
  expect(said).toContain('the input command is "none"');
});

test("pushes both tags, and a repair of an older version moves nobody", SLOW, async () => {
  // An earlier release's.
  await repository.git("push", "--quiet", "origin", "main:refs/tags/v1");
  setVersion("1.3.0");
  await commit("1.3.0");
  const second = await release("1.3.0", "--push");
  expect([second.code, second.text]).toEqual([0, expect.stringContaining("v1.3.0 and v1 at")]);
  expect(await tags(remote)).toBe("v1\nv1.3.0");
  expect(await commitOf("v1", remote)).toBe(await commitOf("v1.3.0"));
  // No branch came along.
  expect(await commitOf("main", remote)).toBe(await commitOf("main~1"));

  // Somebody released it already, from elsewhere.
  await repository.git("tag", "--delete", "v1.3.0");
  const taken = await release("1.3.0", "--push");
  expect([taken.code, taken.text]).toEqual([1, expect.stringContaining("is there already")]);

  setVersion("1.2.1");
  await commit("1.2.1");
  const late = await release("1.2.1", "--push");
  expect([late.code, late.text]).toEqual([0, expect.stringContaining("v1 stays: v1.3.0 is newer")]);
  expect(await tags(remote)).toBe("v1\nv1.2.1\nv1.3.0");
  expect(await commitOf("v1", remote)).toBe(await commitOf("v1.3.0", remote));
});

test("a built action that fails its tests is not released", SLOW, async () => {
  const file = join(repository.dir, "src/split-run.ts");
  const source = readFileSync(file, "utf8");
  writeFileSync(file, source.replace("must hold no", "had better hold no"));
  setVersion("1.4.0");
  await commit("1.4.0");
  const { code, text } = await release("1.4.0", "--push");
  expect([code, text]).toEqual([
    1,
    expect.stringContaining("nothing was tagged, nothing was pushed"),
  ]);
  expect(await tags()).not.toContain("v1.4.0");
  expect(await tags(remote)).not.toContain("v1.4.0");
});
