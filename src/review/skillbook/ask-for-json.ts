/** One question to a model whose answer is a JSON object: checked, and asked for once more when it is wrong. */
import { SkillprError } from "../../core/errors.ts";
import { QUOTE_MAX_CHARS, ROLE_ANSWERS_MAX } from "../../core/limits.ts";
import { cut, safeLine } from "../../core/text.ts";
import { type ChatMessage, NO_WORDS } from "../chat-message.ts";
import type { ModelAnswer, ModelClient } from "../model.ts";
import type { ReviewTexts } from "../review-texts.ts";
import { SentCounter, type SentParts } from "../sent-parts.ts";
import { NOTHING_SPENT, type Spent, spentWith } from "../spent.ts";
import type { Checked } from "./reflection.ts";

export interface Question<T> {
  readonly model: ModelClient;
  /** Who is asked, for messages: `Reflector`. */
  readonly role: string;
  readonly system: string;
  readonly task: string;
  readonly texts: ReviewTexts;
  /** Replaces secrets in everything that the model says, before anybody looks at it. */
  readonly redact: (text: string) => Promise<string>;
  readonly check: (value: unknown) => Checked<T>;
  readonly signal: AbortSignal;
}

export interface Asked<T> extends Spent {
  readonly value: T;
  readonly parts: SentParts;
}

/** @throws SkillprError `model` when the second answer is wrong too, or there is none */
export async function askForJson<T>(question: Question<T>): Promise<Asked<T>> {
  const { model, redact, texts, signal } = question;
  const messages: ChatMessage[] = [
    { role: "system", content: question.system },
    { role: "user", content: question.task },
  ];
  const sent = new SentCounter([], messages.length);
  let used = NOTHING_SPENT;
  for (;;) {
    sent.count(messages);
    const answer = await model.complete({ messages, tools: [], signal });
    used = spentWith(used, answer);
    if (answer.refusal !== null) throw failure(question, `refused: ${answer.refusal}`);
    const said = await redact(answer.text);
    const checked = await checkAnswer(question, answer);
    if (checked.ok) return { ...used, parts: sent.parts, value: checked.value };
    if (used.turns === ROLE_ANSWERS_MAX)
      throw failure(question, `gave no usable answer, twice: ${checked.problems[0] ?? ""}`);
    const problems = checked.problems.map((problem) => `- ${problem}`).join("\n");
    messages.push(
      { role: "assistant", content: said === "" ? NO_WORDS : said },
      { role: "user", content: texts("repair", { problems }) },
    );
  }
}

async function checkAnswer<T>(
  { check, redact }: Question<T>,
  { text, isCut }: ModelAnswer,
): Promise<Checked<T>> {
  if (isCut) return { ok: false, problems: ["it was cut off by the output limit: be shorter"] };
  const json = jsonIn(text);
  if (json === undefined) return { ok: false, problems: ["it is not one JSON object"] };
  return check(await withStrings(json, redact));
}

/** The object of an answer, also where a model puts it into a fence or words around it. */
function jsonIn(text: string): unknown {
  const fenced = /```(?:json)?[ \t]*\n([\s\S]*?)\n[ \t]*```/.exec(text)?.[1];
  const braces = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  for (const candidate of [text, fenced ?? "", braces]) {
    try {
      return JSON.parse(candidate);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return undefined;
}

/** The value with every string replaced. */
async function withStrings(
  value: unknown,
  replace: (text: string) => Promise<string>,
): Promise<unknown> {
  if (typeof value === "string") return replace(value);
  if (Array.isArray(value)) return Promise.all(value.map((each) => withStrings(each, replace)));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(
    async ([key, each]) => [key, await withStrings(each, replace)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

function failure<T>({ role, model }: Question<T>, what: string): SkillprError {
  return new SkillprError(
    "model",
    `the ${role} (${safeLine(model.name)}) ${cut(safeLine(what), 2 * QUOTE_MAX_CHARS)}`,
    "try another model with OPENAI_MODEL or --model; --model-log DIR shows what it said",
  );
}
