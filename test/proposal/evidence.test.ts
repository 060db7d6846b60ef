import { expect, test } from "vitest";
import { type CommandRun, collectEvidence } from "../../src/proposal/evidence.ts";

const runs: CommandRun[] = [
  { turn: "t3", command: "npm test", outcome: "failure" },
  { turn: "t9", command: "npm  test", outcome: "success" },
  { turn: "t4", command: "make lint", outcome: "cancelled" },
];
const evidence = (body: string) => collectEvidence("a-skill", body, runs);
const commands = (body: string) => [...new Set(evidence(body).map(({ command }) => command))];

test("a command in a shell fence: of each turn, how it ended there", () => {
  expect(evidence("```sh\n$ npm test\n```\n")).toEqual([
    { skill: "a-skill", command: "npm test", turns: ["t3"], outcome: "failure" },
    { skill: "a-skill", command: "npm test", turns: ["t9"], outcome: "success" },
  ]);
});

test("a command that the session never ran is said to be unseen", () => {
  expect(evidence("```bash\nrm -rf build\n# a comment\n```\n")).toEqual([
    { skill: "a-skill", command: "rm -rf build", turns: [], outcome: "not_seen" },
  ]);
});

test("a command that ran within a longer line was seen; how it ended only where the line tells", () => {
  const line = {
    turn: "t2",
    command: "cd app && npm ci 2>&1 && npm test | tail",
    outcome: "success",
  };
  const parts = [
    { command: "npm ci", outcome: "success" },
    { command: "npm test", outcome: "unknown" },
  ] as const;
  const body = "```sh\nnpm ci\nnpm test\n```";
  expect(collectEvidence("a", body, [{ ...line, parts } as CommandRun])).toEqual([
    { skill: "a", command: "npm ci", turns: ["t2"], outcome: "success" },
    { skill: "a", command: "npm test", turns: ["t2"], outcome: "unknown" },
  ]);
});

test("inline code counts only when it was run: it may be a file or a symbol", () => {
  expect(evidence("Run `make lint`, look at `src/a.ts`.").map(({ command }) => command)).toEqual([
    "make lint",
  ]);
});

test("output, diffs and other languages hold no commands", () => {
  const body = "```diff\n+npm test\n```\n```\nsome output\nnpm test\n```\n```js\nmake lint\n```\n";
  expect(commands(body)).toEqual(["npm test"]);
});

test("once each, in the skill's order", () => {
  const body = "`make lint` then `npm test`, again `make lint`";
  expect(evidence(body).map(({ command, outcome }) => [command, outcome])).toEqual([
    ["make lint", "cancelled"],
    ["npm test", "failure"],
    ["npm test", "success"],
  ]);
});

test("a fence inside a longer fence doesn't end it", () => {
  expect(commands("````sh\nnpm test\n```\nmake lint\n````\n`x`")).toEqual([
    "npm test",
    "```",
    "make lint",
  ]);
});
