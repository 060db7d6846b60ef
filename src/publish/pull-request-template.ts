/**
 * The template of a pull request's body: logic-less (mustache), in one file, with known fields
 * only. A repository may bring its own, so it is checked before it is used: whatever is wrong with
 * it is said with its line, and nothing of it is guessed.
 */
import mustache from "mustache";
import { SkillprError } from "../core/errors.ts";
import * as limits from "../core/limits.ts";
import { safeLine } from "../core/text.ts";

/** Field → Markdown that is safe wherever a field stands; the empty string for what there is none of. */
export type TemplateFields = Readonly<Record<string, string>>;

/** Of mustache's tokens: type, value, start, end; a section has what stands in it and where that ends. */
type Token = readonly [string, string, number, number, Token[]?, number?];

/**
 * Fills a template.
 * @param what how the template is named in errors (its path)
 * @param fields every field that a template may name; a section `{{#field}}…{{/field}}` stands
 *   where the field isn't empty, `{{^field}}…{{/field}}` where it is
 * @throws SkillprError `config` naming the template and the line
 */
export function renderTemplate(template: string, what: string, fields: TemplateFields): string {
  if (template.length > limits.PULL_REQUEST_TEMPLATE_MAX_CHARS)
    throw refusal(what, `is longer than ${limits.PULL_REQUEST_TEMPLATE_MAX_CHARS} characters`);
  // LF throughout: a body in two styles of line ends would differ from itself after an edit.
  const text = template.replace(/\r\n?/g, "\n").replace(/^\ufeff/, "");
  if (/<!--\s*skillpr/i.test(text))
    throw refusal(what, "holds a `<!-- skillpr…` comment; skillpr puts its own around the text");
  const tokens = parse(text, what);
  let tags = 0;
  for (const token of tagsOf(tokens)) {
    tags += 1;
    check(token, fields, `${what}, line ${text.slice(0, token[2]).split("\n").length}:`);
  }
  if (tags > limits.PULL_REQUEST_TEMPLATE_MAX_TAGS)
    throw refusal(what, `has more than ${limits.PULL_REQUEST_TEMPLATE_MAX_TAGS} tags`);
  // The fields are Markdown already: escaped as HTML they would be read as entities.
  const filled = mustache.render(text, { ...fields }, {}, { escape: String });
  return filled.replace(/\n{3,}/g, "\n\n").trim();
}

function parse(text: string, what: string): Token[] {
  try {
    return mustache.parse(text) as Token[];
  } catch (error) {
    // The library throws plain errors with an offset: `Unclosed tag at 12`.
    const message = error instanceof Error ? error.message : "";
    const [, said = message, offset] = /^(.*) at (\d+)$/s.exec(message) ?? [];
    const line = offset === undefined ? "" : text.slice(0, Number(offset)).split("\n").length;
    throw refusal(`${what}, line ${line}:`, `is no template (${safeLine(said)})`, error);
  }
}

function* tagsOf(tokens: readonly Token[]): Generator<Token> {
  for (const token of tokens) {
    if (token[0] === "text") continue;
    yield token;
    if (token[4] !== undefined) yield* tagsOf(token[4]);
  }
}

function check([type, name]: Token, fields: TemplateFields, where: string): void {
  if (type === "!") return;
  if (type === ">")
    throw refusal(where, `\`{{> ${safeLine(name)}}}\`: other files can't be included`);
  if (type === "=") throw refusal(where, "the marks `{{` and `}}` can't be changed");
  if (!Object.hasOwn(fields, name)) throw refusal(where, `there is no field \`${safeLine(name)}\``);
}

function refusal(where: string, problem: string, cause?: unknown): SkillprError {
  return new SkillprError(
    "config",
    `the template of pull requests can't be used: ${safeLine(where)} ${problem}`,
    "correct it (docs/pull-requests.md lists the fields), or remove it to use skillpr's own",
    cause === undefined ? undefined : { cause },
  );
}
