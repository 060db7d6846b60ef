import { describe, expect, it } from "vitest";
import { JsonRecordReader, type RecordLimits } from "../../src/transcript/json-records.ts";

function read(text: string | Uint8Array, chunk = 1 << 20, limits?: RecordLimits) {
  const records: unknown[] = [];
  const shapes = new Set<string>();
  const sink = {
    record(record: unknown, shape: string) {
      records.push(record);
      shapes.add(shape);
    },
  };
  const reader = new JsonRecordReader(sink, limits);
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  for (let at = 0; at < bytes.length; at += chunk) reader.push(bytes.subarray(at, at + chunk));
  const notes = reader.end();
  return { records, notes, shape: [...shapes].join() };
}

describe("JsonRecordReader", () => {
  const one = '{"n":1}';
  const two = '{"n":2,"s":"ä{\\"}\\n"}';
  const both = [{ n: 1 }, { n: 2, s: 'ä{"}\n' }];

  it.each([
    ["lines", `${one}\n${two}\n`, "lines"],
    ["no final newline", `${one}\n${two}`, "lines"],
    ["CRLF and blank lines", `\r\n${one}\r\n\r\n${two}\r\n`, "lines"],
    ["a byte order mark", `\ufeff${one}\n${two}`, "lines"],
    ["glued objects", `${one}${two}`, "lines"],
    ["glued objects in a later line", `${one}\n${two}`.replace("\n", ""), "lines"],
    ["a list", `[${one},${two}]`, "list"],
    ["a pretty-printed list", JSON.stringify(both, null, 2), "list"],
    [
      "pretty-printed objects",
      both.map((each) => JSON.stringify(each, null, 2)).join("\n"),
      "lines",
    ],
  ])("reads %s", (_, text, shape) => {
    expect(read(text)).toEqual({ records: both, notes: [], shape });
    // Chunks may end anywhere, also inside a character.
    expect(read(text, 3)).toEqual({ records: both, notes: [], shape });
  });

  it("reads one object over several lines as a document", () => {
    expect(read(JSON.stringify({ messages: both }, null, 2))).toMatchObject({
      records: [{ messages: both }],
      shape: "document",
    });
  });

  it("counts lines that are no JSON, and starts behind a log", () => {
    expect(read(`starting\n[info] ready\n${one}\nnull\n${two}`)).toMatchObject({
      records: both,
      notes: ["3 lines are not JSON and skipped"],
    });
  });

  it("counts lines of a log that starts with a bracket", () => {
    expect(read(`[info] ready\n${one}\n${two}`).records).toEqual(both);
  });

  it("says that the last record is cut off", () => {
    const notes = ["the last record is cut off and skipped"];
    expect(read(`${one}\n{"n":2,"s":"x`)).toMatchObject({ records: [{ n: 1 }], notes });
    expect(read(`[${one},{"n":2,"s":"x`)).toMatchObject({ records: [{ n: 1 }], notes });
  });

  it("reads on behind a damaged first line", () => {
    expect(read(`{"n":1,"s":"x\n${two}\n`)).toMatchObject({
      records: [both[1]],
      notes: ["1 line is not JSON and skipped"],
    });
  });

  it("skips a line that is too long, whole or in parts", () => {
    const limits = { lineBytes: 40, documentBytes: 1000 };
    const long = `{"s":"${"x".repeat(100)}"}`;
    for (const chunk of [7, 1000]) {
      expect(read(`${one}\n${long}\n${two}\n${long}`, chunk, limits)).toMatchObject({
        records: both,
        notes: ["2 lines are too long and skipped"],
      });
    }
  });

  it("reads a document that is too large line by line", () => {
    const limits = { lineBytes: 100, documentBytes: 30 };
    expect(read(`{"n":1,\n${two}\n${one}\n`, 10, limits).records).toEqual([both[1], both[0]]);
  });

  it("ends in bounded time on text that only opens", () => {
    expect(read('{"a":'.repeat(20_000)).records).toEqual([]);
    expect(read(`[${'{"a":"\n{'.repeat(20_000)}`).records).toEqual([]);
    expect(read("[".repeat(200_000)).records).toEqual([]);
  });

  it("reads a document whose end is missing as far as it goes", () => {
    const whole = JSON.stringify({ id: "s", messages: [{ role: "user", n: [1, 22] }, { n: 3 }] });
    const missing = ["the end of the file is missing; what is there was read"];
    const cut = (text: string, end: string) => read(text.slice(0, text.indexOf(end)), 7);
    expect(cut(whole, "22")).toMatchObject({
      records: [{ id: "s", messages: [{ role: "user", n: [1] }] }],
      notes: missing,
    });
    expect(cut(whole, "3}]")).toMatchObject({
      records: [{ id: "s", messages: [{ role: "user", n: [1, 22] }, {}] }],
      notes: missing,
    });
    const pretty = JSON.stringify(JSON.parse(whole), null, 2);
    expect(cut(pretty, "22")).toMatchObject({
      records: [{ id: "s", messages: [{ role: "user", n: [1] }] }],
      notes: missing,
    });
  });

  it("reads a list that is cut off behind the lines of a log", () => {
    const list = `starting\n[${one},${two},{"n":`;
    expect(read(list).records).toEqual(both);
  });

  it("gives no document for what is damaged in the middle", () => {
    expect(read('{"a":[1,2}\n{"b":]').records).toEqual([]);
  });
});
