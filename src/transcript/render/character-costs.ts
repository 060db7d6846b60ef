/** What characters beyond ASCII cost in tokens, at worst: by script, since tokenizers know some better than others. */

/** Most of them: as many as their bytes. First code of each range, and the cost from there on. */
const RANGES: readonly (readonly [from: number, cost: number])[] = [
  [0x80, 1.5],
  [0x100, 2],
  [0x3b1, 1.25],
  [0x3ca, 2],
  [0x410, 1.1],
  [0x450, 2],
  [0x5d0, 1.5],
  [0x5eb, 2],
  [0x621, 1.25],
  [0x64b, 2],
  [0x800, 3],
  [0x900, 2],
  [0xb00, 3],
  [0xb80, 2],
  [0xec0, 3],
  [0xf00, 2],
  [0xf80, 3],
  [0x1000, 2],
  [0x1040, 3],
  [0x10c0, 2],
  [0x1100, 3],
  [0x1780, 2],
  [0x1800, 3],
  [0x1e80, 2],
  [0x1f00, 3],
  [0x2000, 2],
  [0x20c0, 3],
  [0x2100, 2],
  [0x21c0, 3],
  [0x2200, 2],
  [0x2280, 3],
  [0x2500, 2],
  [0x2680, 3],
  [0x2700, 2],
  [0x27c0, 3],
  [0x3000, 2],
  [0x3040, 1.7],
  [0x3100, 3],
  [0xfe00, 2],
  [0xfe40, 3],
  [0xff00, 2],
  [0xffa0, 3],
];
/** Of a pair of UTF-16 units, each: four bytes. */
const SURROGATE_COST = 2;
/** A syllable or ideograph in common use. */
const COMMON_COST = 1.6;
const BOX_DRAWING: readonly [number, number] = [0x2500, 0x25a0];
/** A line of one sign is drawn with few tokens. */
const REPEATED_COST = 0.6;

/**
 * Where the standards put the ideographs and syllables in common use, before the rare ones: the lead bytes of
 * GB 2312's first level, Big5's, JIS X 0208's, and of the syllables of KS X 1001.
 */
const COMMON_SETS: readonly (readonly [encoding: string, from: number, to: number])[] = [
  ["gbk", 0xb0, 0xd7],
  ["big5", 0xa4, 0xc6],
  ["euc-jp", 0xb0, 0xcf],
  ["euc-kr", 0xb0, 0xc8],
];
const TRAIL_BYTES = [0x40, 0xfe] as const;
const TWO_BYTES_OF_GB = 0xa1;

let costs: Float32Array | undefined;

/** @param code a UTF-16 unit beyond ASCII @param before the one before it */
export function characterCost(code: number, before: number): number {
  if (code === before && code >= BOX_DRAWING[0] && code < BOX_DRAWING[1]) return REPEATED_COST;
  costs ??= costTable();
  return costs[code] as number;
}

function costTable(): Float32Array {
  const table = new Float32Array(0x10000);
  for (const [from, cost] of RANGES) table.fill(cost, from);
  table.fill(SURROGATE_COST, 0xd800, 0xe000);
  for (const set of COMMON_SETS) {
    for (const character of commonIn(set)) {
      const code = character.charCodeAt(0);
      if (code >= 0x4e00 && code < 0xd800) table[code] = COMMON_COST;
    }
  }
  return table;
}

function commonIn([encoding, from, to]: (typeof COMMON_SETS)[number]): string {
  const least = encoding === "big5" ? TRAIL_BYTES[0] : TWO_BYTES_OF_GB;
  const bytes: number[] = [];
  for (let lead = from; lead <= to; lead += 1)
    for (let trail = least; trail <= TRAIL_BYTES[1]; trail += 1) bytes.push(lead, trail);
  return new TextDecoder(encoding).decode(Uint8Array.from(bytes));
}
