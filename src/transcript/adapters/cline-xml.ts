/** Calls that a model writes as XML into its text, as Cline and Roo Code asked for before models had tools. */

const TOOLS = new Set(
  (
    "execute_command read_file write_to_file replace_in_file apply_diff insert_content search_and_replace " +
    "search_files list_files list_code_definition_names browser_action use_mcp_tool access_mcp_resource " +
    "ask_followup_question attempt_completion new_task plan_mode_respond switch_mode update_todo_list fetch_instructions"
  ).split(" "),
);

export interface XmlCall {
  readonly name: string;
  readonly args: Readonly<Record<string, string>>;
}

/** The calls in a text, and the text without them. A call that isn't closed is text. */
export function splitXmlCalls(text: string): { readonly calls: XmlCall[]; readonly rest: string } {
  const rest: string[] = [];
  const calls: XmlCall[] = [];
  let from = 0;
  for (const element of elements(text, (name) => TOOLS.has(name))) {
    rest.push(text.slice(from, element.start));
    from = element.end;
    const inner = [...elements(element.body, () => true)];
    calls.push({
      name: element.name,
      args: Object.fromEntries(inner.map((each) => [each.name, each.body.trim()])),
    });
  }
  rest.push(text.slice(from));
  return { calls, rest: rest.join("").trim() };
}

interface Element {
  readonly name: string;
  readonly body: string;
  readonly start: number;
  readonly end: number;
}

/** Elements at the outermost level. A file's content may hold the tag that closes it: its last one counts. */
function* elements(text: string, isWanted: (name: string) => boolean): Generator<Element> {
  const open = /<([a-z_]{2,40})>/g;
  const unclosed = new Set<string>();
  for (let match = open.exec(text); match !== null; match = open.exec(text)) {
    const name = match[1] ?? "";
    // Looked for once: a text may hold a tag a million times and never close it.
    if (!isWanted(name) || unclosed.has(name)) continue;
    const closing = `</${name}>`;
    const isFile = name === "content" || name === "diff";
    const end = isFile ? text.lastIndexOf(closing) : text.indexOf(closing, open.lastIndex);
    if (end < open.lastIndex) {
      unclosed.add(name);
      continue;
    }
    yield {
      name,
      body: text.slice(open.lastIndex, end),
      start: match.index,
      end: end + closing.length,
    };
    open.lastIndex = end + closing.length;
  }
}
