/** A view is scanned where it differs from its text alone: that must say what a scan of all of it says. */
import { expect, it } from "vitest";
import { anchorTables } from "../../src/secrets/anchor-tables.ts";
import { TextScanner } from "../../src/secrets/text-scanner.ts";
import { viewOf } from "../../src/secrets/text-view.ts";
import { seeded } from "./planted.ts";

const WORDS = ["token", "ghp_", "a@b", "\r\n", "\n", " the ", "gh\\u0070_", "to\\u006ben", "x\\/y"];
const ORDINARY = "const parcel = weigh(box); ";

function scanned({ places, ats, lines, hasAnchors }: TextScanner) {
  const sorted = places.map((list) => list.slice().sort((a, b) => a - b));
  return {
    places: sorted,
    ats: [...ats],
    lines: [...lines.ends.slice(0, lines.count)],
    hasAnchors,
  };
}

it("says of a view what a scan of it would", () => {
  const next = seeded(11);
  const random = (below: number) => Math.floor(next(below));
  const tables = anchorTables([{ words: ["token"], ignoreCase: true }, { words: ["ghp_", "://"] }]);
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
