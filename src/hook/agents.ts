/** The agents that can call skillpr: where their settings lie, and how they name and time a hook. */
import { join, resolve } from "node:path";
import { HOOK_TIMEOUT_SECONDS } from "../core/limits.ts";

export const AGENTS = ["qwen", "claude", "gemini"] as const;
export const SCOPES = ["project", "user"] as const;

export type AgentName = (typeof AGENTS)[number];
export type Scope = (typeof SCOPES)[number];

export interface HookAgent {
  readonly name: AgentName;
  /** As people call it. */
  readonly title: string;
  /** Of its settings, in a project and in the user's home. */
  readonly folder: string;
  /** Its own names for: a session ended, a turn ended (headless runs have no other), a session starts. */
  readonly events: readonly string[];
  /** In the unit that this agent reads. */
  readonly timeout: number;
  /** Whether an entry can carry a name, by which the agent shows it and switches it off. */
  readonly hasNames: boolean;
  /** The file that says which folders are trusted, in the user's folder; null: the agent keeps that elsewhere. */
  readonly trustFile: { readonly name: string; readonly variable: string } | null;
}

/**
 * Qwen Code and Gemini CLI read `timeout` in milliseconds, Claude Code in seconds; there an entry
 * without one shares 1.5 seconds with all others when a session ends.
 */
export const HOOK_AGENTS: Readonly<Record<AgentName, HookAgent>> = {
  qwen: {
    name: "qwen",
    title: "Qwen Code",
    folder: ".qwen",
    events: ["SessionEnd", "Stop", "SessionStart"],
    timeout: HOOK_TIMEOUT_SECONDS * 1000,
    hasNames: true,
    trustFile: { name: "trustedFolders.json", variable: "QWEN_CODE_TRUSTED_FOLDERS_PATH" },
  },
  claude: {
    name: "claude",
    title: "Claude Code",
    folder: ".claude",
    events: ["SessionEnd", "Stop", "SessionStart"],
    timeout: HOOK_TIMEOUT_SECONDS,
    hasNames: false,
    trustFile: null,
  },
  gemini: {
    name: "gemini",
    title: "Gemini CLI",
    folder: ".gemini",
    events: ["SessionEnd", "AfterAgent", "SessionStart"],
    timeout: HOOK_TIMEOUT_SECONDS * 1000,
    hasNames: true,
    trustFile: { name: "trustedFolders.json", variable: "GEMINI_CLI_TRUSTED_FOLDERS_PATH" },
  },
};

/**
 * The folder of an agent's settings in the user's home: `QWEN_HOME`, `CLAUDE_CONFIG_DIR` and
 * `GEMINI_CLI_HOME` move it, the last one as a home that holds `.gemini`.
 */
export function userFolder(agent: HookAgent, env: NodeJS.ProcessEnv, home: string): string {
  const moved = (value: string | undefined) =>
    value ? resolve(value.replace(/^~(?=[/\\]|$)/, () => home)) : null;
  switch (agent.name) {
    case "qwen":
      return moved(env["QWEN_HOME"]) ?? join(home, agent.folder);
    case "claude":
      return moved(env["CLAUDE_CONFIG_DIR"]) ?? join(home, agent.folder);
    case "gemini":
      return join(moved(env["GEMINI_CLI_HOME"]) ?? home, agent.folder);
  }
}

export const SETTINGS_FILE = "settings.json";
