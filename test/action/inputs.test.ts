import { expect, test } from "vitest";
import { INPUT_NAMES, type InputName, parseInputs } from "../../src/action/inputs.ts";
import {
  AUTO_SKILL_THRESHOLD,
  OPEN_PULL_REQUESTS,
  REVIEW_MAX_TURNS,
  REVIEW_TIMEOUT_SECONDS,
} from "../../src/core/limits.ts";
import { readActionFile } from "../support/built-action.ts";

const file = readActionFile();
const given =
  (values: Partial<Record<InputName, string>>) =>
  (name: InputName): string =>
    values[name] ?? file.inputs[name]?.default ?? "";

test("action.yml declares the inputs that are read, and no other", () => {
  expect(Object.keys(file.inputs).sort()).toEqual([...INPUT_NAMES].sort());
  expect(file.runs).toEqual({ using: "node24", main: "dist/action.js" });
  expect(file.inputs["github-token"]?.default).toBeUndefined();
  const texts = [...Object.values(file.inputs), ...Object.values(file.outputs)];
  expect(texts.filter(({ description }) => !/\.$/.test(description.trim()))).toEqual([]);
});

test("its defaults are the program's own", () => {
  const withDefaults = parseInputs(given({ command: "review" }));
  const without = parseInputs((name) => (name === "command" ? "review" : ""));
  const { threshold, maxTurns, timeoutSeconds, pullRequest, ...flags } = withDefaults.flags;
  expect({ threshold, maxTurns, timeoutSeconds, ...pullRequest }).toEqual({
    threshold: AUTO_SKILL_THRESHOLD,
    maxTurns: REVIEW_MAX_TURNS,
    timeoutSeconds: REVIEW_TIMEOUT_SECONDS,
    maxOpen: OPEN_PULL_REQUESTS,
  });
  expect({ ...withDefaults, flags }).toEqual({
    ...without,
    flags: { ...without.flags, ...flags, pullRequest: undefined },
  });
});

test("transcripts stand one a line", () => {
  const { transcripts } = parseInputs(
    given({ command: "review", transcripts: "a b.jsonl\n\n  # not this\n  {c,d}/**/*.zip \n" }),
  );
  expect(transcripts).toEqual(["a b.jsonl", "{c,d}/**/*.zip"]);
});

test.each([
  [{}, "the input command is not set"],
  [{ command: "::error::x\u202e" }, 'the input command is "::error::x\\u{202e}"'],
  [{ command: "review", threshold: "many" }, "the input threshold"],
  [{ command: "review", "max-turns": "0" }, "the input max-turns"],
  [{ command: "review", "max-turns": "101" }, "the input max-turns"],
  [{ command: "review", force: "yes" }, "the input force"],
  [{ command: "review", "token-budget": "-1" }, "the input token-budget"],
  [{ command: "review", "skills-root": "../x" }, "the input skills-root"],
  [{ command: "plan", "max-jobs": "257" }, "the input max-jobs"],
] as const)("%j is refused by name", (values, message) => {
  expect(() => parseInputs(given(values))).toThrow(message);
});
