/** The environment that git processes get: nothing that redirects, prompts or leaks. */

/**
 * `GIT_*` variables that survive. Lazy fetches of partial clones need the transport ones; the
 * config locations say where the user's own settings (`safe.directory`, credential helpers) live.
 * Everything else goes: git exports GIT_DIR, GIT_INDEX_FILE and more to hooks, from where skillpr
 * may have been started (https://git-scm.com/docs/githooks#_description).
 */
const KEPT_GIT_VARIABLES: ReadonlySet<string> = new Set([
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_CONFIG_SYSTEM",
  "GIT_PROXY_COMMAND",
  "GIT_PROXY_SSL_CAINFO",
  "GIT_SSH",
  "GIT_SSH_COMMAND",
  "GIT_SSH_VARIANT",
  "GIT_SSL_CAINFO",
  "GIT_SSL_CAPATH",
  "GIT_SSL_NO_VERIFY",
]);

/** Credentials that skillpr itself holds; git and its helpers have no business with them. */
const CREDENTIALS: ReadonlySet<string> = new Set([
  "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
  "ACTIONS_RUNTIME_TOKEN",
  "ANTHROPIC_API_KEY",
  "DASHSCOPE_API_KEY",
  "GEMINI_API_KEY",
  "GH_ENTERPRISE_TOKEN",
  "GH_TOKEN",
  "GITHUB_ENTERPRISE_TOKEN",
  "GITHUB_TOKEN",
  "OPENAI_API_KEY",
  "QWEN_CODE_MESSAGING_TOKEN",
]);

const FIXED: Readonly<Record<string, string>> = {
  // Messages are shown and, at repository discovery, told apart: one language.
  LC_ALL: "C",
  // A background tool must never wait for somebody to type.
  GIT_TERMINAL_PROMPT: "0",
  // Set but empty: git asks no program, neither this one nor core.askPass nor SSH_ASKPASS.
  GIT_ASKPASS: "",
  SSH_ASKPASS_REQUIRE: "never",
  // Nothing is refreshed or locked on the side.
  GIT_OPTIONAL_LOCKS: "0",
  // What is verified is what the ids say, not what refs/replace puts in their place.
  GIT_NO_REPLACE_OBJECTS: "1",
};

export interface RepositoryEnvironment {
  /** Null: git discovers the repository from its working folder, ownership check included. */
  readonly gitDir: string | null;
  readonly objectDirectory?: string | undefined;
  readonly alternates?: readonly string[] | undefined;
  /** The user's own work tree with its index; without it, git gets neither. */
  readonly workTree?: string | undefined;
  /** False: reading what a partial clone left out fails instead of asking its remote. */
  readonly lazyFetch?: boolean | undefined;
}

function isDropped(name: string): boolean {
  // Case-insensitive: Windows looks variables up that way.
  const upper = name.toUpperCase();
  if (upper.startsWith("GIT_")) return !KEPT_GIT_VARIABLES.has(upper);
  // Inputs of a GitHub Action arrive as INPUT_*, keys and tokens among them.
  return CREDENTIALS.has(upper) || upper.startsWith("INPUT_");
}

/** The whole environment of one git process; `inherited` is normally process.env. */
export function childEnvironment(
  inherited: Readonly<NodeJS.ProcessEnv>,
  repository: RepositoryEnvironment,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited)) {
    if (value !== undefined && !isDropped(name)) environment[name] = value;
  }
  Object.assign(environment, FIXED);
  if (repository.lazyFetch === false) environment["GIT_NO_LAZY_FETCH"] = "1";
  if (repository.gitDir === null) return environment;

  environment["GIT_DIR"] = repository.gitDir;
  // diff-tree loads the user's index although it needs none: point it at a file that isn't there.
  if (repository.workTree === undefined) {
    environment["GIT_INDEX_FILE"] = `${repository.gitDir}/skillpr-no-index`;
  } else {
    environment["GIT_WORK_TREE"] = repository.workTree;
  }
  if (repository.objectDirectory !== undefined) {
    environment["GIT_OBJECT_DIRECTORY"] = repository.objectDirectory;
    environment["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = (repository.alternates ?? [])
      .map(quotePath)
      .join(":");
  }
  return environment;
}

/**
 * A path in git's C-style quotes, which GIT_ALTERNATE_OBJECT_DIRECTORIES
 * reads; safe for paths with `:`, quotes and line breaks.
 */
export function quotePath(path: string): string {
  return `"${path.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}
