/** Every state that a repository can be in: the review works, or says clearly why not; nothing of the user's changes. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { reviewDemo } from "../support/built-cli.ts";
import {
  type TemporaryRepository,
  type TemporaryRepositoryOptions,
  temporaryRepository,
} from "../support/temp-repository.ts";

const files = { "README.md": "# parcels\n", "src/a.txt": "one\n" };
const TRAP = "trap-was-sprung";

interface State {
  readonly name: string;
  readonly options?: TemporaryRepositoryOptions;
  /** @returns where the review runs, if not in the repository, and its environment */
  readonly prepare?: (
    repository: TemporaryRepository,
  ) => Promise<{ dir?: string; env?: NodeJS.ProcessEnv; flags?: string[] } | undefined>;
}

/** A program that leaves a trace when anything runs it. */
function trap(repository: TemporaryRepository): string {
  const file = join(repository.home, "trap.sh");
  writeFileSync(
    file,
    `#!/bin/sh\ntouch "${join(repository.home, TRAP)}"\n[ -t 0 ] || timeout 1 cat\nexit 1\n`,
  );
  chmodSync(file, 0o755);
  return file;
}

const HOOKS = [
  "pre-commit",
  "prepare-commit-msg",
  "commit-msg",
  "post-commit",
  "post-checkout",
  "post-index-change",
  "reference-transaction",
  "pre-push",
  "post-rewrite",
];

