/**
 * A repository's backlog: 200 transcripts, planned into 20 review jobs that know nothing of each other, and one job
 * that publishes what they left. Every transcript ends in exactly one outcome, no skill is proposed twice.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OutcomeRow } from "../../src/action/outcome-rows.ts";
import { actionProject, stepIn } from "../support/action-project.ts";
import { runStep, type StepResult } from "../support/built-action.ts";
import { DEMO_SESSION } from "../support/built-cli.ts";
import { FULL_NAME, type GithubServer, startGithub, TOKEN } from "../support/github-server.ts";
import {
  calls,
  type ScriptedModel,
  type ScriptedRequest,
  scriptedModel,
} from "../support/scripted-model.ts";
import type { TemporaryRepository } from "../support/temp-repository.ts";

const TRANSCRIPTS = 200;
const JOBS = 20;
const LESSONS = 10;
const MAX_OPEN = 6;

/** What the numbered session is about. */
function kindOf(n: number): string {
  if (n < 110) return `lesson-${n % LESSONS}`;
  if (n < 114) return "conflict";
  if (n < 118) return "attack";
  if (n < 140) return "nothing";
  // The same session twice: the later file tells how the earlier went on.
  if (n < 150) return `grown-${Math.floor((n - 140) / 2)}`;
  if (n < 196) return "short";
  return "damaged";
}

let repository: TemporaryRepository;
let github: GithubServer;
let model: ScriptedModel;

beforeAll(async () => {
  repository = await actionProject();
  github = await startGithub(join(repository.home, "remotes"));
  await repository.git("push", "--quiet", github.git.bare(FULL_NAME), "main");
  model = await scriptedModel(answer);
  writeTranscripts(join(repository.home, "transcripts"));
});
afterAll(async () => {
  await model.close();
  await github[Symbol.asyncDispose]();
  await repository[Symbol.asyncDispose]();
});

function writeTranscripts(dir: string): void {
  const session = readFileSync(DEMO_SESSION, "utf8");
  mkdirSync(dir, { recursive: true });
  for (let n = 0; n < TRANSCRIPTS; n++) {
    const kind = kindOf(n);
    const id = String(kind.startsWith("grown") ? 140 + 2 * Math.floor((n - 140) / 2) : n);
    const text = session
      .replaceAll("0d4c8f1e", id.padStart(8, "0"))
      .replace("npm test fails since", `About ${kind}: npm test fails since`)
      .replaceAll("/home/user/parcels", n % 4 === 0 ? "/home/user/letters" : "/home/user/parcels");
    const lines = text.trimEnd().split("\n");
    const isFirstHalf = kind.startsWith("grown") && n % 2 === 0;
    const kept = kind === "short" ? lines.slice(0, 9) : isFirstHalf ? lines.slice(0, -2) : lines;
    const name = join(dir, `${String(n).padStart(3, "0")}.jsonl`);
    writeFileSync(name, kind === "damaged" ? "no transcript at all\n" : `${kept.join("\n")}\n`);
  }
}

const WORDS =
  "anchor basket candle desert engine feather garden harbor island jacket kettle ladder magnet needle orchard pillow quarry rocket saddle tunnel umbrella valley window yellow zebra apron bridge copper dragon eleven falcon granite hammer insect jungle kernel lemon marble nickel oyster pepper quiver ribbon silver timber uniform velvet walnut".split(
    " ",
  );

/** Words that no other lesson has. */
function textOf(kind: string, n: number): string {
  const words = WORDS.map((word, index) =>
    index % 2 === 0 ? word : `${word}${kind.replace(/\W/g, "")}`,
  );
  const own = words.map((word) => `${word}${n}`).slice(0, 40);
  return `Run \`npm test\`. ${own.join(" ")}.`;
}

function skillFile(name: string, text: string): string {
  return `---\nname: ${name}\ndescription: ${text.slice(20, 120).replaceAll("`", "")}\nversion: 1.0.0\nmetadata:\n  source: auto-skill\n  extracted_at: '2026-03-09T14:03:12.000Z'\n---\n\n# ${name}\n\n${text}\n`;
}

/** The reviewing model of all jobs: what it writes depends on the session alone. */
function answer(request: ScriptedRequest) {
  if (request.body.messages.some(({ role }) => role === "tool")) return "Saved.";
  const [, kind = ""] = /About ([a-z]+(?:-\d+)?): npm/.exec(request.text) ?? [];
  const [, id = "0"] = /\b(0{5}\d{3})-5a27/.exec(request.text) ?? [];
  if (kind === "nothing" || kind.startsWith("grown")) return "Nothing to save.";
  const number = Number(/\d+$/.exec(kind)?.[0] ?? 0);
  const write = (name: string, text: string) =>
    calls([
      "write_file",
      { file_path: `.qwen/skills/${name}/SKILL.md`, content: skillFile(name, text) },
    ]);
  if (kind === "attack") return write("attack", `${textOf("attack", 0)} \u202e`);
  if (kind === "conflict") return write("lesson-0", textOf("conflict", 1000 + Number(id)));
  // A model gives one lesson this name and that.
  const name = number === 3 && Number(id) % 2 === 1 ? "lesson-three" : `lesson-${number}`;
  return write(name, textOf("lesson", number));
}

