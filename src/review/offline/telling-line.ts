/**
 * The one line of a failed check's output that tells a reader most. Pure.
 *
 * Runners print the useful line among others that say only that something failed. The rules, the
 * most telling first; each is tried on the part about the failing item, then on the whole output:
 *
 * 1. pytest marks what was wrong with `E`: its first such line, with the second where the first is bare.
 * 2. Two values on lines of their own (`expected:`/`actual:`, `Expected:`/`Received:`, `left:`/`right:`,
 *    `want:`/`got:`) are the failure; both are given.
 * 3. A line that ends in a colon only announces (`Expected values to be strictly equal:`, `panicked at
 *    src/lib.rs:10:9:`): the line behind it counts, or the first `+` and `-` line behind a legend.
 * 4. A named error, an error with a code, a compiler's or a tool's `error:`; then a line that begins
 *    with a place (`counter_test.go:18: got 1, want 2`).
 * 5. Last, and on the whole output only, any line that speaks of an error.
 *
 * Lines that wrap another program's failure (docker's `did not complete successfully`, make's `***`,
 * npm's `code ELIFECYCLE`, cargo's `could not compile`, `exit status 1`) count only when nothing else is there.
 */

/** Lines of a diff's legend to what they call their side. */
const LEGENDS = [
  { legend: /^\s*\+ actual - expected\b/, plus: "actual", minus: "expected" },
  { legend: /^\s*- Expected\b.*$/, plus: "received", minus: "expected" },
] as const;
/** How far behind an announcement or a first value the rest stands. */
const REACH = 6;

