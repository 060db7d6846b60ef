/** Texts of many scripts and kinds, the same each time: what a token estimate is measured with. */

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGITS = "0123456789";
const SIGNS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
/** Characters of each text that is drawn. */
const DRAWN = 2000;

/** Blocks of Unicode, first and last code. */
const BLOCKS: Readonly<Record<string, readonly [first: number, last: number]>> = {
  "Latin-1": [0xc0, 0xff],
  "Latin Extended": [0x100, 0x24f],
  IPA: [0x250, 0x2af],
  "combining marks": [0x300, 0x36f],
  Greek: [0x391, 0x3a1],
  Cyrillic: [0x400, 0x4ff],
  Armenian: [0x561, 0x586],
  Hebrew: [0x591, 0x5c7],
  Arabic: [0x600, 0x6ff],
  Syriac: [0x710, 0x72f],
  Devanagari: [0x901, 0x94d],
  Bengali: [0x995, 0x9a8],
  Gujarati: [0xa95, 0xaa8],
  Oriya: [0xb15, 0xb28],
  Tamil: [0xb83, 0xbcd],
  Malayalam: [0xd15, 0xd39],
  Sinhala: [0xd9a, 0xdb1],
  Thai: [0xe01, 0xe3a],
  Lao: [0xe94, 0xeb9],
  Tibetan: [0xf40, 0xfbc],
  Burmese: [0x1000, 0x1049],
  Georgian: [0x10d0, 0x10ff],
  Amharic: [0x1200, 0x1248],
  Cherokee: [0x13a0, 0x13f5],
  Khmer: [0x1780, 0x17dd],
  Mongolian: [0x1820, 0x1878],
  "Greek Extended": [0x1f00, 0x1f15],
  arrows: [0x2190, 0x21ff],
  "mathematical signs": [0x2200, 0x22ff],
  "mixed symbols": [0x2300, 0x27bf],
  "box drawing": [0x2500, 0x257f],
  Braille: [0x2800, 0x28ff],
  kana: [0x3041, 0x30ff],
  "all ideographs": [0x4e00, 0x9fff],
  "rare ideographs": [0x3400, 0x4dbf],
  Yi: [0xa000, 0xa48c],
  "all Hangul": [0xac00, 0xd7a3],
  "full width": [0xff01, 0xff5e],
  emoji: [0x1f300, 0x1f64f],
  cuneiform: [0x12000, 0x12399],
};

const ALPHABETS: Readonly<Record<string, string>> = {
  "lower-case letters": LOWER,
  "upper-case letters": UPPER,
  "letters of both cases": LOWER + UPPER,
  "short random words": `${LOWER}      `,
  "base64-like": `${LOWER}${UPPER}${DIGITS}+/`,
  hexadecimal: `${DIGITS}abcdef`,
  digits: DIGITS,
  punctuation: SIGNS,
  "punctuation among letters": LOWER + SIGNS,
  "all of ASCII": LOWER + UPPER + DIGITS + SIGNS,
  "blanks of all kinds": " \t\n",
  "control characters": "\u0000\u0001\u0002\u0007\u0008\u000b\u000c\u000e\u001b\u007f",
};

const REPEATED: readonly string[] = [
  "a ",
  "a\n",
  "x=1;",
  "I, ",
  "1 ",
  " (a",
  "  a",
  "a1",
  "\\n",
  "\\u00e9",
  '","a',
  "— ",
  "👩‍👩‍👧 ",
];

const SENTENCES: Readonly<Record<string, string>> = {
  English:
    "The tests failed because the parcel was sorted twice, so I changed the loop and ran them again. ",
  German:
    "Zuerst muss geprüft werden, ob die Tests durchlaufen, danach wird der Quelltext korrigiert. ",
  Finnish: "Ensin on tarkistettava, menevätkö testit läpi, ja sen jälkeen korjataan ohjelmakoodi. ",
  Welsh: "Yn gyntaf rhaid gwirio a yw'r profion yn llwyddo ac wedyn cywiro'r cod yn ofalus. ",
  Swahili: "Kwanza tunapaswa kuangalia kama majaribio yanafaulu kisha turekebishe msimbo. ",
  Vietnamese:
    "Trước tiên cần kiểm tra xem các bài kiểm thử có thành công không rồi mới sửa mã nguồn. ",
  Russian: "Сначала нужно проверить, проходят ли тесты, а потом исправить код. ",
  "modern Greek":
    "Πρώτα πρέπει να ελέγξουμε αν περνούν οι δοκιμές και μετά να διορθώσουμε τον κώδικα. ",
  "modern Hebrew": "קודם כל צריך לבדוק אם הבדיקות עוברות ואחר כך לתקן את הקוד. ",
  "modern Arabic": "يجب أن نتحقق أولاً من نجاح الاختبارات ثم نصلح الشيفرة. ",
  Hindi: "पहले हमें जाँचना चाहिए कि परीक्षण सफल होते हैं या नहीं। ",
  Chinese: "我们需要先检查测试是否通过，然后再修改代码。",
  Japanese: "テストが失敗したので、設定ファイルを確認してから修正します。",
  Korean: "테스트가 실패했기 때문에 설정 파일을 확인한 후 수정합니다. ",
  TypeScript:
    "export function total(parcels: readonly Parcel[]): number {\n  return parcels.reduce((sum, { weight }) => sum + weight, 0);\n}\n",
  JSON: '{"file_path": "/src/a.ts", "limit": 20, "lines": [1, 2, 30], "ok": true, "note": null},\n',
};

function draw(characters: readonly string[]): string {
  let seed = 1;
  const drawn: string[] = [];
  for (let count = 0; count < DRAWN; count += 1) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    drawn.push(characters[(seed >>> 8) % characters.length] ?? "");
  }
  return drawn.join("");
}

function charactersOf([first, last]: readonly [number, number]): string[] {
  return Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));
}

/** Each with its name. */
export const TEXTS: readonly (readonly [name: string, text: string])[] = [
  ...Object.entries(BLOCKS).map(([name, block]) => [name, draw(charactersOf(block))] as const),
  ...Object.entries(ALPHABETS).map(([name, characters]) => [name, draw([...characters])] as const),
  ...REPEATED.map((part) => [`repeated ${JSON.stringify(part)}`, part.repeat(400)] as const),
  ...Object.entries(SENTENCES).map(([name, text]) => [name, text.repeat(20)] as const),
];