const states: State[] = [
  { name: "a clean checkout" },
  {
    name: "a dirty checkout: staged, changed, untracked, deleted",
    prepare: async (repository) => {
      repository.write("staged.txt", "staged\n");
      await repository.git("add", "staged.txt");
      repository.write("src/a.txt", "changed\n");
      repository.write("untracked.txt", "new\n");
      return undefined;
    },
  },
  {
    name: "a detached HEAD",
    prepare: async (repository) => {
      await repository.git("checkout", "--quiet", "--detach");
      return undefined;
    },
  },
  {
    name: "another branch is checked out",
    prepare: async (r) => {
      await r.git("checkout", "-q", "-b", "feature");
      return undefined;
    },
  },
  {
    name: "commit.gpgSign without a key",
    prepare: async (repository) => {
      await repository.git("config", "commit.gpgSign", "true");
      await repository.git("config", "gpg.program", trap(repository));
      return undefined;
    },
  },
  {
    name: "hooks of every kind that fail",
    prepare: async (repository) => {
      for (const hook of HOOKS)
        repository.hook(hook, `touch "${join(repository.home, TRAP)}"\nexit 1`);
      return undefined;
    },
  },
  {
    name: "a husky-like core.hooksPath, relative",
    prepare: async (repository) => {
      for (const hook of HOOKS) {
        repository.write(
          `.husky/_/${hook}`,
          `#!/bin/sh\ntouch "${join(repository.home, TRAP)}"\nexit 1\n`,
        );
        chmodSync(join(repository.dir, ".husky/_", hook), 0o755);
      }
      await repository.git("config", "core.hooksPath", ".husky/_");
      return undefined;
    },
  },
  {
    name: "core.fsmonitor is a program",
    prepare: async (repository) => {
      await repository.git("config", "core.fsmonitor", trap(repository));
      return undefined;
    },
  },
  {
    name: "core.autocrlf",
    prepare: async (r) => {
      await r.git("config", "core.autocrlf", "true");
      return undefined;
    },
  },
  {
    name: "a clean and smudge filter over the skills",
    prepare: async (repository) => {
      const program = trap(repository);
      repository.write(".gitattributes", "* filter=trap\n");
      await repository.git("add", ".gitattributes");
      await repository.git("commit", "-q", "-m", "attributes");
      for (const way of ["clean", "smudge"])
        await repository.git("config", `filter.trap.${way}`, program);
      return undefined;
    },
  },
  {
    name: "diff.external and textconv",
    prepare: async (repository) => {
      await repository.git("config", "diff.external", trap(repository));
      return undefined;
    },
  },
  {
    name: "GIT_DIR, GIT_INDEX_FILE, GIT_WORK_TREE and GIT_CONFIG_* inherited, as inside a hook",
    prepare: async (repository) => ({
      env: {
        GIT_DIR: "/nowhere/.git",
        GIT_INDEX_FILE: "/nowhere/index",
        GIT_WORK_TREE: "/nowhere",
        GIT_OBJECT_DIRECTORY: "/nowhere/objects",
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: "core.hooksPath",
        GIT_CONFIG_VALUE_0: repository.home,
        GIT_CONFIG_PARAMETERS: "'core.bare=true'",
        GIT_PREFIX: "src/",
      },
    }),
  },
  {
    name: "an index.lock is left over",
    prepare: async (repository) => {
      writeFileSync(join(repository.dir, ".git/index.lock"), "");
      return undefined;
    },
  },
  {
    name: "no index at all",
    prepare: async (r) => {
      await r.git("rm", "-q", "--cached", "-r", ".");
      return undefined;
    },
  },
  {
    name: "an ignored .qwen",
    prepare: async (repository) => {
      repository.write(".gitignore", ".qwen/\n");
      await repository.commit("ignore");
      return undefined;
    },
  },
  {
    name: "a path with spaces, quotes and other scripts",
    options: { name: 'mein "Projekt" 技能 é' },
  },
  { name: "a sha256 repository", options: { objectFormat: "sha256" } },
  {
    name: "a bare repository",
    prepare: async (repository) => {
      const dir = join(repository.home, "bare.git");
      await repository.gitIn(repository.home, "clone", "-q", "--bare", repository.dir, dir);
      return { dir };
    },
  },
  {
    name: "a linked worktree",
    prepare: async (repository) => {
      const dir = join(repository.home, "linked");
      await repository.git("worktree", "add", "-q", "-b", "linked", dir);
      return { dir };
    },
  },
  {
    name: "a subfolder",
    prepare: async (repository) => ({ dir: join(repository.dir, "src") }),
  },
  {
    name: "a shallow clone",
    prepare: async (repository) => {
      repository.write("src/a.txt", "two\n");
      await repository.commit("second");
      const dir = join(repository.home, "shallow");
      await repository.gitIn(
        repository.home,
        "clone",
        "-q",
        "--depth=1",
        pathToFileURL(repository.dir).href,
        dir,
      );
      return { dir };
    },
  },
  {
    name: "a partial clone",
    prepare: async (repository) => {
      repository.write(
        ".qwen/skills/mine/SKILL.md",
        "---\nname: mine\ndescription: Mine.\n---\n\nText\n",
      );
      await repository.commit("a skill of mine");
      return { dir: await repository.partialClone() };
    },
  },
  {
    name: "other people's worktrees, one of them prunable",
    prepare: async (repository) => {
      const dir = join(repository.home, "gone");
      await repository.git("worktree", "add", "-q", "--detach", dir);
      rmSync(dir, { recursive: true });
      return undefined;
    },
  },
  {
    name: "a skill of the user, a link and a submodule among the skills",
    prepare: async (repository) => {
      repository.write(
        ".qwen/skills/mine/SKILL.md",
        "---\nname: mine\ndescription: Mine.\n---\n\nText\n",
      );
      symlinkSync("/etc", join(repository.dir, ".qwen/skills/etc"));
      await repository.commit("skills");
      const head = await repository.git("rev-parse", "HEAD");
      await repository.git(
        "update-index",
        "--add",
        "--cacheinfo",
        `160000,${head},.qwen/skills/sub`,
      );
      await repository.git("commit", "-q", "-m", "submodule");
      return undefined;
    },
  },
];

describe("works, and leaves everything as it was (invariant 1)", () => {
  test.each(states)("$name", async ({ options, prepare }) => {
    await using repository = await temporaryRepository({ files, ...options });
    const where = await prepare?.(repository);
    const dir = where?.dir ?? repository.dir;
    const before = await repository.snapshot();
    // The test's own git may have sprung it.
    rmSync(join(repository.home, TRAP), { force: true });
    const result = await reviewDemo({
      ...repository,
      dir,
      env: { ...repository.env, ...where?.env },
    });
    const isSprung = existsSync(join(repository.home, TRAP));
    expect(result.stderr).toBe("");
    expect(result.json().status).toBe("proposed");
    const [proposal] = result.json().proposals;
    const changed = await repository.gitIn(
      dir,
      "diff-tree",
      "-r",
      "--name-only",
      proposal?.parent ?? "",
      proposal?.commit ?? "",
    );
    expect(changed).toBe(`.qwen/skills/${proposal?.skill}/SKILL.md`);
    expect(isSprung).toBe(false);
    expect(await repository.snapshot()).toEqual(before);
    expect(readFileSync(join(repository.dir, "README.md"), "utf8")).toBe("# parcels\n");
    const worktrees = await repository.gitIn(dir, "worktree", "list", "--porcelain");
    expect(worktrees).not.toContain(repository.tempRoot);
  });
});

