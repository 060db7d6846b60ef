/** `skillpr init`: makes a repository ready (config, workflows, ignore rules, hook), and says each thing that it did. */

import { SkillprError } from "../core/errors.ts";
import { safeLine } from "../core/text.ts";
import { readTemplate } from "../templates.ts";
import { agentsOf, type HookResult, hookTargetPlace, installHooks } from "./install.ts";
import { isJson, openPlace, text } from "./open-place.ts";
import { below, repositoryFlag, row } from "./print-outcome.ts";
import type { Call } from "./program.ts";
import { addIgnoreRules, type ReadyFile, writeIfAbsent } from "./ready-files.ts";
import type { Terminal } from "./terminal.ts";

const PLACEHOLDER = /\bSKILLPR_ACTION\b/g;
const CONFIG = ".skillpr.yml";

export async function runInit(call: Call, terminal: Terminal): Promise<number> {
  const workflows = workflowsOf(call);
  const isDry = call.flags["dryRun"] === true;
  const { repository } = await openPlace(call, terminal);
  const { root } = repository;
  if (root === null)
    throw new SkillprError("input", "a bare repository has no files", "run this in a clone of it");
  // The hook first: a settings file that can't be changed is found before anything was written.
  const agents = call.flags["hook"] === false ? [] : agentsOf(call);
  const place = hookTargetPlace(repository, root);
  const hooks = await installHooks({ agents, scope: "project", place, repository, isDry });
  const files = [await writeIfAbsent(root, CONFIG, readTemplate("skillpr.yml"), isDry)];
  for (const { path, content } of workflows)
    files.push(await writeIfAbsent(root, path, content, isDry));
  files.push(await addIgnoreRules(repository, root, isDry));
  if (isJson(call)) {
    const named = (did: ReadyFile["did"]) =>
      files.filter((file) => file.did === did).map(({ path }) => path);
    terminal.json({
      dryRun: isDry,
      written: named("written"),
      changed: named("changed"),
      kept: named("kept"),
      hooks,
    });
    return 0;
  }
  print(call, terminal, files, hooks);
  return 0;
}

/** @throws SkillprError `usage` when workflows are wanted and the action isn't named, or not pinned */
function workflowsOf(call: Call): { path: string; content: string }[] {
  const action = text(call, "action");
  const named = call.flags["workflow"];
  if (action === undefined) {
    if (named === undefined) return [];
    throw new SkillprError("usage", "--workflow needs --action", HOW_TO_PIN);
  }
  const names = Array.isArray(named) ? [...new Set(named.map(String))] : ["verify"];
  const pin = pinned(action);
  return names.map((name) => ({
    path: `.github/workflows/skillpr-${name}.yml`,
    content: readTemplate(`workflows/skillpr-${name}.yml`).replace(PLACEHOLDER, pin),
  }));
}

const HOW_TO_PIN =
  "write --action owner/name@<40 hexadecimal digits>: git ls-remote https://github.com/<owner>/<name> 'refs/tags/v*' lists them";

/** @throws SkillprError `usage` unless it names one commit: a tag can be moved to other code */
function pinned(action: string): string {
  if (/^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/.test(action)) return action;
  throw new SkillprError(
    "usage",
    `--action ${safeLine(action)} is not pinned to a commit`,
    HOW_TO_PIN,
  );
}

function print(
  call: Call,
  terminal: Terminal,
  files: readonly ReadyFile[],
  hooks: readonly HookResult[],
): void {
  const isDry = call.flags["dryRun"] === true;
  for (const { path, did, why } of files) row(terminal, did, `${path}: ${why}`);
  for (const { file, operation, notes } of hooks) {
    const isNew = operation === "installed" || operation === "updated";
    const what = isNew ? "sessions are reviewed when they end" : "the hook is in it already";
    row(terminal, isNew ? "hook" : "kept", `${safeLine(file)}: ${what}`);
    for (const note of notes) row(terminal, "note", terminal.paint.yellow(safeLine(note)));
  }
  if (isDry) {
    row(terminal, "dry run", "nothing was written");
    return;
  }
  const where = repositoryFlag(call);
  const named = call.flags["workflow"];
  const needsModel = Array.isArray(named) && named.some((name) => name !== "verify");
  if (call.flags["action"] === undefined) {
    row(terminal, "workflows", "none: name the action with --action owner/name@<commit>");
  } else if (needsModel) {
    row(
      terminal,
      "next",
      "add the secret OPENAI_API_KEY and the variables OPENAI_BASE_URL and OPENAI_MODEL",
    );
    row(
      terminal,
      "",
      "allow Actions to create pull requests (Settings, Actions, General, Workflow permissions)",
    );
  }
  row(terminal, "then", "read what was written, commit it and push");
  below(terminal, `skillpr doctor${where}`);
}
