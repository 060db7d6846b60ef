// Opens a workspace, writes one skill, seals it and closes the workspace, in a repository of 10 files and in one
// of 100,000, in turns with a whole `git worktree add` and `remove` in the large one.
// usage: node bench/workspace.mjs [rounds]
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  compared,
  environmentOf,
  imported,
  inTemporaryHome,
  inTurns,
  whenMain,
} from "./support.mjs";

const SMALL = 10;
const LARGE = 100_000;
const SKILLS = 10;
const SKILLS_ROOT = ".qwen/skills";
const MODULES = [
  "src/git/repository.ts",
  "src/git/workspace.ts",
  "src/proposal/seal.ts",
  "src/secrets/redactor.ts",
];

export function measure({ rounds = 9 } = {}) {
  return inTemporaryHome(async (home) => {
    Object.assign(process.env, environmentOf(home));
    const program = await imported(home, MODULES);
    const [small, large] = [SMALL, LARGE].map((files) => makeRepository(home, files));
    const worktree = join(home, "worktree");
    const git = (...args) => execFileSync("git", args, { cwd: large, stdio: "pipe" });
    const times = await inTurns(
      [
        { name: "small", run: () => openSealClose(program, small, home) },
        { name: "large", run: () => openSealClose(program, large, home) },
        {
          name: "worktree",
          run: () => {
            git("worktree", "add", "--quiet", "--detach", worktree, "main");
            git("worktree", "remove", "--force", worktree);
          },
        },
      ],
      { rounds },
    );
    const row = { unit: "ms", ours: times.large, rounds };
    return [
      compared({
        ...row,
        id: "workspace",
        what: "workspace open + seal + close, 100,000-file repository",
        beside: "`git worktree add` + `git worktree remove` there",
        theirs: times.worktree,
        bar: 1 / 40,
        how: "One new skill is written and sealed; ours runs in a warm process and starts its git calls, theirs are two processes.",
      }),
      compared({
        ...row,
        id: "workspace-size",
        what: "the same workspace",
        beside: "itself in a 10-file repository",
        theirs: times.small,
        bar: 1.5,
        how: "The same calls: the time must not grow with the repository.",
      }),
    ];
  });
}

/** @returns nothing: what counts is the time */
async function openSealClose(program, dir, tempRoot) {
  const repository = await program.openRepository(dir);
  const base = await program.resolveBase(repository);
  const options = { base, skillsRoot: SKILLS_ROOT, overlays: [], tempRoot };
  const workspace = await program.openWorkspace(repository, options);
  try {
    const folder = join(workspace.skillsDir, "release-flow");
    mkdirSync(folder);
    writeFileSync(join(folder, "SKILL.md"), SKILL);
    const redactor = program.createRedactor({ credentials: [] });
    const { proposals } = await program.seal({
      repository,
      workspace,
      skillsRoot: SKILLS_ROOT,
      base,
      openTips: new Map(),
      session: SESSION,
      usage: USAGE,
      why: new Map(),
      observed: null,
      redact: async (text) => (await redactor.redact([text]))[0],
      sessionTexts: null,
      reviewFindings: [],
      withDiffs: false,
    });
    if (proposals.length !== 1) throw new Error("the skill was not sealed");
  } finally {
    await workspace[Symbol.asyncDispose]();
  }
}

const SKILL = `---
name: release-flow
description: Releases the package. Use when a version is to be published.
version: 1.0.0
metadata:
  source: auto-skill
  extracted_at: '2026-01-02T03:04:05.000Z'
---

# Release

1. Run \`npm test\`.
2. Run \`npm version minor\`.
`;

const SESSION = {
  id: "bench",
  agent: "qwen-code",
  agentVersion: null,
  model: null,
  digest: `sha256:${"0".repeat(64)}`,
  toolCallCount: 24,
};

const USAGE = {
  reviewer: "bench",
  model: null,
  turns: 1,
  inputTokens: 0,
  outputTokens: 0,
  requestBytes: 0,
  durationMs: 0,
  incomplete: false,
};

/** A repository of that many files, made by fast-import: that takes a second. */
function makeRepository(home, files) {
  const dir = join(home, `repository-${files}`);
  mkdirSync(dir);
  const git = (args, input) => execFileSync("git", args, { cwd: dir, input, stdio: "pipe" });
  git(["init", "--quiet", "--initial-branch=main"]);
  const data = (text) => `data ${Buffer.byteLength(text)}\n${text}`;
  const lines = [`blob\nmark :1\n${data("text\n")}`];
  lines.push(
    "commit refs/heads/main\ncommitter Robin Example <robin@example.com> 1767323045 +0000",
  );
  lines.push(data("first"));
  for (let n = 0; n < files; n += 1) lines.push(`M 100644 :1 src/part-${n % 100}/file-${n}.txt`);
  for (let n = 0; n < SKILLS; n += 1) {
    lines.push(`M 100644 inline ${SKILLS_ROOT}/skill-${n}/SKILL.md\n${data(`# skill ${n}\n`)}`);
  }
  git(["fast-import", "--quiet"], `${lines.join("\n")}\n`);
  git(["read-tree", "main"]); // an index of that size too, as a checkout has
  return dir;
}

await whenMain(import.meta, measure);
