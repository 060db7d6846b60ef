/** Tokens in pieces: most texts are passed by after a look at their lines' ends, which must hide none. */
import { describe, expect, it } from "vitest";
import { splitSecrets } from "../../src/secrets/disguised-secrets.ts";
import { findShapedSecrets } from "../../src/secrets/find-secrets.ts";
import { seeded, TOKENS } from "./planted.ts";

const JOINTS = ["\n", " \\\n  ", "\n- ", '" +\n  "', '" + "'];
/** The shortest that the tables know. */
const SHORTEST = ["xoxb", "1B2c3D4e5F"].join("-");

/** A first piece may be a token by itself. */
const isFound = (text: string) =>
  splitSecrets(text).length > 0 || findShapedSecrets(text).length > 0;

describe("splitSecrets", () => {
  it("finds the shortest token wherever it is cut", () => {
    for (const joint of JOINTS)
      for (let at = 1; at < SHORTEST.length; at += 1) {
        const text = `Send it.\n"${SHORTEST.slice(0, at)}${joint}${SHORTEST.slice(at)}"\nThe rest.`;
        expect(isFound(text), JSON.stringify(text)).toBe(true);
      }
  });

  it.each(Object.entries(TOKENS))("finds %s in three pieces", (_kind, make) => {
    const random = seeded(7);
    for (let round = 0; round < 40; round += 1) {
      const token = make(random);
      const first = 1 + Math.floor(random(token.length - 2));
      const second = first + 1 + Math.floor(random(token.length - first - 1));
      const pieces = [token.slice(0, first), token.slice(first, second), token.slice(second)];
      // Alone on their lines, and no letter before or behind them.
      const text = `Steps:\n\n${pieces.join("\n")}\n\n(End)`;
      expect(isFound(text), JSON.stringify(text)).toBe(true);
    }
  });

  it("passes by prose whose lines end with short words", () => {
    expect(isFound("Read the lines\nof the file, and\nwrite them down.\n")).toBe(false);
  });
});
