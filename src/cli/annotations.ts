/**
 * Findings as GitHub's runner shows them beside the lines of a pull request.
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
 */
import { safeLine } from "../core/text.ts";
import type { Finding } from "../verify/finding.ts";

/** One workflow command, on one line: nothing in a finding can end it or begin another. */
export function annotation({ rule, level, path, line, column, message, hint }: Finding): string {
  const place = {
    ...(path === null ? {} : { file: path }),
    ...(line === null ? {} : { line: String(line) }),
    ...(line === null || column === undefined ? {} : { col: String(column) }),
    title: rule,
  };
  const properties = Object.entries(place).map(([name, value]) => `${name}=${property(value)}`);
  return `::${level} ${properties.join(",")}::${data(`${message} ${hint}`)}`;
}

/** A runner reads `%25`, `%0D` and `%0A` in the text… */
function data(text: string): string {
  return safeLine(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** …and in a property the two characters that end it as well. */
function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
