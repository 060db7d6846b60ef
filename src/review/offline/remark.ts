/**
 * What the agent said about a cause or a fix. Such a sentence is often the lesson itself; most
 * others are small talk, so there are bars. What passes is foreign text: it is shown as a quotation,
 * and only what addresses nobody and holds no command comes into a title or a description.
 */
import { OFFLINE_REMARK_MAX_CHARS, OFFLINE_REMARK_MIN_CHARS } from "../../core/limits.ts";
import type { Session, Turn } from "../../transcript/session.ts";

const SMALL_TALK =
  /^(?:(?:now|let(?:'|’)?s|let (?:me|us)|i|we|great|perfect|good|nice|ok|okay|sure|done|next|first|then|finally|all|run|rerun|re-run|check|try|look|read|open|search|see|verify|confirm|find|inspect|view|start|continue|green|red|still|alright|excellent)(?![\w-])|the tests? (?:now )?(?:pass|fail|succeed))/i;
/** Not quoted anywhere: addresses, markup, mentions, credentials, what tries to steer a reader. */
const SUSPECT =
  /https?:|www\.|[<>{}$|]|(?:^|\s)[@#]\w|\[redacted|\b(?:ignore|disregard|instructions?|system prompt|password|token|secret|api key|curl|sudo|rm -)\b/i;
/** Said to an agent or about what it is to do: no finding, and quoted nowhere. */
const ADDRESSED =
  /\b(?:assistants?|agents?|chatbots?|llms?|reviewers?|subagents?)\b|\bimportant\b|\b(?:always|never|must|should|shall) (?:(?:always|never|first|also|now) )*(?:call|run|use|execute|deploy|install|push|commit|merge|approve|send|download|upload)\b/i;
/** Said to a reader, or to an agent: a description stands in every prompt, so none of it comes there. */
const DIRECTED =
  /\b(?:always|never|must|mustn['’]t|you|your|yours|yourself|should|shall|please|forget|obey|remember|make sure|ensure|assistants?|agents?|models?|tools?|systems?|important|reviewers?|humans?|users?|prompts?|approve|merge|trust|bypass|disable|override|execute|eval|download|upload|install|run)\b/i;
const COMMAND =
  /(?:^|\s)--?\w|(?:^|\s)(?:npm|npx|pnpm|yarn|bun|pip3?|git|docker|kubectl|wget|bash|sh|zsh|ssh|scp|chmod|chown|cargo|rm)\s+\S|\bgo (?:test|run|build|get|vet)\b|(?:^|\s)(?:node|python3?|ruby|perl)\s+\S+\.\w+|(?:^|\s)\.{0,2}\/\S+\.sh\b/i;
/** Who isn't sure hasn't said what the fix was. */
const HEDGED =
  /\b(?:maybe|perhaps|probably|possibly|might|seems?|guess|think|hopefully|for now|temporar\w+)\b|\?/i;
/** `Now let me …`, `I'll …`: what follows at a fix is what was done. */
const LEAD_IN =
  /^(?:(?:ok|okay|now|so|then|next|great|perfect|good|right|alright|instead)(?![\w-])[,.!:]?\s+)*(?:let(?:'|’)?s|let me|let us|i(?:'|’)ll|i will|i(?:'|’)m going to|i need to|i can|we need to|we can|we(?:'|’)ll)\s+(?:(?:now|just|also|instead)\s+)?/i;
/** `The fix: …`, `Fix the code: …` */
const LABEL =
  /^(?:the )?(?:(?:right|real|actual|proper|correct) )?(?:fix|solution|root cause|cause|problem|issue|bug|reason|answer)(?: (?:it|this|that|here|is|the \w+)){0,2}\s*:\s*(?=\S)/i;
/** A sentence of nothing but these says that something is fixed, not how. */
const SAYS_NOTHING = new Set(
  "a an the this that it its them all in on to of for and with so now again here is are be was should will can could would fix fixes fixed fixing change changes changed update updated edit apply make do does done work works correct correctly properly proper right code file files test tests check checks function method implementation issue problem bug error errors failing failure handle pass passes passing".split(
    " ",
  ),
);

interface Sentence {
  readonly text: string;
  /** It stands at the beginning of a line: one that begins small there is no fragment. */
  readonly isFirst: boolean;
}

function sentences(text: string): Sentence[] {
  return text
    .replaceAll("`", "")
    .split("\n")
    .flatMap((line) =>
      line
        .split(/(?<=[.!?])\s+/)
        .map((sentence, i) => ({ text: sentence.trim(), isFirst: i === 0 })),
    );
}

function saysSomething(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words.length > 1 && words.some((word) => !SAYS_NOTHING.has(word));
}

function isQuotable(text: string): boolean {
  return (
    text.length <= OFFLINE_REMARK_MAX_CHARS &&
    !SMALL_TALK.test(text) &&
    !SUSPECT.test(text) &&
    !ADDRESSED.test(text) &&
    saysSomething(text)
  );
}

function isFinding({ text, isFirst }: Sentence): boolean {
  return (
    text.length >= OFFLINE_REMARK_MIN_CHARS &&
    text.endsWith(".") &&
    (isFirst || /^[\p{Lu}\p{Lo}]/u.test(text)) &&
    isQuotable(text)
  );
}

/** At a fix short words count too, without a full stop and behind a lead-in; headings and lists don't. */
function fixSentence({ text, isFirst }: Sentence): string[] {
  const plain = text.replace(LEAD_IN, "").replace(/:$/, ".");
  const begins = plain !== text || isFirst || /^[\p{Lu}\p{Lo}]/u.test(plain);
  return begins && /^[\p{L}\p{N}._'"(]/u.test(plain) && isQuotable(plain) ? [plain] : [];
}

export interface Remark {
  readonly text: string;
  readonly turn: string;
}

function isAgents(turn: Turn | undefined): turn is Turn {
  return turn?.role === "agent" && !turn.rewound && turn.subagent === null;
}

function findingOf(turn: Turn | undefined): Remark | null {
  const sentence = isAgents(turn) ? sentences(turn.text).find(isFinding) : undefined;
  return turn === undefined || sentence === undefined
    ? null
    : { text: sentence.text, turn: turn.id };
}

/** The first finding in the turns after `after` and before `before` (ids, both excluded); null for none. */
export function remarkBetween(session: Session, after: string, before: string): Remark | null {
  const ids = session.turns.map((turn) => turn.id);
  for (const turn of session.turns.slice(ids.indexOf(after) + 1, ids.indexOf(before))) {
    const remark = findingOf(turn);
    if (remark !== null) return remark;
  }
  return null;
}

/** The turn, and the one before it where that only says something: some formats keep the words apart. */
function wordsWith(session: Session, id: string): (Turn | undefined)[] {
  const at = session.turns.findIndex((turn) => turn.id === id);
  const previous = session.turns[at - 1];
  return [session.turns[at], previous?.toolCalls.length === 0 ? previous : undefined];
}

/** The finding said with the calls of a turn; null for none. */
export function remarkAt(session: Session, id: string): Remark | null {
  for (const turn of wordsWith(session, id)) {
    const remark = findingOf(turn);
    if (remark !== null) return remark;
  }
  return null;
}

/** What was said with a fix: the last two sentences that say something, in their order. */
export function fixRemarks(session: Session, id: string): Remark[] {
  for (const turn of wordsWith(session, id)) {
    if (!isAgents(turn)) continue;
    const said = sentences(turn.text).flatMap(fixSentence);
    if (said.length > 0) return said.slice(-2).map((text) => ({ text, turn: turn.id }));
  }
  return [];
}

/**
 * What a fix was, from the words said with it, for a title and a description.
 * @returns without a label in front and a full stop behind; null when none of it may stand there
 */
export function gistOf(remarks: readonly Remark[]): string | null {
  const gists = remarks.map(({ text }) => text.replace(LABEL, "").replace(/[\s.!:;,…]+$/, ""));
  const isFit = (text: string) =>
    saysSomething(text) && ![DIRECTED, COMMAND, HEDGED, SUSPECT].some((bar) => bar.test(text));
  return gists.findLast(isFit) ?? null;
}
