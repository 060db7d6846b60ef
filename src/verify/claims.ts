/**
 * What a skill names that can be looked up in a session: addresses, packages and commands. Only what
 * is plainly one of these is taken; names that documentation uses for examples are passed over.
 */
import { CLAIMS_PER_FILE_MAX } from "../core/limits.ts";
import { type CodePiece, codePieces } from "./content/code-pieces.ts";
import type { ContentDocument, Passage } from "./content/content-document.ts";

export type ClaimKind = "url" | "package" | "command";

export interface Claim {
  readonly kind: ClaimKind;
  /** As it is looked up: lower case, an address without its scheme and its last slash. */
  readonly token: string;
  /** Place in the file, the end exclusive. */
  readonly start: number;
  readonly end: number;
}

/** Each claim of a file once, in order, at most CLAIMS_PER_FILE_MAX. */
export function claimsOf(document: ContentDocument): Claim[] {
  const claims = new Map<string, Claim>();
  for (const passage of document.passages) {
    if (passage.block.kind === "comment" || passage.block.isQuoted) continue;
    for (const claim of [...addresses(passage), ...ofCode(passage)]) {
      const key = `${claim.kind} ${claim.token}`;
      if (!claims.has(key) && claims.size < CLAIMS_PER_FILE_MAX) claims.set(key, claim);
    }
  }
  return [...claims.values()].sort((a, b) => a.start - b.start);
}

/** The claims of some texts that a session has, as VerifyInput takes them. */
export function groundedTokens(
  claims: readonly Pick<Claim, "token">[],
  texts: Iterable<string>,
): Set<string> {
  const missing = new Set(claims.map(({ token }) => token));
  const found = new Set<string>();
  for (const text of texts) {
    if (missing.size === 0) break;
    const lower = text.toLowerCase();
    for (const token of missing) {
      if (!stands(lower, token)) continue;
      missing.delete(token);
      found.add(token);
    }
  }
  return found;
}

/** Whether a token stands in a text as a word of its own. */
function stands(text: string, token: string): boolean {
  for (let at = text.indexOf(token); at >= 0; at = text.indexOf(token, at + 1)) {
    const around = text.charAt(at - 1) + text.charAt(at + token.length);
    if (!/[\w]/.test(around)) return true;
  }
  return false;
}

const ADDRESS = /\b(?:https?|wss?|ftp|ssh|git):\/\/([^\s<>"'`|\\^{}[\]()]{3,400})/g;
const HOST =
  /(?<![\w@/.:-])((?:[a-z0-9][a-z0-9-]{0,62}\.){1,5}(?:com|org|net|io|dev|app|cloud|ai|xyz|info))(?![\w.-]*\w)/g;
/** Hosts that belong to nobody, this machine's, and places that a reader fills in. */
const NOBODYS =
  /^(?:[^/]*@)?(?:localhost|127\.|0\.0\.0\.0|\[?::1|10\.|192\.168\.|169\.254\.|(?:[\w-]+\.)*(?:example|test|invalid|localhost|local|internal)(?:\.(?:com|org|net|edu))?(?:[/:]|$)|\$|your|my-|host|server|<)/;

function* addresses(passage: Passage): Generator<Claim> {
  const { normal } = passage;
  for (const pattern of [ADDRESS, HOST]) {
    for (const match of normal.lower.matchAll(pattern)) {
      const token = (match[1] ?? "").replace(/[.,;:!?*_~]+$/, "").replace(/\/+$/, "");
      if (token === "" || NOBODYS.test(token) || /[$<]/.test(token)) continue;
      const isInAddress = pattern === HOST && /[/@]$/.test(normal.lower.slice(0, match.index));
      if (isInAddress) continue;
      const start = passage.toFile(match.index);
      const end = passage.toFile(
        match.index + match[0].length - (match[1]?.length ?? 0) + token.length,
      );
      yield { kind: "url", token, start, end };
    }
  }
}

/** How package managers are called; behind it stand names. */
const INSTALL =
  /^(?:npm|pnpm|yarn|bun)(?: -\S+)* (?:i|install|add|exec|dlx|x)(?= )|^(?:npx|bunx|pipx run|uvx)(?= )|^(?:python3? -m )?pip3? install(?= )|^(?:uv(?: pip| tool)?|pipx|poetry|cargo|gem|brew|conda|go|composer|apt|apt-get|apk|dnf|yum) (?:install|add|get|require)(?= )|^dotnet add package(?= )/;
const RUNS_ONE = /^(?:npx|bunx|pipx run|uvx|(?:pnpm|yarn|bun) (?:dlx|x))$|^npm (?:exec|x)$/;
const PACKAGE =
  /^@?[a-z][\w.-]*(?:\/[\w.-]+)*(?:\[[\w,-]*\])?(?:@[\w.^~*-]+|[=<>~!]=?=?[\w.,<>=*-]+)?$/;

function* ofCode(passage: Passage): Generator<Claim> {
  for (const piece of codePieces(passage)) {
    yield* packagesIn(piece);
    if (piece.isShell) yield* commandIn(piece);
  }
}

function* packagesIn({ text, start }: CodePiece): Generator<Claim> {
  const head = INSTALL.exec(text)?.[0];
  if (head === undefined) return;
  let at = head.length;
  for (const word of text.slice(head.length).split(" ")) {
    const from = at;
    at += word.length + 1;
    const isName = PACKAGE.test(word) && !/^(?:true|false|latest)$/.test(word);
    if (word === "" || word.startsWith("-")) continue;
    if (isName) {
      const token = nameOf(word);
      yield { kind: "package", token, start: start + from, end: start + from + word.length };
    }
    // What follows are the arguments of the one that is run.
    if (RUNS_ONE.test(head)) return;
  }
}

function nameOf(word: string): string {
  const bare = word.toLowerCase().replace(/(?<!^)@.*$/, "");
  return bare.replace(/(?:\[|[=<>~!]).*$/, "");
}

/** What a shell or every project has: nobody must have seen it. */
const EVERYDAY =
  /^(?:cd|ls|cat|echo|grep|head|tail|pwd|true|false|exit|export|source|mkdir|test|printf|set|unset|if|then|else|fi|for|while|do|done|case|esac|function|return|read|sleep|which|touch|cp|mv|sort|wc|diff|time|env|\.)$/;
const PROGRAM = /^[a-z][\w.+-]*$/;
const SUBCOMMAND = /^[a-z][\w:-]*$/;

function* commandIn({ text, start }: CodePiece): Generator<Claim> {
  const [program = "", second = ""] = text.split(" ");
  if (!PROGRAM.test(program) || EVERYDAY.test(program)) return;
  const name = SUBCOMMAND.test(second) ? `${program} ${second}` : program;
  yield { kind: "command", token: name, start, end: start + name.length };
}
