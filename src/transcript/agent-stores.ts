/** Where each agent keeps its sessions and how a file there names its project: one description an agent. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { resolveAgentPath } from "./agent-path.ts";
import { parseObject } from "./json-objects.ts";
import { asRecord, asText, type JsonRecord } from "./json-values.ts";
import { parseJson } from "./parse-json.ts";
import { clineFolders, homeFolder, qwenFolders, type StorePlace } from "./store-folders.ts";
import { isInProject, type Search } from "./store-search.ts";

/** A name on the way to a session's file: the name itself, or what it must look like. */
export type Step = string | RegExp | ((name: string, roots: readonly string[]) => boolean);

export interface AgentStore {
  /** For people: `Codex CLI`. */
  readonly agent: string;
  /** Absolute folders that hold the agent's sessions; they need not exist. */
  readonly folders: (place: StorePlace) => Promise<readonly string[]>;
  /** The ways from such a folder to a file, the file's own name last. */
  readonly paths: readonly (readonly Step[])[];
  /** Finds the session's id at the end of a path (group 1), with `/` between its parts. */
  readonly id: RegExp;
  /** True when a path holds the beginning of the id only: then the file itself tells it. */
  readonly isIdCut?: boolean;
  /** True when its files repeat other agents' sessions, or may be there for another reason: looked at when no other store has the session. */
  readonly isLast?: boolean;
  /**
   * Whether the session is of the project and may be what is looked for, from the beginning of its
   * file; null when that doesn't tell. Folder names are ambiguous: what the file says decides.
   */
  readonly belongs: (head: string, search: Search) => boolean | null;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LINES = /\.jsonl$/;
const TRAJ = /\.traj$/;
/** What Qwen Code's and Claude Code's own scanners take for a session; sidecars and sub-agents are named otherwise. */
const OWN_SESSION = /(?:^|\/)([0-9a-f-]{32,36})\.jsonl$/i;

export const AGENT_STORES: readonly AgentStore[] = [
  {
    agent: "Qwen Code",
    folders: qwenFolders,
    paths: [
      [mayBelong, "chats", LINES],
      [mayBelong, "chats", "archive", LINES],
    ],
    id: OWN_SESSION,
    belongs: byFolder((record) => record["cwd"]),
  },
  {
    agent: "Claude Code",
    folders: async (place) => [join(homeFolder(place, "CLAUDE_CONFIG_DIR", ".claude"), "projects")],
    paths: [[mayBelong, LINES]],
    id: OWN_SESSION,
    belongs: byFolder((record) => record["cwd"]),
  },
  {
    agent: "Codex CLI",
    folders: async (place) => {
      const home = homeFolder(place, "CODEX_HOME", ".codex");
      return [join(home, "sessions"), join(home, "archived_sessions")];
    },
    paths: [[/^\d{4}$/, /^\d\d$/, /^\d\d$/, /^rollout-.*\.jsonl$/], [/^rollout-.*\.jsonl$/]],
    id: /-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/i,
    belongs: byFolder(codexFolder),
  },
  {
    agent: "Gemini CLI",
    folders: async (place) => [join(homeFolder(place, "GEMINI_CLI_HOME"), ".gemini", "tmp")],
    paths: [[/^/, "chats", /^session-.*\.jsonl?$/]],
    id: /-([^-/]+)\.jsonl?$/,
    isIdCut: true,
    belongs: byProjectHash,
  },
  {
    agent: "GitHub Copilot CLI",
    folders: async (place) => [
      join(homeFolder(place, "COPILOT_HOME", ".copilot"), "session-state"),
    ],
    paths: [[UUID, "events.jsonl"], [LINES]],
    id: /([^/]+?)(?:\/events)?\.jsonl$/,
    belongs: byFolder((record) => asRecord(asRecord(record["data"])?.["context"])?.["cwd"]),
  },
  {
    agent: "pi",
    folders: async (place) => [
      join(homeFolder(place, "PI_CODING_AGENT_DIR", ".pi", "agent"), "sessions"),
    ],
    paths: [[/^--.*--$/, LINES]],
    id: /_([^_/]+)\.jsonl$/,
    belongs: byFolder((record) => record["cwd"]),
  },
  {
    agent: "OpenClaw",
    folders: async (place) => [
      join(homeFolder(place, "OPENCLAW_STATE_DIR", ".openclaw"), "agents"),
    ],
    paths: [[/^/, "sessions", LINES]],
    id: /([^/]+)\.jsonl$/,
    belongs: byFolder((record) => record["cwd"]),
  },
  {
    agent: "Aider",
    folders: async (place) => place.projectRoots,
    paths: [[".aider.chat.history.md"]],
    id: /(\.aider\.chat\.history)\.md$/,
    // It lies in the project.
    belongs: (head) => /^\s*# aider chat started at /.test(head),
  },
  {
    agent: "Cline",
    folders: clineFolders,
    paths: [[/^/, "api_conversation_history.json"]],
    id: /([^/]+)\/api_conversation_history\.json$/,
    belongs: byClineFolder,
  },
  {
    agent: "Hermes",
    folders: async (place) => [join(homeFolder(place, "HERMES_HOME", ".hermes"), "sessions")],
    paths: [[/^(?!request_dump_).*\.jsonl?$/]],
    id: /([^/]+?)\.jsonl?$/,
    // Its files name no folder: only somebody who knows the id knows whose it is.
    belongs: (_, { sessionId }) => sessionId !== null,
  },
  {
    agent: "SpecStory",
    folders: async (place) => place.projectRoots.map((root) => join(root, ".specstory", "history")),
    paths: [[/\.md$/]],
    id: /([^/]+)\.md$/,
    isLast: true,
    belongs: (head) => /^\s*<!-- Generated by SpecStory/.test(head),
  },
  {
    agent: "SWE-agent",
    folders: async (place) => place.projectRoots.map((root) => join(root, "trajectories")),
    // By user, run and instance, as its versions nest them.
    paths: [[TRAJ], [/^/, TRAJ], [/^/, /^/, TRAJ], [/^/, /^/, /^/, TRAJ]],
    id: /([^/]+)\.traj$/,
    isLast: true,
    belongs: (head) => /^\s*\{/.test(head),
  },
  {
    agent: "Harbor",
    folders: async (place) => place.projectRoots.map((root) => join(root, "jobs")),
    paths: [[/^/, /^/, "agent", "trajectory.json"]],
    id: /([^/]+)\/agent\/trajectory\.json$/,
    isLast: true,
    belongs: (head) => (/"schema_version"\s*:\s*"ATIF-/.test(head) ? true : null),
  },
];

/** Qwen Code and Claude Code name a folder after the one they were started in: every other character is `-`. */
function mayBelong(bucket: string, roots: readonly string[]): boolean {
  const lower = bucket.toLowerCase();
  return roots.some((root) => {
    const name = root.replace(/[^a-zA-Z0-9]/g, "-").toLowerCase();
    // A session may have been started in a folder below the root.
    return lower === name || lower.startsWith(`${name}-`);
  });
}

/** Judges by the first record that names a folder; false for one that isn't looked for whatever its folder. */
function byFolder(
  folderIn: (record: JsonRecord, search: Search) => unknown,
): AgentStore["belongs"] {
  return (head, search) => {
    for (const line of head.split("\n")) {
      const record = parseObject(line);
      const folder = record === null ? undefined : folderIn(record, search);
      if (folder === false) return false;
      const path = asText(folder) === null ? null : resolveAgentPath(String(folder), null);
      if (path !== null) return isInProject(path, search);
    }
    return null;
  };
}

/** Cline tells its folder in the text of the first message. */
function byClineFolder(head: string, search: Search): boolean | null {
  const folder = /# Current (?:Working|Workspace) Directory \((.+?)\)/.exec(head)?.[1];
  const path = folder === undefined ? null : asText(parseJson(`"${folder}"`));
  const resolved = path === null ? null : resolveAgentPath(path, null);
  return resolved === null ? null : isInProject(resolved, search);
}

/** A sub-agent has a rollout of its own: it is found by its id only. */
function codexFolder(record: JsonRecord, search: Search): unknown {
  const payload = asRecord(record["payload"]);
  if (record["type"] !== "session_meta" || payload === null) return undefined;
  const isSubagent = asRecord(payload["source"])?.["subagent"] !== undefined;
  return isSubagent && search.sessionId === null ? false : payload["cwd"];
}

/** Gemini CLI tells the project by a hash of its folder, which only the project's own folders can be held against. */
function byProjectHash(head: string, search: Search): boolean | null {
  const start = head.split(/"messages"\s*:/, 1)[0] ?? "";
  const hash = /"projectHash"\s*:\s*"([0-9a-f]{64})"/.exec(start)?.[1];
  const id = /"sessionId"\s*:\s*"([^"]+)"/.exec(start)?.[1];
  if (hash === undefined || id === undefined) return null;
  if (search.sessionId !== null && !id.startsWith(search.sessionId)) return false;
  if (search.sessionId === null && /"kind"\s*:\s*"subagent"/.test(start)) return false;
  return search.roots.some((root) => createHash("sha256").update(root).digest("hex") === hash);
}
