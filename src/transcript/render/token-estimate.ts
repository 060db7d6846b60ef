/**
 * How many tokens a text is at most. No tokenizer is loaded for it: the model is not known, and any
 * one would cost more time than the whole rendering. A character costs what two tokenizers needed for it at worst
 * where it stands: ordinary words cost least; letters that no word has side by side, signs among signs, digits and
 * the characters of scripts that tokenizers hardly know cost up to a token for each byte.
 */
import { TOKEN_COSTS as COSTS } from "../../core/limits.ts";
import { characterCost } from "./character-costs.ts";

const [OTHER, LETTER, DIGIT, SIGN, BLANK, BREAK] = [0, 1, 2, 3, 4, 5] as const;
const CLASSES = 6;
const ASCII = 128;
/** A line break: what a text begins behind. */
const START = 0x0a;

/** Pairs of letters that words have: of English, of names in code. */
const FREQUENT = new Set(
  (
    "th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne " +
    "ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo wa " +
    "ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ld ry mp " +
    "fe bl ab gh ty op wo sa ay ex ke fr oo av ag if ap gr od bo sp rd do uc bu ei ov by rm ep tt oc fa ef cu rn sc gi da " +
    "yo cr cl du ga qu ue ff ba ey ls va um pp ua up lu go ht ru ug ds lt pi rc rr eg au ck ew mu br bi pt ak pu ui rg ib " +
    "tl ny ki rk ys ob mm fu ph og ms ye ud mb ip ub oi rl gu dr hr cc tw ft wn nu af hu nn eo vo rv nf xp gn sm fl iz ok " +
    "nl my gl aw ju oa eq sy sl ps jo lf nv je nk kn gs dy hy ze ks xt bs ik dd pt rp xi"
  ).split(" "),
);
/** Signs that stand side by side in code and JSON as often as letters do. */
const FREQUENT_SIGNS = new Set(
  '": ", {" "} [" "] }, ], }} :" ," () ); (" ") (\' \') \', ": -- == // ** :: => -> += != && || </ /> ./ {} [] )) }) ({ \\" #!'.split(
    " ",
  ),
);

const CLASS = new Uint8Array(ASCII).map((_, code) => classOf(code));

function classOf(code: number): number {
  const isLetter = (code | 32) >= 0x61 && (code | 32) <= 0x7a;
  if (isLetter) return LETTER;
  if (code >= 0x30 && code <= 0x39) return DIGIT;
  if (code === 0x20 || code === 0x09) return BLANK;
  if (code === 0x0a || code === 0x0d) return BREAK;
  return code > 0x20 && code < 0x7f ? SIGN : OTHER;
}

/**
 * What a character costs behind another and the class of the one before that, all of ASCII. Of the 98,304, a session holds
 * a few thousand: each is worked out when it is first met.
 */
const costs = new Float64Array(CLASSES * ASCII * ASCII).fill(Number.NaN);

function newCost(first: number, before: number, code: number): number {
  const cost = pairCost(before, code) + contextCost(first, before, code);
  costs[placeOf(first, before, code)] = cost;
  return cost;
}

function placeOf(first: number, before: number, code: number): number {
  return (first << 14) | (before << 7) | code;
}

function pairCost(before: number, code: number): number {
  const previous = CLASS[before];
  switch (CLASS[code]) {
    case LETTER:
      return letterCost(before, code);
    case DIGIT:
      return previous === SIGN ? 1 + COSTS.digitOfSign : 1;
    case SIGN:
      if (previous === SIGN) return isFrequentSign(before, code) ? COSTS.joined : COSTS.sign;
      return previous === BLANK ? 1 : COSTS.joined;
    case BLANK:
      // It is the word's that follows; a sign before it is a token then.
      return previous === LETTER || previous === BREAK ? COSTS.joined : 1;
    case BREAK:
      return previous === SIGN ? COSTS.start : 1;
    default:
      return 1;
  }
}

function letterCost(before: number, code: number): number {
  const previous = CLASS[before];
  if (previous !== LETTER) return previous === SIGN || previous === BLANK ? COSTS.start : 1;
  const isFrequent = isFrequentPair(before, code);
  if (isLower(code)) return isFrequent ? COSTS.letter : COSTS.rareLetter;
  return isFrequent && !isLower(before) ? COSTS.start : COSTS.upper;
}

/** What the character before the last two changes: what a pair is too short to tell. */
function contextCost(first: number, before: number, code: number): number {
  const [second, own] = [CLASS[before], CLASS[code]];
  if (own === LETTER) return letterContextCost(first, before, code);
  // The blank between two signs is the second one's.
  if (own === SIGN && second === BLANK) return first === SIGN ? -COSTS.joined : 0;
  // A digit alone: what stands before it is a token, too.
  if (second === DIGIT) return first !== DIGIT && own !== DIGIT ? COSTS.start : 0;
  // Blanks in a row are one token.
  const isRepeated = own === BLANK && before === code && first === BLANK;
  return isRepeated ? COSTS.repeatedBlank - 1 : 0;
}

function letterContextCost(first: number, before: number, code: number): number {
  const second = CLASS[before];
  // A word has the blank or the sign before it for nothing, unless it is one letter.
  const isWord = second === LETTER && isLower(code) && isFrequentPair(before, code);
  if (isWord && first !== LETTER) return COSTS.secondLetter;
  // A second sign takes the first to itself, and the word behind them is a token of its own.
  return second === SIGN && first === SIGN ? COSTS.joined : 0;
}

function isLower(code: number): boolean {
  return code >= 0x61;
}

function isFrequentPair(before: number, code: number): boolean {
  return FREQUENT.has(String.fromCharCode(before | 32, code | 32));
}

function isFrequentSign(before: number, code: number): boolean {
  return before === code || FREQUENT_SIGNS.has(String.fromCharCode(before, code));
}

/** The same, not rounded: those of the parts of a text add up to that of the text, or to a little more. */
export function tokenWeight(text: string): number {
  let tokens = 0;
  let first: number = BREAK;
  let before = START;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < ASCII) {
      const known = costs[placeOf(first, before, code)] as number;
      tokens += Number.isNaN(known) ? newCost(first, before, code) : known;
      first = CLASS[before] as number;
      before = code;
    } else {
      tokens += characterCost(code, text.charCodeAt(at - 1));
      // Nothing counts on being joined to it.
      first = BREAK;
      before = START;
    }
  }
  return tokens;
}

export function tokensAtMost(text: string): number {
  return Math.ceil(tokenWeight(text));
}
