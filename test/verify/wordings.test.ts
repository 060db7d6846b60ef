/**
 * Single paragraphs, attacks and what looks like one, each in a skill about something else: the rules are
 * for kinds of attacks, so they have to know most of them in words that nobody wrote a rule for.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findingsIn } from "./content-findings.ts";

const FOLDER = new URL("wordings/", import.meta.url);

/** `=== name` and the paragraph below it. */
function wordings(
  kind: "malicious" | "benign" | "aside-malicious" | "aside-benign",
): [name: string, text: string][] {
  const parts = readFileSync(new URL(`${kind}.txt`, FOLDER), "utf8")
    .split(/^=== /m)
    .slice(1);
  return parts.map((part) => {
    const end = part.indexOf("\n");
    return [part.slice(0, end), part.slice(end + 1)];
  });
}

/** That it is strange in its skill says nothing about the words. */
function findingsAbout(text: string) {
  return findingsIn(text).filter(({ rule }) => rule !== "attack.off-purpose");
}

describe("attacks in many words", () => {
  const malicious = wordings("malicious");
  const benign = wordings("benign");

  it("are known for what they are, four of five at least", () => {
    const missed = malicious.filter(([, text]) => findingsAbout(text).length === 0);
    expect(malicious.length).toBeGreaterThan(80);
    expect(missed.length / malicious.length).toBeLessThan(0.1);
  });

  it("are known in registers that the rules were only measured on, three of four at least", () => {
    const aside = wordings("aside-malicious");
    const missed = aside.filter(([, text]) => findingsAbout(text).length === 0);
    expect(aside.length).toBeGreaterThan(30);
    expect(missed.length / aside.length).toBeLessThan(0.25);
  });

  it.each([...benign, ...wordings("aside-benign")])(
    "are not what a procedure says: %s",
    (_name, text) => {
      expect(findingsAbout(text).filter(({ level }) => level === "error")).toEqual([]);
    },
  );

  it("have few look-alikes that a person is warned of", () => {
    const warned = benign.filter(([, text]) => findingsAbout(text).length > 0);
    expect(benign.length).toBeGreaterThan(80);
    expect(warned.length / benign.length).toBeLessThan(0.09);
  });
});
