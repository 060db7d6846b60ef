/** From a command's flags to what it works with: the repository and the Config. */
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { Config, Flags } from "../core/config.ts";
import { parseSkillsRoot } from "../core/config-file.ts";
import { safeLine } from "../core/text.ts";
import type { Repository } from "../git/repository.ts";
import { type ResolvedPlace, resolvePlace } from "../resolve-place.ts";
import type { Call } from "./program.ts";
import { pullRequestFlags } from "./publish-options.ts";
import type { Terminal } from "./terminal.ts";

export interface OpenPlace {
  readonly repository: Repository;
  readonly config: Config;
  readonly user: ResolvedPlace["user"];
}

/** @throws SkillprError when the folder is no repository, or a config is wrong */
export async function openPlace(call: Call, terminal: Terminal): Promise<OpenPlace> {
  const { warnings, ...place } = await resolvePlace({
    dir: resolve(text(call, "repo") ?? "."),
    flags: flagsOf(call),
    env: process.env,
    home: homedir(),
    // A pull request must not bring the config of its own check.
    configAt: call.command === "verify" ? text(call, "base") : undefined,
  });
  for (const warning of warnings) terminal.note(`warning: ${safeLine(warning)}`);
  return place;
}

function flagsOf(call: Call): Flags {
  const { flags } = call;
  const root = text(call, "skillsRoot");
  return {
    enabled: flags["enabled"] === true ? true : undefined,
    skillsRoot: root === undefined ? undefined : parseSkillsRoot(root, "--skills-root"),
    // `verify --base` is the start of a range, not what proposals are measured against.
    base: call.command === "verify" ? undefined : text(call, "base"),
    reviewer: text(call, "reviewer") as Config["reviewer"] | undefined,
    publish: text(call, "publish") as Config["publish"] | undefined,
    threshold: number(call, "threshold"),
    trigger: text(call, "trigger") as Config["trigger"] | undefined,
    maxTurns: number(call, "maxTurns"),
    timeoutSeconds: number(call, "timeout"),
    pullRequest: pullRequestFlags(call),
  };
}

/** A flag's text; commander has checked choices already. */
export function text(call: Call, flag: string): string | undefined {
  const value = call.flags[flag];
  return typeof value === "string" ? value : undefined;
}

function number(call: Call, flag: string): number | undefined {
  const value = call.flags[flag];
  return typeof value === "number" ? value : undefined;
}

export function isJson(call: Call): boolean {
  return call.flags["json"] === true;
}
