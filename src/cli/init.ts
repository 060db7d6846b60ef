/** `skillpr init`: workflow files for a repository. */
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SkillprError } from "../core/errors.ts";
import { safeLine } from "../core/text.ts";
import { readTemplate } from "../templates.ts";
import { isJson, openPlace, text } from "./open-place.ts";
import { row } from "./print-outcome.ts";
import type { Call } from "./program.ts";
import type { Terminal } from "./terminal.ts";

const PLACEHOLDER = /\bSKILLPR_ACTION\b/g;

export async function runInit(call: Call, terminal: Terminal): Promise<number> {
  const action = pinned(text(call, "action") ?? "");
  const { repository } = await openPlace(call, terminal);
  if (repository.root === null)
    throw new SkillprError("input", "a bare repository has no files", "run this in a clone of it");
  const named = call.flags["workflow"];
  const names = Array.isArray(named) ? [...new Set(named.map(String))] : ["verify"];
  const dir = join(repository.root, ".github/workflows");
  await mkdir(dir, { recursive: true });
  const written: string[] = [];
  const kept: string[] = [];
  for (const name of names) {
    const file = `skillpr-${name}.yml`;
    const path = `.github/workflows/${file}`;
    if (existsSync(join(dir, file))) {
      kept.push(path);
      continue;
    }
    const content = readTemplate(`workflows/${file}`).replace(PLACEHOLDER, action);
    await writeFile(join(dir, file), content, { flag: "wx" });
    written.push(path);
  }
  if (isJson(call)) {
    terminal.json({ written, kept });
    return 0;
  }
  for (const path of written) row(terminal, "written", path);
  for (const path of kept) row(terminal, "kept", `${path}: it is there already`);
  if (names.some((name) => name !== "verify")) {
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
  row(terminal, "then", "read the files, commit them and push");
  return 0;
}

/** @throws SkillprError `usage` unless it names one commit: a tag can be moved to other code */
function pinned(action: string): string {
  if (/^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/.test(action)) return action;
  throw new SkillprError(
    "usage",
    `--action ${safeLine(action)} is not pinned to a commit`,
    "write owner/name@<40 hexadecimal digits>: git ls-remote https://github.com/<owner>/<name> 'refs/tags/v*' lists them",
  );
}
