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

  const APART: Readonly<Record<string, (a: string, b: string) => string>> = {
    "a line break of HTML": (a, b) => `${a}<br>${b}`,
    "cells of a table": (a, b) => `| name | value |\n|---|---|\n| ${a} | ${b} |`,
    "cells of HTML": (a, b) => `<tr><td>${a}</td><td>${b}</td></tr>`,
    "an array over lines": (a, b) => `["${a}",\n "${b}"]`,
    "what is added to a variable": (a, b) => `T="${a}"\nT+="${b}"`,
    "two variables": (a, b) => `A=${a}\nB=${b}\nexport T=$A$B`,
    "two variables in another order": (a, b) => `b = "${b}"; a = "${a}"\nuse(a + b)`,
    "keys of an object": (a, b) => `{"head": "${a}", "tail": "${b}"}`,
    "items that say which half": (a, b) => `- first half: \`${a}\`\n- second half: \`${b}\``,
    "a sentence": (a, b) => `Begin with \`${a}\` and put \`${b}\` behind it.`,
    "emphasis of the rest": (a, b) => `${a}**${b}**`,
  };
  const random = seeded(11);
  const KINDS = ["ghp_", "AKIA", "AIza"].map(
    (prefix) =>
      [...Array(20)]
        .flatMap(() => Object.values(TOKENS).map((make) => make(random)))
        .find((token) => token.startsWith(prefix)) ?? prefix,
  );

  it.each(Object.entries(APART))("finds a token in %s", (_where, write) => {
    for (const token of KINDS) {
      const half = Math.ceil(token.length / 2);
      const text = `Steps:\n\n${write(token.slice(0, half), token.slice(half))}\n\nThen go on.`;
      expect(
        splitSecrets(text).map(({ value }) => value),
        text,
      ).toEqual([token]);
    }
  });

  it.each([
    [
      "a prefix and a commit",
      "Keys begin with `sk-`; see `9fceb02d0ae598e95dc970b74767f19372d61af8`.",
    ],
    ["a token that is shown shortened", "`sk-4f9a1c7e...` was used in `8d6053a4f9e1c7d2b806`."],
    ["a masked one in a table", "| sk-4f9a*** | 8d6053a4f9e1c7d2b80653aa |"],
    [
      "names of packages",
      "| sk-learn | scikit-learn-1.4.2-cp311 |\n| hf_hub | huggingface-hub-0.23.1 |",
    ],
    ["prefixes in a list", "`ghp_`, `gho_`, `ghu_`, `github_pat_`, `glpat-`, `AKIA`, `xoxb-`"],
    ["what a key is called", "key-value pairs: `key-id`, `3f786850e387550fdab836ed7e6dc881`"],
    [
      "a version in another cell",
      "| sk-core-2 | v2.14.0 | 2026-11-30T12:00:00Z | build-20261130a1 |",
    ],
  ])("says nothing about %s", (_what, text) => {
    expect(splitSecrets(text)).toEqual([]);
  });

  it("passes by prose whose lines end with short words", () => {
    expect(isFound("Read the lines\nof the file, and\nwrite them down.\n")).toBe(false);
  });
});
