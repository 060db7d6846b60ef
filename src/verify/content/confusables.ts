/**
 * Letters of other scripts that look like an ASCII letter: the part of Unicode's confusables
 * (UTS #39) that keyboards and fonts have. Compatibility forms (fullwidth, mathematical) are not
 * here: NFKD turns them into ASCII.
 */
const PAIRS: readonly (readonly [ascii: string, lookalikes: string])[] = [
  ["a", "аАΑαɑᴀᎪꭺ"],
  ["b", "ВвЬΒƄʙᏏꮟᏴ"],
  ["c", "сСϲϹᴄᏟꮯ"],
  ["d", "ԁԀɗᴅᎠꭰᏧꮷ"],
  ["e", "еЕΕєҽᴇᎬꭼ"],
  ["f", "ϜƒҒꜰ"],
  ["g", "ɡԌցɢᏀꮐ"],
  ["h", "НнһΗҺհʜᎻꮋᏂꮒ"],
  ["i", "іІΙιıӀɩɪᎥꭵ"],
  ["j", "јЈϳᴊᎫꭻ"],
  ["k", "КкΚκᴋᏦꮶ"],
  ["l", "ӏⅼǀʟᏞꮮ"],
  ["m", "МмΜϺᴍᎷꮇ"],
  ["n", "ΝոռՌɴ"],
  ["o", "оОΟοσօՕഠᴏ"],
  ["p", "рРΡρᴘᏢꮲ"],
  ["q", "ԛԚգꞯ"],
  ["r", "гᴦʀᎡꭱᏒꮢ"],
  ["s", "ѕЅՏꜱᏕꮥᏚꮪ"],
  ["t", "ТтΤτᴛᎢꭲ"],
  ["u", "υսՍᴜ"],
  ["v", "ѵѴνᴠᏙꮩ"],
  ["w", "ԝԜѡᴡᎳꮃᏔꮤ"],
  ["x", "хХΧχ"],
  ["y", "уУҮүγΥʏᎩꭹ"],
  ["z", "ΖᴢƵᏃꮓ"],
  ["-", "‐‑‒–—−"],
  ["'", "‘’ʼ′"],
  ['"', "“”″"],
];

/** Look-alike → ASCII, in lower case. */
export const CONFUSABLES: ReadonlyMap<string, string> = new Map(
  PAIRS.flatMap(([ascii, lookalikes]) => [...lookalikes].map((each) => [each, ascii] as const)),
);

/** Whether a letter looks like an ASCII letter and is none. */
export function looksLatin(letter: string): boolean {
  return /[a-z]/.test(CONFUSABLES.get(letter) ?? "");
}

const LETTERS = PAIRS.filter(([ascii]) => /[a-z]/.test(ascii)).map(([, lookalikes]) => lookalikes);
/** Circled, fullwidth, mathematical, raised and lowered letters and digits are compatibility forms. */
const LOOKALIKE = new RegExp(
  `[${LETTERS.join("")}\\u2070-\\u209c\\u2460-\\u24ff\\uff10-\\uff5a\\u{1d400}-\\u{1d7ff}\\u{1f110}-\\u{1f189}]`,
  "u",
);

/** Whether a text holds a letter or digit that is levelled to one of ASCII. */
export function hasLookalike(text: string): boolean {
  return LOOKALIKE.test(text);
}
