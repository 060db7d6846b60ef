/** The five tools as a review has them: a real repository, a real workspace folder, the real policy. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { GitProjectFiles } from "../../src/git/project-files.ts";
import { GitProjectHistory } from "../../src/git/project-history.ts";
import { openRepository, resolveBase } from "../../src/git/repository.ts";
import { createFileView, type FileView } from "../../src/review/file-view.ts";
import { createReviewPolicy } from "../../src/review/policy.ts";
import type { ReviewFinding } from "../../src/review/reviewer.ts";
import { openSkillFolder } from "../../src/review/skill-folder.ts";
import type { ToolOutput } from "../../src/review/tool.ts";
import { createTools } from "../../src/review/tools.ts";
import { TEXTS } from "../support/review-templates.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

export interface ToolBench extends AsyncDisposable {
  readonly repository: TemporaryRepository;
  /** The project as the model names it. */
  readonly root: string;
  /** Where the skills really lie. */
  readonly skillsDir: string;
  readonly view: FileView;
  /** Folders that the verifier was asked about. */
  readonly checked: readonly string[];
  /** Prepare, policy, execute, as the loop does it. */
  call(name: string, args: unknown, signal?: AbortSignal): Promise<ToolOutput>;
  /** Writes a file of the workspace's skills, as the review finds it. */
  skill(path: string, text: string): void;
}

export interface ToolBenchOptions {
  /** Committed in the project. */
  readonly files?: Readonly<Record<string, string>>;
  readonly prepare?: (repository: TemporaryRepository) => Promise<void>;
  readonly transcript?: string;
  readonly links?: ReadonlySet<string>;
  readonly findings?: readonly ReviewFinding[];
  /** Default: the repository's own folder. */
  readonly projectRoot?: string;
  /** Default: nothing is a secret. */
  readonly redact?: (text: string) => Promise<string>;
}

export const MARKED = `---
name: marked
description: Marked.
source: auto-skill
---

# Marked
`;
export const UNMARKED = "---\nname: own\ndescription: Mine.\n---\n\n# Own\n";

export async function toolBench(options: ToolBenchOptions = {}): Promise<ToolBench> {
  const files = options.files ?? { "README.md": "# Example\n", "src/a.ts": "one\ntwo\nthree\n" };
  const repository = await temporaryRepository({ files });
  await options.prepare?.(repository);
  const opened = await openRepository(repository.dir);
  const base = await resolveBase(opened);
  const project = new GitProjectFiles(opened, base);
  const skillsDir = join(repository.home, "workspace/.qwen/skills");
  mkdirSync(skillsDir, { recursive: true });
  const skillFolder = openSkillFolder(skillsDir);
  const links = options.links ?? new Set<string>();
  const view = createFileView({
    project,
    projectRoot: options.projectRoot ?? repository.dir,
    skillsRoot: ".qwen/skills",
    skillFolder,
    transcript: options.transcript ?? "# Session\n\nt1 user: hello\n",
    links,
    redact: options.redact ?? (async (text) => text),
  });
  const checked: string[] = [];
  const tools = createTools({
    view,
    skillFolder,
    history: new GitProjectHistory(opened, base),
    texts: TEXTS,
    check: async (folder) => {
      checked.push(folder);
      return options.findings ?? [];
    },
  });
  const policy = createReviewPolicy({ view, skillsDir, links });
  return {
    repository,
    root: view.root,
    skillsDir,
    view,
    checked,
    call: async (name, given, signal = new AbortController().signal) => {
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined) throw new Error(`no tool ${name}`);
      const prepared = tool.prepare(given);
      if (!prepared.ok) return { text: prepared.reason, isError: true };
      const refusal = await policy({ name, args: prepared.args });
      if (refusal !== null) return { text: refusal, isError: true };
      return tool.execute(prepared.args, signal);
    },
    skill: (path, text) => {
      mkdirSync(dirname(join(skillsDir, path)), { recursive: true });
      writeFileSync(join(skillsDir, path), text);
    },
    [Symbol.asyncDispose]: async () => {
      await project[Symbol.asyncDispose]();
      await repository[Symbol.asyncDispose]();
    },
  };
}
