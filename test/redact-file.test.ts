import { expect, test } from "vitest";
import { redactFile } from "../src/redact-file.ts";
import { createRedactor } from "../src/secrets/redactor.ts";

const SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ456789";
const redact = (text: string) => redactFile(text, createRedactor({ credentials: [] }));

test("JSON Lines stay JSON Lines, with every string looked through, names of fields too", async () => {
  const records = [
    { type: "user", text: `use ${SECRET}`, n: 1, none: null, list: [true, SECRET] },
    { type: "tool", env: { [SECRET]: "as a name" }, nested: [[{ deep: `x${SECRET}` }]] },
  ];
  const redacted = await redact(`${records.map((one) => JSON.stringify(one)).join("\n")}\n`);
  expect(redacted).not.toContain(SECRET);
  const [first, second] = redacted
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(first).toEqual({
    ...records[0],
    text: "use [redacted:github-token:1]",
    list: [true, "[redacted:github-token:1]"],
  });
  expect(second.env).toEqual({ "[redacted:github-token:1]": "as a name" });
});

test("one document stays one, Markdown stays Markdown", async () => {
  const document = JSON.stringify({ messages: [{ content: SECRET }] }, null, 2);
  expect(JSON.parse(await redact(document))).toEqual({
    messages: [{ content: "[redacted:github-token:1]" }],
  });
  expect(await redact(`# chat\n\n${SECRET}\n`)).toBe("# chat\n\n[redacted:github-token:1]\n");
});

test("a line that isn't whole is named, not sent unread", async () => {
  await expect(redact('{"a":1}\n{"b":')).rejects.toThrow("line 2 of the transcript is not JSON");
});