async function checkout(name: string): Promise<string> {
  const dir = join(repository.home, name);
  const bare = github.git.bare(FULL_NAME);
  await repository.gitIn(repository.home, "clone", "--quiet", `file://${bare}`, dir);
  await repository.gitIn(dir, "remote", "set-url", "origin", `${github.git.url}/${FULL_NAME}`);
  cpSync(join(repository.home, "transcripts"), join(dir, "transcripts"), { recursive: true });
  return dir;
}

function step(workspace: string, given: Record<string, string>): Promise<StepResult> {
  const { GITHUB_TOKEN: _, ...server } = github.env;
  return runStep({
    ...stepIn(repository, workspace),
    env: { ...server, GITHUB_REPOSITORY: FULL_NAME },
    event: "schedule",
    payload: {
      schedule: "0 3 * * *",
      repository: { full_name: FULL_NAME, default_branch: "main" },
    },
    with: given,
  });
}

/** As many at once as a small machine has processors. */
async function twoAtATime<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const worker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all([worker(), worker()]);
}

test("200 transcripts in 20 jobs", { timeout: 1_200_000 }, async () => {
  const times: Record<string, number> = {};
  const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await work();
    times[name] = Math.round(performance.now() - start);
    return result;
  };
  const planned = await timed("plan", async () =>
    step(await checkout("plan"), {
      command: "plan",
      transcripts: "transcripts",
      "max-jobs": String(JOBS),
      "github-token": TOKEN,
    }),
  );
  expect(planned).toMatchObject({ code: 0, outputs: { jobs: String(JOBS) } });
  const matrix = JSON.parse(planned.outputs["matrix"] ?? "") as {
    include: { id: string; repository: string; transcripts: string; count: number }[];
  };
  expect(matrix.include).toHaveLength(JOBS);
  expect(matrix.include.reduce((sum, { count }) => sum + count, 0)).toBe(TRANSCRIPTS);
  const context = planned.outputs["context-path"] ?? "";

  const artifacts = join(repository.home, "artifacts");
  const rows: OutcomeRow[] = [];
  await timed("review", () =>
    twoAtATime(matrix.include, async ({ id, transcripts }) => {
      const workspace = await checkout(`review-${id}`);
      const reviewed = await step(workspace, {
        command: "review",
        transcripts,
        context,
        "proposal-dir": join(artifacts, `skillpr-${id}`),
        "openai-api-key": "example-model-key-123456",
        "openai-base-url": model.url,
        "openai-model": "scripted",
      });
      expect(reviewed.log).not.toContain("This is a bug");
      const report = JSON.parse(readFileSync(reviewed.outputs["report-path"] ?? "", "utf8"));
      rows.push(...report.transcripts);
    }),
  );
  expect(readdirSync(artifacts)).toHaveLength(JOBS);
  expect(new Set(rows.map(({ transcript }) => transcript)).size).toBe(TRANSCRIPTS);
  const counted = (of: readonly OutcomeRow[]) => {
    const counts: Record<string, number> = {};
    for (const { status } of of) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };
  expect(rows).toHaveLength(TRANSCRIPTS);
  expect(counted(rows)).toEqual({
    proposed: 114,
    refused: 4,
    nothing_to_save: 32,
    skipped: 46,
    failed: 4,
  });

  const published = await timed("publish", async () =>
    step(await checkout("publish"), {
      command: "publish",
      "proposal-dir": artifacts,
      "github-token": TOKEN,
      "max-open": String(MAX_OPEN),
    }),
  );
  expect(published.log).not.toContain("This is a bug");
  const report = JSON.parse(readFileSync(published.outputs["report-path"] ?? "", "utf8"));
  const settled: OutcomeRow[] = report.transcripts;
  expect(new Set(settled.map(({ transcript }) => transcript)).size).toBe(TRANSCRIPTS);
  expect(settled).toHaveLength(TRANSCRIPTS);
  expect(counted(settled)).toEqual(counted(rows));

  // One lesson that a model gave two names is one skill, under either of them.
  const skills: string[] = report.proposals.map(({ skill }: { skill: string }) =>
    skill.replace("three", "3"),
  );
  expect(skills.toSorted()).toEqual(Array.from({ length: LESSONS }, (_, n) => `lesson-${n}`));
  expect(settled.filter(({ reason }) => reason?.startsWith("not published"))).toHaveLength(4);
  const pulls = await github.pulls("open");
  expect(pulls).toHaveLength(MAX_OPEN);
  expect(new Set(pulls.map(({ head }) => head.ref)).size).toBe(MAX_OPEN);
  // The sessions behind one skill are in its commit: a fresh runner knows all of them.
  const bare = github.git.bare(FULL_NAME);
  const message = await repository.gitIn(
    bare,
    "log",
    "-1",
    "--format=%B",
    pulls[0]?.head.ref ?? "",
  );
  expect(message.match(/^Skillpr-Digest: sha256:/gm)).toHaveLength(11);
  const requests = { model: model.requests.length, github: github.requests.length };
  process.stdout.write(`fan-out: ${JSON.stringify({ milliseconds: times, requests })}\n`);
});
