import fc from "fast-check";
import { expect, test } from "vitest";
import { logText } from "../../src/action/log-text.ts";

/** As the runner reads a line. */
const obeys = (line: string) => /^\s*::/.test(line) || line.includes("##[");

test.each([
  ["::error::forged", ": :error::forged"],
  ["  ::set-env name=A::b", "  : :set-env name=A::b"],
  ["\u00a0::group::x", "\u00a0: :group::x"],
  ["a\n::warning::b", "a\n: :warning::b"],
  ["\u200b::warning::b", "\\u{200b}::warning::b"],
  ["a ##[add-path]/tmp", "a ## [add-path]/tmp"],
  ["a\r::error::b", "a\\r::error::b"],
  ["C++ std::vector and a::b", "C++ std::vector and a::b"],
  ["####[x]", "#### [x]"],
])("%j", (text, shown) => expect(logText(text)).toBe(shown));

test("nothing that a runner obeys comes through", () => {
  const pieces = fc.constantFrom(
    "::",
    ":",
    "##",
    "#",
    "[",
    "\n",
    " ",
    "\t",
    "\r",
    "\u2028",
    "error",
    "]",
    "\u00a0",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      expect(logText(parts.join("")).split("\n").filter(obeys)).toEqual([]);
    }),
  );
});
