/** Redaction of the real sessions beside the repository: what must stay stays. Skipped without them. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { createRedactor } from "../../src/secrets/redactor.ts";

const CASES = fileURLToPath(new URL("../../../shared/cases/transcripts/", import.meta.url));

/** What code and sessions are made of, and no secret. */
const KINDS: Readonly<Record<string, RegExp>> = {
  "git commits and checksums": /\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g,
  UUIDs: /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g,
  "ids of calls": /\b(?:toolu|call|msg|resp|chatcmpl|req|prt|ses)[_-][0-9A-Za-z]{8,}/g,
  versions: /(?<![\d.])\d+\.\d+\.\d+(?:-[0-9A-Za-z.]+)?\b(?!\.\d)/g,
  times: /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/g,
  "paths of files": /\b[\w-]+(?:\/[\w.-]+)+\.[a-z]{1,5}\b/g,
};

describe.skipIf(!existsSync(CASES))("the collected sessions", () => {
  let before = "";
  let after = "";
  let counts: Readonly<Record<string, number>> = {};

  beforeAll(async () => {
    const files = readdirSync(CASES, { recursive: true, encoding: "utf8" })
      .map((name) => join(CASES, name))
      .filter((path) => statSync(path).isFile() && !/EXPECTED|README/.test(path));
    const texts = files.map((path) => readFileSync(path, "utf8"));
    const redactor = createRedactor({ credentials: [] });
    after = (await redactor.redact(texts)).join("\n");
    before = texts.join("\n");
    counts = redactor.counts();
  });

  it.each(Object.entries(KINDS))("keep all their %s", (_, pattern) => {
    const kept = countOf(after, pattern);
    for (const [each, times] of countOf(before, pattern)) {
      expect.soft([each, kept.get(each) ?? 0]).toEqual([each, times]);
    }
    expect(kept.size).toBeGreaterThan(0);
  });

  it("lose next to nothing else: at most 20 secrets in 5 MB, and those that look like one", () => {
    const { email = 0, "private-ip": addresses = 0, "home-user": homes = 0, ...secrets } = counts;
    const total = Object.values(secrets).reduce((sum, n) => sum + n, 0);
    expect(total).toBeLessThanOrEqual(20);
    // Every word of these files was replaced: their addresses look real and belong to nobody.
    expect(email + addresses + homes).toBeLessThanOrEqual(150);
  });
});

function countOf(text: string, pattern: RegExp): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [each] of text.matchAll(pattern)) counts.set(each, (counts.get(each) ?? 0) + 1);
  return counts;
}
