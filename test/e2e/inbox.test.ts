/** From a developer's machine to a pull request without a model key there: upload, plan, review, publish, and the inbox is empty. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { actionProject, stepIn } from "../support/action-project.ts";
import { runStep } from "../support/built-action.ts";
import { DEMO_SESSION, runCli } from "../support/built-cli.ts";
import { FULL_NAME, type GithubServer, startGithub, TOKEN } from "../support/github-server.ts";
import type { TemporaryRepository } from "../support/temp-repository.ts";

const SESSION = "0d4c8f1e-5a27-4b39-9c60-2e8b7f31a6d4";
const INBOX = `refs/heads/skillpr/inbox/${SESSION}`;
const SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ456789";

let repository: TemporaryRepository;
let github: GithubServer;
let isPrivate = false;
let transcript = "";

beforeAll(async () => {
  repository = await actionProject();
  github = await startGithub(join(repository.home, "remotes"));
  await repository.git("push", "--quiet", github.git.bare(FULL_NAME), "main");
  await repository.git("remote", "add", "origin", `${github.git.url}/${FULL_NAME}`);
  const real = await github.call<Record<string, unknown>>("GET", `/repos/${FULL_NAME}`);
  github.faults.push(({ method, path }) =>
    method === "GET" && path === `/repos/${FULL_NAME}`
      ? { status: 200, body: { ...real, private: isPrivate } }
      : null,
  );
  transcript = join(repository.home, "session.jsonl");
  const text = readFileSync(DEMO_SESSION, "utf8");
  writeFileSync(
    transcript,
    text.replace("npm test fails since", `Use ${SECRET}. npm test fails since`),
  );
});
afterAll(async () => {
  await github[Symbol.asyncDispose]();
  await repository[Symbol.asyncDispose]();
});

const upload = (...flags: string[]) =>
  runCli(repository, ["upload", transcript, ...flags], { env: { ...github.env } });
const bareGit = (...args: string[]) => repository.gitIn(github.git.bare(FULL_NAME), ...args);
const inboxTip = () => bareGit("for-each-ref", "--format=%(objectname)", INBOX);

test("shows exactly what it would send, and sends it to a private repository alone", async () => {
  const before = await repository.snapshot();
  const shown = await upload();
  expect(shown.code).toBe(0);
  expect(shown.stdout).not.toContain(SECRET);
  expect(shown.stdout).toContain("[redacted:github-token:1]");
  expect(shown.stderr).toContain("uploaded    nothing");
  expect(await inboxTip()).toBe("");

  const refused = await upload("--yes");
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("is public: everybody could read the transcript");
  expect(await inboxTip()).toBe("");

  isPrivate = true;
  const sent = await upload("--yes", "--json");
  expect(sent.code).toBe(0);
  const answer = sent.json<{ ref: string; commit: string; redactions: Record<string, number> }>();
  expect(answer).toMatchObject({ ref: INBOX, commit: await inboxTip() });
  expect(answer.redactions).toEqual({ "github-token": 1 });
  expect(await bareGit("ls-tree", "--name-only", INBOX)).toBe("transcript.jsonl");
  expect(await bareGit("rev-list", "--count", INBOX)).toBe("1");
  // What was shown is what was sent.
  expect(await bareGit("show", `${INBOX}:transcript.jsonl`)).toBe(shown.stdout.trimEnd());
  expect(await repository.snapshot()).toEqual(before);
});

test("a workflow reviews the inbox and empties it", async () => {
  const clone = async (name: string) => {
    const dir = join(repository.home, name);
    const url = `file://${github.git.bare(FULL_NAME)}`;
    await repository.gitIn(repository.home, "clone", "--quiet", url, dir);
    await repository.gitIn(dir, "remote", "set-url", "origin", `${github.git.url}/${FULL_NAME}`);
    return dir;
  };
  const { GITHUB_TOKEN: _, ...server } = github.env;
  const step = (workspace: string, given: Record<string, string>) =>
    runStep({
      ...stepIn(repository, workspace),
      env: { ...server, GITHUB_REPOSITORY: FULL_NAME },
      event: "schedule",
      payload: { repository: { full_name: FULL_NAME, default_branch: "main" } },
      with: given,
    });
  const planning = await clone("planning");
  const planned = await step(planning, {
    command: "plan",
    inbox: "true",
    context: "skillpr-context.json",
    "github-token": TOKEN,
  });
  expect(planned).toMatchObject({ code: 0, outputs: { jobs: "1" } });
  const [job] = JSON.parse(planned.outputs["matrix"] ?? "").include;

  const reviewing = await clone("reviewing");
  for (const name of ["skillpr-inbox", "skillpr-context.json"])
    cpSync(join(planning, name), join(reviewing, name), { recursive: true });
  const reviewed = await step(reviewing, {
    command: "review",
    reviewer: "offline",
    transcripts: job.transcripts,
    context: "skillpr-context.json",
  });
  expect(reviewed).toMatchObject({ code: 0, outputs: { outcome: "proposed" } });

  const publishing = await clone("publishing");
  const handover = join(publishing, "skillpr-proposals");
  cpSync(join(reviewing, "skillpr-proposals"), handover, { recursive: true });
  const published = await step(publishing, {
    command: "publish",
    inbox: "true",
    "github-token": TOKEN,
  });
  expect(published).toMatchObject({ code: 0, outputs: { outcome: "proposed" } });
  expect(published.log).toContain("1 transcript removed from the inbox");
  expect(await inboxTip()).toBe("");

  // The session went on and was sent again: what an old run handed over must not remove that.
  expect((await upload("--yes")).code).toBe(0);
  const again = await step(publishing, {
    command: "publish",
    inbox: "true",
    "github-token": TOKEN,
  });
  expect(again.code).toBe(0);
  expect(again.log).toContain("0 transcripts removed from the inbox");
  expect(await inboxTip()).not.toBe("");
});

test("what people declined reaches a review that has no token", async () => {
  const [pull] = await github.pulls("open");
  const number = pull?.number ?? 0;
  await github.closePull(number);
  const planning = join(repository.home, "planning");
  const { GITHUB_TOKEN: _, ...server } = github.env;
  const planned = await runStep({
    ...stepIn(repository, planning),
    env: { ...server, GITHUB_REPOSITORY: FULL_NAME },
    with: { command: "plan", transcripts: transcript, "github-token": TOKEN },
  });
  expect(planned.code).toBe(0);
  const context = JSON.parse(readFileSync(planned.outputs["context-path"] ?? "", "utf8"));
  expect(context.declined).toMatchObject([
    {
      skill: pull?.head.ref.replace("auto-skill/", ""),
      reason: `pull request #${number} was closed`,
    },
  ]);
  const dir = join(repository.home, "without-branches");
  const url = `file://${github.git.bare(FULL_NAME)}`;
  await repository.gitIn(repository.home, "clone", "--quiet", "--single-branch", url, dir);
  const reviewed = await runStep({
    ...stepIn(repository, dir),
    with: {
      command: "review",
      reviewer: "offline",
      transcripts: transcript,
      context: planned.outputs["context-path"] ?? "",
    },
  });
  expect(reviewed.log).toContain("1 declined proposal known");
  expect(reviewed).toMatchObject({ code: 0, outputs: { outcome: "nothing_to_save" } });
});

test("plan prints a matrix", async () => {
  const planned = await runCli(repository, ["plan", transcript, DEMO_SESSION, "--max-jobs", "4"]);
  expect(planned.code).toBe(0);
  // Both are the same session.
  expect(planned.json<{ include: object[] }>().include).toMatchObject([
    { id: "01", repository: "parcels", count: 2 },
  ]);
});
