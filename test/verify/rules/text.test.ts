import { describe, expect, it } from "vitest";
import { FLOW, findingsOf, flow } from "../verify-input.ts";

const RULE = "structure.text";
const LINES = flow.split("\n").length;

function verdict(...addition: number[]): string[] {
  const bytes = new Uint8Array([...new TextEncoder().encode(flow), ...addition, 0x0a]);
  return findingsOf(RULE, { next: { [FLOW]: bytes } }).map(
    ({ line, message }) => `${line}: ${message}`,
  );
}

describe("structure.text", () => {
  it("accepts text in any script, tabs and emoji", () => {
    expect(verdict(...new TextEncoder().encode("\tmake\n文字 – é 👩‍💻 \u{fffd}"))).toEqual([]);
  });

  it.each([
    ["a NUL", [0x61, 0x00], "NUL"],
    ["a carriage return", [0x61, 0x0d], "carriage return"],
    ["an escape", [0x1b, 0x5b], "control character"],
    ["a backspace", [0x08], "control character"],
    ["DEL", [0x7f], "control character"],
    ["a C1 control", [0xc2, 0x9b], "control character"],
    ["NEL", [0xc2, 0x85], "control character"],
    ["a lone continuation byte", [0x61, 0x80], "not valid UTF-8"],
    ["a cut sequence", [0xe2, 0x82], "not valid UTF-8"],
    ["an overlong slash", [0xc0, 0xaf], "not valid UTF-8"],
    ["a surrogate", [0xed, 0xa0, 0x80], "not valid UTF-8"],
  ])("refuses %s, with its line", (_name, addition, message) => {
    expect(verdict(...addition)).toEqual([expect.stringMatching(`^${LINES}: .*${message}`)]);
  });

  it("refuses a byte order mark", () => {
    const found = findingsOf(RULE, { next: { [FLOW]: `\ufeff${flow}` } });
    expect(found).toMatchObject([{ line: 1, message: expect.stringContaining("byte order mark") }]);
  });

  it("reports each kind once in a file", () => {
    expect(verdict(0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x01, 0x02)).toHaveLength(3);
  });
});
