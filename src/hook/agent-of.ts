/** Variables that an agent sets for its hooks, the most telling first: Qwen Code sets all three, Gemini CLI the last two. */
const VARIABLES = [
  ["QWEN_PROJECT_DIR", "qwen-code"],
  ["GEMINI_PROJECT_DIR", "gemini-cli"],
  ["CLAUDE_PROJECT_DIR", "claude-code"],
] as const;

const FOLDERS = [
  [/[/\\]\.qwen[/\\]/, "qwen-code"],
  [/[/\\]\.gemini[/\\]/, "gemini-cli"],
  [/[/\\]\.claude[/\\]/, "claude-code"],
] as const;

/** Which agent calls: by where it keeps its transcripts, else by what it set for its hooks; null when neither says. */
export function agentOf(transcriptPath: string, env: NodeJS.ProcessEnv): string | null {
  const byFolder = FOLDERS.find(([folder]) => folder.test(transcriptPath));
  const byVariable = VARIABLES.find(([name]) => (env[name] ?? "") !== "");
  return (byFolder ?? byVariable)?.[1] ?? null;
}
