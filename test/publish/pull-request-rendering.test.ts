/** The page as GitHub's Markdown renders it: what hostile text could do there, an independent parser says. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { expect, test } from "vitest";
import { pullRequestText } from "../../src/publish/pull-request-text.ts";
import { type HostileInput, hostileInput } from "./hostile-proposal.ts";

const template = readFileSync(
  resolve(import.meta.dirname, "../../templates/pull-request.md"),
  "utf8",
);
const ELEMENTS = new Set(
  "p blockquote details summary b h3 h4 ul ol li pre code table thead tbody tr th td strong em br hr".split(
    " ",
  ),
);
const REFERENCE = /@\w|#\d|\bgh-\d|:\/\/|www\.|mailto:|\$|(?<![0-9a-z])[0-9a-f]{7,40}(?![0-9a-z])/i;

function html(markdown: string): string {
  const options = { extensions: [gfm()], htmlExtensions: [gfmHtml()] };
  return micromark(markdown.replace(/^<!-- skillpr:.*-->$/gm, ""), {
    ...options,
    allowDangerousHtml: true,
  });
}

function decoded(text: string): string {
  const named: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', amp: "&" };
  return text.replace(/&(lt|gt|quot|amp);/g, (_, name: string) => named[name] ?? "");
}

function check(operation: "ADD" | "UPDATE", input: HostileInput): void {
  const handOver = { branch: "auto-skill/release-flow", stopLabel: "stop" };
  const page = html(
    pullRequestText({ ...input, operation, template, baseRef: "main", handOver }).body,
  );
  const bare = page.replace(/<pre>[\s\S]*?<\/pre>|<code[^>]*>[\s\S]*?<\/code>/g, " ");
  for (const [tag, name = ""] of bare.matchAll(/<\/?([a-z0-9]+)[^>]*>/gi)) {
    expect(ELEMENTS, tag).toContain(name);
    expect(tag).not.toMatch(/ (?!start="\d+">)\w+=/);
  }
  expect(bare).not.toContain("<!--");
  expect(decoded(bare.replace(/<[^>]+>/g, " "))).not.toMatch(REFERENCE);
  const outline = page.replace(/<pre>[\s\S]*?<\/pre>/g, "").match(/<\/?details>|<h3>/g);
  expect(outline?.join("")).toMatch(/^<details><\/details>(?:<h3>){5,7}<details><\/details>$/);
  const rows = [...page.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([row]) => row);
  const commands = new Set(input.proposal.evidence.map(({ command }) => command)).size;
  expect(rows).toHaveLength(commands === 0 ? 0 : commands + 1);
  for (const row of rows) expect(row.match(/<t[hd]>/g)).toHaveLength(2);
}

test.each(["ADD", "UPDATE"] as const)("%s: hostile text stays text", (operation) => {
  fc.assert(
    fc.property(hostileInput, (input) => check(operation, input)),
    { numRuns: 50 },
  );
});
