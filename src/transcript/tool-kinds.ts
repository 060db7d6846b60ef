import type { ToolKind } from "./session.ts";

/** The names that agents give to their tools, lower-case, without an MCP server's prefix. */
const NAMES: Readonly<Record<Exclude<ToolKind, "other">, string>> = {
  shell:
    "run_shell_command bash bashtool shell exec exec_command local_shell local_shell_call terminal execute_command run_command run_in_terminal powershell execute_bash execute_code container.exec shell_command bash_command run run_ipython execute_ipython_cell",
  write: "write_file write create_file write_to_file create writefile save_file fs_write new_file",
  edit: "edit replace multiedit multi_edit notebookedit notebook_edit edit_file editfile replace_in_file search_replace str_replace insert_edit_into_file apply_patch applypatch patch apply_diff str_replace_editor str_replace_based_edit_tool file_editor text_editor insert_content search_and_replace",
  read: "read_file read read_many_files notebookread list_directory ls list_dir list_files view view_file fs_read view_image list_code_definition_names",
  search:
    "glob grep grep_search search_file_content ripgrep rg search_files search_file search_dir find_file file_search codebase_search web_search websearch tool_search toolsearch find grep_files google_web_search",
  agent: "agent task subagent spawn_agent delegate_task sessions_spawn new_task",
};

const KINDS: ReadonlyMap<string, ToolKind> = new Map(
  Object.entries(NAMES).flatMap(([kind, names]) =>
    names.split(" ").map((name) => [name, kind as ToolKind] as const),
  ),
);

/** The tools of an MCP server may mean anything by a short name: there only names about files count. */
const MCP_PREFIX = /^mcp__.+?__/;

/** What a tool does, from its name; for the text editor tools also from their `command` argument. */
export function toolKind(name: string, args: Readonly<Record<string, unknown>>): ToolKind {
  const lower = name.toLowerCase();
  const own = lower.replace(MCP_PREFIX, "");
  const kind = KINDS.get(own) ?? "other";
  if (own !== lower && !own.includes("file")) return "other";
  if (kind !== "edit") return kind;
  if (args["command"] === "view") return "read";
  return args["command"] === "create" ? "write" : kind;
}