const WRAPPERS =
  /did not complete successfully|\bexit (?:code|status):? \d+\s*$|^\s*g?make(?:\[\d+\])?: \*\*\*|^\s*(?:npm|pnpm|yarn) (?:ERR!|error) (?:code|errno|syscall|path|command|signal|location|workspace|Lifecycle|A complete log|Exit status|Test failed)\b|\bELIFECYCLE\b|^\s*error: (?:could not compile|aborting due to|test failed, to rerun|\d+ targets? failed)|\bCommand failed\b|^\s*FAIL(?:ED)?\b[^:]*$|\bfailed to solve\b|^[#=\s]*\b\d+ (?:failed|failing|errors?)\b|\bfor more information about this error\b/i;
/** A place with the bare name of an error behind it. */
const BARE = /^\S+:\d+:(?:\d+:)?\s*[A-Za-z.]*(?:Error|Exception)\s*$/;
/** What an announcement says before its colon; two words in this order, or one. */
const ANNOUNCES: readonly (readonly [RegExp, RegExp | null])[] = [
  [/\bto (?:not )?be\b/, /\b(?:equal|deep-equal|same structure|match)\b/],
  [/\bfalsy value:$/, null],
  [/\bstrictly unequal\b/, null],
  [/\bdid not match\b/, null],
];

function announces(line: string): boolean {
  const text = line.trimEnd();
  if (!text.endsWith(":")) return false;
  const panic = text.lastIndexOf("panicked at ");
  if (panic !== -1 && !text.includes("'", panic)) return true;
  return ANNOUNCES.some(([first, then]) => {
    const found = first.exec(text);
    return found !== null && (then === null || then.test(text.slice(found.index)));
  });
}

const NAMED: readonly RegExp[] = [
  /^\s*error: ["'`].*\S/,
  /\berror(?:\s*\[?[A-Z]+\d+\]?)\s*:.*\S/,
  /^\s*(?:Uncaught\s+)?(?:[A-Za-z_.]*\.)?[A-Z]\w*(?:Error|Exception|Failure)\b(?:\s*\[\w+\])?\s*[:(].*\S/,
  /^FAILED \S+ - (.*\S)/,
  /^\s*(?:panic|fatal|thread '.*' panicked)\b.*\S/,
  /^\S+:\d+(?::\d+)?:?\s+(?:fatal )?error:.*\S/,
  /^\s*\d+:\d+\s+error\s+\S.*/,
  /^\s*(?:expected|actual|received|want|got)\b.*\S/i,
];
const PLACED = /^\s*[\w./-]+:\d+(?::\d+)?:?\s.*\S/;
const TOOL_ERROR = /^\s*(?:[\w.-]+:? )?(?:error|ERR!|fatal)(?::|\s)\s*\S.*/i;
const ANY_ERROR = /^.*\b(?:error|ERR!|failed|cannot|could not|unable to)\b.*\S/i;

type Lines = readonly string[];

function firstOf(lines: Lines, pattern: RegExp): string | null {
  for (const line of lines) {
    const match = pattern.exec(line);
    if (match !== null && !line.trimEnd().endsWith(":")) return (match[1] ?? match[0]).trim();
  }
  return null;
}

function markedByPytest(lines: Lines): string | null {
  const marked = lines.flatMap((line) => /^E\s{2,}(\S.*)$/.exec(line)?.[1]?.trim() ?? []);
  const [first, second] = marked;
  if (first === undefined) return null;
  const isBare = /^(?:AssertionError:?|assert (?:False|None|not True))$/.test(first);
  return isBare && second !== undefined ? `${first} ${second.replace(/^\+\s+/, "")}` : first;
}

/** `expected: …, actual: …` of values on lines of their own; a YAML block (`|-`) is no value. */
function twoValues(lines: Lines): string | null {
  const isValue = (line: string, side: string) =>
    new RegExp(`^\\s*(?:${side})\\s*:\\s+(?![|>]-?\\s*$)\\S`, "i").test(line);
  const sides = [
    ["expected(?: [\\w ]+)?", "(?:actual|received|got)(?: [\\w ]+)?"],
    ["left", "right"],
    ["want", "got"],
  ] as const;
  for (const [one, other] of sides) {
    for (const [i, line] of lines.entries()) {
      const isOne = isValue(line, one);
      if (!isOne && !isValue(line, other)) continue;
      const near = lines.slice(i + 1, i + 1 + REACH);
      const partner = near.find((each) => isValue(each, isOne ? other : one));
      const pair = isOne ? [line, partner] : [partner, line];
      if (partner !== undefined)
        return pair.map((each) => each?.trim().replace(/,$/, "")).join(", ");
    }
  }
  return null;
}

/** The first removed and the first added line behind the legend of a diff. */
function legendPair(lines: Lines): string | null {
  for (const { legend, plus, minus } of LEGENDS) {
    const at = lines.findIndex((line) => legend.test(line));
    if (at < 0) continue;
    const behind = lines.slice(at + 1).filter((line) => !/^\s*\+ Received\b/.test(line));
    const added = behind.find((line) => /^\s*\+\s*\S/.test(line));
    const removed = behind.find((line) => /^\s*-\s*\S/.test(line));
    if (added === undefined || removed === undefined) continue;
    const value = (line: string) => line.replace(/^\s*[-+]\s*|,?\s*$/g, "");
    return `${minus}: ${value(removed)}, ${plus}: ${value(added)}`;
  }
  return null;
}

function announced(lines: Lines): string | null {
  const at = lines.findIndex(announces);
  if (at < 0) return null;
  const behind = lines.slice(at + 1, at + 1 + REACH);
  if (behind.some((line) => LEGENDS[0].legend.test(line))) {
    const pair = legendPair(behind);
    if (pair !== null) return pair;
  }
  return behind.find((line) => /[\p{L}\p{N}]/u.test(line))?.trim() ?? null;
}

function named(lines: Lines): string | null {
  for (const pattern of NAMED) {
    const line = firstOf(lines, pattern);
    if (line !== null) return line;
  }
  return null;
}

const RULES: readonly ((lines: Lines) => string | null)[] = [
  markedByPytest,
  twoValues,
  announced,
  named,
  legendPair,
  (lines) => firstOf(lines, TOOL_ERROR),
  (lines) => firstOf(lines, PLACED),
];

function byRules(lines: Lines, rules: typeof RULES): string | null {
  for (const rule of rules) {
    const line = rule(lines);
    if (line !== null) return line;
  }
  return null;
}

/**
 * @param lines of the output, empty ones left out, none much longer than what is quoted of it
 * @param part the lines about the failing item; empty when the output doesn't set them apart
 * @returns trimmed; null when no line speaks of an error
 */
export function tellingLine(lines: Lines, part: Lines): string | null {
  const own = (of: Lines) => of.filter((line) => !WRAPPERS.test(line) && !BARE.test(line.trim()));
  const all = [...RULES, (of: Lines) => firstOf(of, ANY_ERROR)];
  return byRules(own(part), RULES) ?? byRules(own(lines), all) ?? byRules(lines, all);
}
