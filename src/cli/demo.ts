/** `skillpr demo`: the whole story offline, in a repository made for it, with the real pipeline. */
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resolveConfig } from "../core/config.ts";
import { safeBlock, shortCommit } from "../core/text.ts";
import { createRepository } from "../git/create-repository.ts";
import type { Repository } from "../git/repository.ts";
import { exitCodeOf } from "../outcome.ts";
import { review } from "../pipeline.ts";
import { accept, showProposal } from "../proposals.ts";
import { offlineReviewer } from "../review/offline/offline-reviewer.ts";
import { SKILL_FILE_NAME } from "../skills/skill-path.ts";
import { readTemplate, templateFolder } from "../templates.ts";
import { tellSkillbook } from "./demo-skillbook.ts";
import { interruption } from "./interruption.ts";
import { isJson } from "./open-place.ts";
import { printOutcome, row } from "./print-outcome.ts";
import type { Call } from "./program.ts";
import type { Terminal } from "./terminal.ts";

export async function runDemo(call: Call, terminal: Terminal): Promise<number> {
  const dir = await mkdtemp(join(tmpdir(), "skillpr-demo-"));
  const keep = call.flags["keep"] === true;
  try {
    return await tell(dir, call, terminal);
  } finally {
    if (keep) terminal.note(`The repository of this demo is ${dir}`);
    else await rm(dir, { recursive: true, force: true });
  }
}

async function tell(dir: string, call: Call, terminal: Terminal): Promise<number> {
  const { line, paint } = terminal;
  await cp(templateFolder("demo/repository"), dir, { recursive: true });
  const repository = await createRepository(dir, "the project, before the session");
  if (call.flags["skillbook"] === true) return tellSkillbook(repository, call, terminal);
  const { config } = resolveConfig({
    flags: { enabled: true, reviewer: "offline", publish: "branch" },
    user: {},
    repository: {},
    disabledInAgentSettings: null,
  });
  const transcript = templateFolder("demo/session.jsonl");
  const outcome = await review(
    { kind: "file", path: transcript },
    {
      config,
      repository,
      reviewer: offlineReviewer,
      credentials: [],
      messageTemplate: readTemplate("commit-message.txt"),
      force: false,
      dryRun: false,
      outDir: null,
      ...interruption(terminal),
    },
  );
  if (isJson(call)) {
    terminal.json(outcome);
    return exitCodeOf(outcome);
  }
  line(paint.bold("A coding agent's session is read, judged and reviewed:"));
  line();
  printOutcome(outcome, { name: "templates/demo/session.jsonl", call }, terminal);
  const [proposal] = outcome.proposals;
  if (proposal === undefined) return exitCodeOf(outcome);
  line();
  line(paint.bold("The skill that waits on that branch (nothing in the checkout has changed):"));
  line();
  const place = { repository, config };
  const file = `${config.skillsRoot}/${proposal.skill}/${SKILL_FILE_NAME}`;
  const { branch } = await showProposal(place, proposal.skill);
  line(safeBlock(await skillText(repository, `${branch.tree}:${file}`)).replace(/^/gm, "  "));
  line(paint.bold("A person accepts it:"));
  line();
  const accepted = await accept(place, proposal.skill);
  if (accepted.status !== "accepted") throw new Error("the demo's own skill was refused");
  row(terminal, "accepted", `${proposal.skill} into main · ${shortCommit(accepted.commit)}`);
  row(terminal, "live", `${file}, ${(await readFile(join(dir, file))).length} bytes`);
  return exitCodeOf(outcome);
}

async function skillText({ git }: Repository, name: string): Promise<string> {
  const { stdout } = await git.run(["cat-file", "blob", name]);
  return stdout.toString("utf8");
}
