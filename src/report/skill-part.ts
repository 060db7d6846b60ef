/** The skill as its reader will see it, each command with the turns of the session that it comes from. */
import { count } from "../core/text.ts";
import { commandsOf } from "../proposal/evidence.ts";
import { Html, html } from "./html.ts";
import { renderMarkdown } from "./markdown.ts";
import type { ReportProposal } from "./report-data.ts";
import type { Stage } from "./view.ts";

/** The links to the turns of a command, null for one that no row of the evidence is about. */
export type OriginOf = (command: string) => Html | null;

export function skillPart({ files }: ReportProposal, origin: OriginOf, stage: Stage): Html {
  let room = stage.skill;
  const parts = files.map(({ path, text }) => {
    const shown = wholeLines(text, Math.max(0, room));
    room -= text.length;
    const left = text.length - shown.length;
    const more =
      left === 0
        ? null
        : html`<p class="quiet">${count(left, "more character")}, not shown here.</p>`;
    const body = path.endsWith(".md")
      ? markdownFile(shown, origin)
      : html`<pre tabindex="0">${shown}</pre>`;
    return html`<div class="file"><h4 class="path">${path}</h4>${body}${more}</div>`;
  });
  return html`${parts}`;
}

function wholeLines(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, text.lastIndexOf("\n", most) + 1);
}

function markdownFile(text: string, origin: OriginOf): Html {
  const [, frontmatter = "", body = text] = /^---\n([\s\S]*?\n)---\n([\s\S]*)$/.exec(text) ?? [];
  const front =
    frontmatter === ""
      ? null
      : html`<details class="front"><summary>${descriptionIn(frontmatter)}</summary><pre tabindex="0">${frontmatter}</pre></details>`;
  return html`${front}<div class="skill">${withOrigins(renderMarkdown(body, 5), origin)}</div>`;
}

function descriptionIn(frontmatter: string): string {
  const description = /^description:\s*(.+)$/m.exec(frontmatter)?.[1] ?? "";
  return description === ""
    ? "Frontmatter"
    : description.replace(/^(['"])(.*)\1$/, "$2").replaceAll("''", "'");
}

/**
 * Puts the turns behind each code span and code block that holds a command. What a `<code>` of the
 * renderer holds is escaped text: its entities are resolved to look the command up, and nothing of it is written again.
 */
function withOrigins(rendered: Html, origin: OriginOf): Html {
  const text = rendered.text.replace(
    /(<pre[^>]*>)?<code>([^<]*)<\/code>(<\/pre>)?/g,
    (whole, _pre: string | undefined, code: string, isBlock: string | undefined) => {
      const plain = unescaped(code);
      if (isBlock === undefined) return whole + (origin(plain.trim())?.text ?? "");
      const seen = commandsOf(`\`\`\`\`\`\`\`\`sh\n${plain}\n\`\`\`\`\`\`\`\``).flatMap(
        ({ command }) => {
          const turns = origin(command);
          return turns === null ? [] : [html`<li><code>${command}</code> ${turns}</li>`];
        },
      );
      return whole + (seen.length === 0 ? "" : html`<ul class="origins">${seen}</ul>`.text);
    },
  );
  return new Html(text);
}

function unescaped(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
