/** What `doctor` says of the hook: which agents call skillpr, and whether what they call is there. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { SkillprError } from "../core/errors.ts";
import { parseHookCommand } from "../hook/hook-command.ts";
import {
  allTargets,
  type HookTarget,
  installedCommands,
  type TargetPlace,
} from "../hook/install.ts";
import { whatKeepsFromRunning } from "../hook/install-notes.ts";
import { programFile } from "../program-file.ts";
import type { Checked } from "./doctor.ts";

const REPAIR = "run `skillpr install` again (with --scope user where it is yours)";

/** One line for all files; the worst that is found decides. */
export async function hookCheck(place: TargetPlace): Promise<Checked> {
  const found: string[] = [];
  const problems: string[] = [];
  let hint = "docs/hook.md says what each agent needs";
  for (const target of allTargets(place)) {
    const where = `${target.agent.title} (${target.scope})`;
    const commands = await commandsOf(target, problems);
    if (commands.length === 0) continue;
    found.push(where);
    const broken = [
      ...strangePrograms(commands).map((problem) => `${where} ${problem}`),
      ...eventProblems(target, commands.length),
    ];
    if (broken.length > 0) hint = REPAIR;
    problems.push(...broken);
    problems.push(...(await whatKeepsFromRunning(target, place)));
  }
  if (found.length === 0 && problems.length === 0) {
    hint = "`skillpr install` lets Qwen Code call skillpr when a session ends";
    return { status: "warning", detail: "no agent calls skillpr", hint };
  }
  const called = found.length === 0 ? "no agent calls skillpr" : `called by ${found.join(", ")}`;
  if (problems.length === 0) return { status: "ok", detail: called };
  return { status: "warning", detail: [called, ...problems].join("; "), hint };
}

/** Whether any settings file that can be read holds an entry of skillpr. */
export async function isCalled(place: TargetPlace): Promise<boolean> {
  for (const target of allTargets(place))
    if ((await commandsOf(target, [])).length > 0) return true;
  return false;
}

async function commandsOf(target: HookTarget, problems: string[]): Promise<string[]> {
  try {
    return await installedCommands(target);
  } catch (error) {
    if (!(error instanceof SkillprError)) throw error;
    problems.push(error.message);
    return [];
  }
}

/** A repository can bring an entry of its own under skillpr's name. */
function strangePrograms(commands: readonly string[]): string[] {
  const problems = commands.map((command) => {
    const program = parseHookCommand(command);
    if (program === null) return "runs a command that `skillpr install` doesn't write";
    const gone = [program.cli, program.node].filter((file) => !existsSync(file));
    const hook = join(dirname(program.cli), "hook.js");
    // What lies beside another program is that one's affair.
    if (program.cli === programFile() && !existsSync(hook)) gone.push(hook);
    if (gone.length > 0) return `calls ${gone.join(" and ")}, which is gone`;
    return program.cli === programFile() ? "" : `calls another skillpr, ${program.cli}`;
  });
  return [...new Set(problems)].filter((problem) => problem !== "");
}

function eventProblems({ agent, scope }: HookTarget, entries: number): string[] {
  if (entries === agent.events.length) return [];
  return [
    `${agent.title} (${scope}) has ${entries} of the ${agent.events.length} entries (${agent.events.join(", ")})`,
  ];
}