describe("says clearly why not", () => {
  const cases: (State & { message: RegExp; hint: RegExp; exitCode?: number })[] = [
    {
      name: "not a repository",
      prepare: async (repository) => {
        const dir = join(repository.home, "plain");
        mkdirSync(dir);
        return { dir };
      },
      message: /no git repository/,
      hint: /--repo|git init/,
    },
    {
      name: "no commit yet",
      options: { files: undefined as never },
      message: /no commit yet/,
      hint: /commit/,
    },
    {
      name: "the base is not found",
      prepare: async () => ({ flags: ["--base", "nowhere"] }),
      message: /"?nowhere"? not found/,
      hint: /refs\/heads\/main/,
    },
    {
      name: "the base looks like an option",
      prepare: async () => ({ flags: ["--base=--output=/tmp/x"] }),
      message: /not found/,
      hint: /./,
    },
    {
      name: ".qwen is a symlink in the base",
      prepare: async (repository) => {
        symlinkSync(".claude", join(repository.dir, ".qwen"));
        await repository.commit("link");
        return undefined;
      },
      message: /\.qwen is a symbolic link to \.claude/,
      hint: /--skills-root/,
    },
    {
      name: ".qwen/skills is a symlink in the base",
      prepare: async (repository) => {
        mkdirSync(join(repository.dir, ".qwen"));
        symlinkSync("../.agents/skills", join(repository.dir, ".qwen/skills"));
        await repository.commit("link");
        return undefined;
      },
      message: /\.qwen\/skills is a symbolic link/,
      hint: /--skills-root/,
    },
    {
      name: ".qwen/skills is a submodule in the base",
      prepare: async (repository) => {
        const head = await repository.git("rev-parse", "HEAD");
        await repository.git("update-index", "--add", "--cacheinfo", `160000,${head},.qwen/skills`);
        await repository.git("commit", "-q", "-m", "submodule");
        return undefined;
      },
      message: /\.qwen\/skills is a submodule/,
      hint: /submodule/,
    },
    {
      name: ".qwen is a submodule in the base",
      prepare: async (repository) => {
        const head = await repository.git("rev-parse", "HEAD");
        await repository.git("update-index", "--add", "--cacheinfo", `160000,${head},.qwen`);
        await repository.git("commit", "-q", "-m", "submodule");
        return undefined;
      },
      message: /\.qwen is a submodule/,
      hint: /submodule/,
    },
  ];
  test.each(cases)("$name", async ({ options, prepare, message, hint }) => {
    const given = options !== undefined && "files" in options ? {} : { files };
    await using repository = await temporaryRepository({ ...given });
    const where = await prepare?.(repository);
    const dir = where?.dir ?? repository.dir;
    const result = await reviewDemo({ ...repository, dir }, ...(where?.flags ?? []));
    expect(result.code).toBe(1);
    const { error } = result.json();
    expect(error?.message).toMatch(message);
    expect(error?.hint).toMatch(hint);
  });

  test("git is too old", async () => {
    await using repository = await temporaryRepository({ files });
    const bin = join(repository.home, "bin");
    mkdirSync(bin);
    writeFileSync(
      join(bin, "git"),
      '#!/bin/sh\ncase "$*" in *version*) echo "git version 2.20.1";; *) PATH=$SYSTEM_PATH exec git "$@";; esac\n',
    );
    chmodSync(join(bin, "git"), 0o755);
    const path = process.env["PATH"] ?? "";
    const env = { ...repository.env, PATH: `${bin}:${path}`, SYSTEM_PATH: path };
    const result = await reviewDemo({ ...repository, env });
    expect(result.json().error?.message).toContain("2.20.1");
    expect(result.json().error?.message).toContain("2.39");
  });

  test("git is missing", async () => {
    await using repository = await temporaryRepository({ files });
    const env = { ...repository.env, PATH: join(repository.home, "empty") };
    const result = await reviewDemo({ ...repository, env });
    expect(result.code).toBe(3);
    expect(result.json().error?.message).toContain("git was not found");
  });
});
