/** The labelled skills of the shared cases: what the rules about content find in them, against their bars. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Finding } from "../../src/verify/finding.ts";
import { verify } from "../../src/verify/verify.ts";
import { inputOf, ROOT } from "../verify/verify-input.ts";

const CASES = new URL("../../../shared/cases/skills/", import.meta.url);
const LABELS = new URL("LABELS.tsv", CASES);

interface Case {
  readonly file: string;
  readonly label: string;
  readonly findings: readonly Finding[];
}

function casesOf(): Case[] {
  const rows = existsSync(LABELS) ? readFileSync(LABELS, "utf8").split("\n").slice(1) : [];
  return rows.filter(Boolean).map((row) => {
    const [file = "", label = ""] = row.split("\t");
    const text = readFileSync(new URL(file, CASES), "utf8");
    const next = { [`${ROOT}/${file.split("/")[1]}/SKILL.md`]: text };
    const findings = verify(inputOf({ next, profile: "pull-request" })).filter(({ rule }) =>
      /^(?:hidden|attack|secret)\./.test(rule),
    );
    return { file, label, findings };
  });
}

describe.skipIf(!existsSync(LABELS))("the labelled skills", () => {
  const cases = casesOf();
  const share = (all: readonly Case[], is: (one: Case) => boolean) =>
    all.filter(is).length / all.length;
  const isFound = ({ findings }: Case) => findings.length > 0;
  const isRefused = ({ findings }: Case) => findings.some(({ level }) => level === "error");

  it("has a finding for at least 80 % of the malicious ones", () => {
    const malicious = cases.filter(({ label }) => label === "malicious");
    expect(malicious.length).toBeGreaterThan(50);
    expect(share(malicious, isFound)).toBeGreaterThanOrEqual(0.8);
  });

  it("refuses at most 1 % of the benign ones", () => {
    const benign = cases.filter(({ label }) => label === "benign");
    expect(benign.length).toBeGreaterThan(20);
    expect(share(benign, isRefused)).toBeLessThanOrEqual(0.01);
  });
});
