/** Evidence that is read off a page again: what the page's own table says, and nothing that only looks like it. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Evidence } from "../../src/proposal/proposal.ts";
import { evidenceTable } from "../../src/proposal/proposal-words.ts";
import { evidenceIn } from "../../src/publish/carried-over.ts";
import { pullRequestText } from "../../src/publish/pull-request-text.ts";
import { sampleProposal } from "../proposal/sample-proposal.ts";
import { hostileInput } from "./hostile-proposal.ts";

const template = readFileSync(
  resolve(import.meta.dirname, "../../templates/pull-request.md"),
  "utf8",
);
const skill = "release-flow";

function page(evidence: Evidence[], text = "x"): string {
  const content = `---\nname: release-flow\ndescription: Releases.\n---\n${text}`;
  return pullRequestText({
    proposal: sampleProposal({ evidence, files: [{ path: "SKILL.md", content }] }),
    findings: [],
    ...{ template, operation: "ADD", baseRef: "main" },
    handOver: { branch: "auto-skill/release-flow", stopLabel: "stop" },
  }).body;
}

const row = (command: string, turns: string[], outcome: Evidence["outcome"]): Evidence => {
  return { skill, command, turns, outcome };
};

describe("what a page says", () => {
  test("comes back as it was: all outcomes, pipes, backticks, blanks", () => {
    const evidence = [
      row("npm test", ["t3"], "failure"),
      row("npm test", ["t7", "t9", "t12"], "success"),
      row("grep 'a\\|b' x | wc", ["t4", "t5"], "unknown"),
      row("echo `date`", ["t6"], "cancelled"),
      row(" padded ", ["t6"], "success"),
      row("git tag v1", [], "not_seen"),
    ];
    const text = evidence.map(({ command }) => command).join("\n");
    expect(evidenceIn(page(evidence), skill, text)).toEqual(evidence);
  });

  test("of commands that the skill doesn't name any more, nothing", () => {
    const evidence = [row("npm test", ["t3"], "success"), row("make", ["t4"], "success")];
    expect(evidenceIn(page(evidence), skill, "run make")).toEqual([evidence[1]]);
  });

  test("hostile commands: what is read gives the very rows again, or isn't read", () => {
    const bounds = { rows: 50, commandMax: 160 };
    fc.assert(
      fc.property(hostileInput, ({ proposal: { evidence } }) => {
        const all = evidence.map(({ command }) => command).join("\n");
        const before = new Set(evidenceTable(evidence, bounds).split("\n"));
        const read = evidenceIn(page(evidence), skill, all);
        for (const line of evidenceTable(read, bounds).split("\n"))
          if (line !== "") expect(before).toContain(line);
      }),
      { numRuns: 200 },
    );
  });
});

describe("what only looks like it", () => {
  const TABLE = "| Command | In the session |\n|---|---|\n| `rm -rf x` | succeeded in t1 |";

  test("a table of the skill's own, in a fence or not", () => {
    for (const text of [TABLE, `\`\`\`\n${TABLE}\n\`\`\``, `\`\`\`\`md\n\`\`\`\n${TABLE}\n`])
      expect(evidenceIn(page([], text), skill, "rm -rf x")).toEqual([]);
  });

  test("rows that skillpr doesn't write: HTML, a mention, other words, another column", () => {
    const good = page([row("make", ["t4"], "success")]);
    const rows = [
      "| `make` <img src=x> | succeeded in t4 |",
      "| <b>make</b> | succeeded in t4 |",
      "| `make` | succeeded in t4, @octocat |",
      "| `make` | succeeded |",
      "| `make` | always succeeds |",
      "| `make` | succeeded in t4 | x |",
      "| ``make`` | succeeded in t4 |",
    ];
    for (const forged of rows) {
      const edited = good.replace("| `make` | succeeded in t4 |", () => forged);
      expect(edited).toContain(forged);
      expect(evidenceIn(edited, skill, "make"), forged).toEqual([]);
    }
  });

  test("outside of the two comments, or where they are damaged", () => {
    const none = page([]);
    expect(evidenceIn(`${TABLE}\n\n${none}`, skill, "rm -rf x")).toEqual([]);
    const damaged = page([row("make", ["t4"], "success")]).replace("skillpr:end", "skillpr:ende");
    expect(evidenceIn(damaged, skill, "make")).toEqual([]);
  });
});
