/** Files whose records stand there twice: an upload that was appended, a writer that tried again. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readText } from "./fixtures.ts";

const FIXTURES = join(import.meta.dirname, "../fixtures/transcripts");
/** Without ids the second one may be another; each line of an evaluation is a run of its own. */
const WITHOUT_IDS = /^(?:openai-messages[/\\]lines|openhands[/\\]output)\.jsonl$/;

const files = readdirSync(FIXTURES, { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".jsonl") && !WITHOUT_IDS.test(name),
);

it.each(files)("%s counts the same with each record written twice", async (name) => {
  const text = readFileSync(join(FIXTURES, name), "utf8");
  const countsOf = async (given: string) => {
    const session = await readText(given);
    const { toolCallCount, issuedToolCallCount, subagentToolCallCount, failedToolCallCount } =
      session;
    return [toolCallCount, issuedToolCallCount, subagentToolCallCount, failedToolCallCount];
  };
  const once = await countsOf(text);
  const lines = text.split("\n").filter((line) => line !== "");
  expect(await countsOf(`${text.trimEnd()}\n${text}`)).toEqual(once);
  expect(await countsOf(lines.flatMap((line) => [line, line]).join("\n"))).toEqual(once);
});
