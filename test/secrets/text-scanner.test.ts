/** A view is scanned where it differs from its text alone: that must say what a scan of all of it says. */
import { expect, it } from "vitest";
import { anchorTables } from "../../src/secrets/anchor-tables.ts";
import { TextScanner } from "../../src/secrets/text-scanner.ts";
import { SegmentedView, viewOf } from "../../src/secrets/text-view.ts";
import { seeded } from "./planted.ts";

const WORDS = [
  ...["token", "ghp_", "a@b", "\r\n", "\n", " the ", "gh\\u0070_", "to\\u006ben", "x\\/y"],
  // A shell's broken line, also in an anchor, behind a line's end and before one.
  ...["ghp\\\n_", "TO\\\nK\\\nen", "\n\\\nx", "x\\\n\n"],
];
const ORDINARY = "const parcel = weigh(box); ";

function scanned({ places, ats, lines, hasAnchors }: TextScanner) {
  const sorted = places.map((list) => list.slice().sort((a, b) => a - b));
  return {
    places: sorted,
    ats: [...ats],
    lines: [...lines.ends.slice(0, lines.count)],
    wordLines: [...lines.wordLines],
    hasAnchors,
  };
}

const tables = anchorTables([{ words: ["token"], ignoreCase: true }, { words: ["ghp_", "://"] }]);

it("says of a view what a scan of it would", () => {
  const next = seeded(11);
  const random = (below: number) => Math.floor(next(below));
  const scanner = new TextScanner(tables, { words: ["the box"] });
  let read = 0;
  for (let round = 0; round < 400; round += 1) {
    const source = Array.from({ length: 40 }, () => {
      const filling = ORDINARY.repeat(random(6)).slice(random(9));
      return filling + (WORDS[random(WORDS.length)] ?? "");
    }).join("");
    scanner.scan(source);
    if (scanner.specials.length === 0) continue;
    const view = viewOf(source, scanner.specials);
    scanner.scanView(view, scanner.found(true));
    const said = scanned(scanner);
    scanner.scan(view.text);
    expect(said).toEqual(scanned(scanner));
    if (view.segmentCount * 3 * tables.longest <= view.text.length) read += 1;
  }
  // Most of them must have been of the kind that is read in part.
  expect(read).toBeGreaterThan(100);
});

it("says of a part without its breaks what a scan of it would, but for its lines", () => {
  const next = seeded(12);
  const random = (below: number) => Math.floor(next(below));
  // One that is known holds a line's end.
  const scanner = new TextScanner(tables, { words: ["the box", "box\ntoken"] });
  let [read, over] = [0, 0];
  for (let round = 0; round < 600; round += 1) {
    const source = Array.from({ length: 12 }, () => {
      const filling = ORDINARY.repeat(random(4)).slice(random(30));
      return filling + ["token", "ToKen", "ghp_", "://", "@", "the box", "box\ntoken"][random(7)];
    }).join("");
    scanner.scan(source);
    const found = scanner.found(false);
    const view = new SegmentedView(null);
    const joints: number[] = [];
    let at = random(20);
    for (let joint = 0; joint < 4; joint += 1) {
      const end = at + 1 + random(joint === 2 ? 6 : source.length / 5);
      view.copy(source, at, end);
      joints.push(view.length);
      at = end + random(4);
    }
    view.copy(source, at, Math.min(source.length, at + 60));
    scanner.scanView(view, found);
    const { places, ats, hasAnchors } = scanned(scanner);
    scanner.scan(view.text);
    const { lines: _, wordLines: __, ...whole } = scanned(scanner);
    expect({ places, ats, hasAnchors }).toEqual(whole);
    if (view.segmentCount * 3 * tables.longest <= view.text.length) read += 1;
    const isOver = (place: number) => joints.some((joint) => place < joint && joint < place + 3);
    if (whole.places.flat().some(isOver)) over += 1;
  }
  expect(read).toBeGreaterThan(100);
  // And some have an anchor where two lines meet.
  expect(over).toBeGreaterThan(20);
});
