import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SkillprError } from "../../src/core/errors.ts";
import { parseJsonWithComments } from "../../src/core/json-with-comments.ts";
import { hookCommand, isOwnHook } from "../../src/hook/hook-command.ts";
import {
  ownEntries,
  settingsValue,
  withHooks,
  withoutHooks,
} from "../../src/hook/settings-text.ts";

const FILE = "/home/user/.qwen/settings.json";
const EVENTS = ["SessionEnd", "Stop"];
const COMMAND = hookCommand({ node: "/usr/bin/node", cli: "/opt/skillpr/dist/cli.js" });
const entries = (command = COMMAND) => ({
  events: EVENTS,
  hook: { type: "command", command, name: "skillpr", timeout: 10_000 },
});
const add = (text: string, command?: string) =>
  withHooks({ file: FILE, text }, entries(command), isOwnHook);
const remove = (text: string) => withoutHooks({ file: FILE, text }, isOwnHook);
const own = (text: string) => ownEntries({ file: FILE, text }, isOwnHook);

const COMMENTED = `// my settings
{
    "model": "example", // keep this one
    /* theirs */
    "hooks": {
        "Stop": [
            // says so aloud
            { "matcher": "*", "hooks": [{ "type": "command", "command": "say done" }] } // last
        ]
    },
    "zeta": [1, 2, 3]
}
`;

describe("adding", () => {
  test("an entry goes behind the others, in the file's own indentation, and nothing else changes", () => {
    const text = add(COMMENTED);
    const old = COMMENTED.split("\n");
    const kept = text.split("\n").filter((line) => old.includes(line));
    // All but the two lines that needed a comma.
    expect(kept.filter((line) => line.trim() !== "").length).toBeGreaterThan(9);
    expect(text).toContain(
      '{ "matcher": "*", "hooks": [{ "type": "command", "command": "say done" }] }, // last\n            {\n                "hooks": [',
    );
    expect(text).toContain('"model": "example", // keep this one');
    expect(text).toContain('        "SessionEnd": [');
    expect(own(text).map(({ event }) => event)).toEqual(["Stop", "SessionEnd"]);
  });

  test("an entry under skillpr's name that does more than run the command is replaced whole", () => {
    const entry = (more: object) => ({ ...entries().hook, ...more });
    const group = (more: object) =>
      JSON.stringify({ hooks: { Stop: [{ hooks: [entry(more)] }] }, other: 1 });
    const strange = [
      { env: { NODE_OPTIONS: "--require=./theirs.js" } },
      { type: "http", url: "http://127.0.0.1/" },
      { shell: "powershell" },
    ];
    for (const more of strange) {
      const { hooks } = parseJsonWithComments(add(group(more))) as { hooks: object };
      expect(hooks).toEqual({
        SessionEnd: [{ hooks: [entries().hook] }],
        Stop: [{ hooks: [entries().hook] }],
      });
    }
    // A person's own patience and words stay.
    const own = add(group({ timeout: 500, description: "mine" }));
    expect(own).toContain('"timeout":500,"description":"mine"');
  });

  test("the result is what both kinds of readers read", () => {
    for (const text of ["{}", "{\n}\n", '{"a":1}', '{ "hooks": {} }', COMMENTED, '{"a":1,}']) {
      const after = add(text);
      const value = parseJsonWithComments(after);
      expect(value).toEqual(settingsValue({ file: FILE, text: after }));
      expect(value).toMatchObject({ hooks: { SessionEnd: [{ hooks: [entries().hook] }] } });
    }
  });

  test("a file on one line stays on one line, a file with tabs and CRLF keeps both", () => {
    expect(add('{"a":1}')).not.toContain("\n");
    const windows = add('{\r\n\t"a": 1\r\n}\r\n');
    expect(windows).toMatch(/^\{\r\n\t"a": 1,\r\n\t"hooks": \{\r\n\t\t"SessionEnd": \[\r\n/);
    expect(windows.replaceAll("\r\n", "")).not.toContain("\n");
  });

  test("a comment in an empty object stays", () => {
    expect(add("{\n  // nothing yet\n}\n")).toMatch(/^\{\n {2}\/\/ nothing yet\n {2}"hooks"/);
  });

  test("a trailing comma stays one", () => {
    expect(add('{\n  "a": 1,\n}\n')).toMatch(/"a": 1,\n {2}"hooks": \{[\s\S]*\},\n\}\n$/);
  });

  test("twice is once", () => {
    const once = add(COMMENTED);
    expect(add(once)).toBe(once);
  });

  test("an entry of an older path gets the new one where it stands, other values of it are kept", () => {
    const older = hookCommand({ node: "/usr/bin/node", cli: "/old place/dist/cli.js" });
    const text = add(COMMENTED, older).replaceAll("10000", "5000");
    const after = add(text);
    expect(after).toBe(text.replaceAll(JSON.stringify(older), JSON.stringify(COMMAND)));
    expect(own(after)).toHaveLength(2);
  });

  test("doubles and entries of other events go", () => {
    const one = add("{}\n");
    const doubled = one.replace(
      '"Stop": [',
      `"Stop": [{"hooks":[${JSON.stringify(entries().hook)}]},`,
    );
    const strange = doubled.replace(
      '"hooks": {',
      `"hooks": {"PreToolUse":[{"hooks":[${JSON.stringify(entries().hook)}]}],`,
    );
    expect(own(strange)).toHaveLength(4);
    expect(own(add(strange)).map(({ event }) => event)).toEqual(["SessionEnd", "Stop"]);
  });
});

describe("removing", () => {
  test("what was added goes again, to the byte", () => {
    const texts = [COMMENTED, '{"a":1}', '{ "a": [1, 2] }\n', '{\n\t"a": 1,\n}\n'];
    const windows = COMMENTED.replaceAll("\n", "\r\n");
    for (const text of [...texts, windows]) expect(remove(add(text))).toBe(text);
    expect(remove(add("{}\n"))).toBe("{}\n");
  });

  test("what somebody put beside it since stays", () => {
    const text = add("{}\n").replace(
      '"Stop": [',
      '"Stop": [\n      { "hooks": [{ "type": "command", "command": "say done" }] }, // mine',
    );
    const after = remove(text);
    expect(after).toContain("say done");
    expect(after).toContain("// mine");
    expect(settingsValue({ file: FILE, text: after })).toEqual({
      hooks: { Stop: [{ hooks: [{ type: "command", command: "say done" }] }] },
    });
  });

  test("a comment of a person is not taken along", () => {
    const text = add("{}\n").replace('"Stop": [', '"Stop": [ // ends of turns');
    expect(remove(text)).toContain("// ends of turns");
    expect(own(remove(text))).toEqual([]);
  });

  test("a group with a matcher goes with its only entry, one with another's entry stays", () => {
    const hook = JSON.stringify(entries().hook);
    const other = '{"type":"command","command":"say done"}';
    const text = `{"hooks":{"Stop":[{"matcher":"*","hooks":[${hook}]},{"matcher":"x","hooks":[${other},${hook}]}]}}`;
    expect(settingsValue({ file: FILE, text: remove(text) })).toEqual({
      hooks: { Stop: [{ matcher: "x", hooks: [JSON.parse(other)] }] },
    });
  });
});

describe("what can't be edited is said, with its line, and without its words", () => {
  test.each([
    ["not JSON", '{\n  "key": "very-secret\n}', 2],
    ["a list", "[]", 1],
    ["nothing", "", 1],
    ["hooks is a list", '{\n  "hooks": []\n}', 2],
    ["an event is an object", '{"hooks":{\n"Stop": {}}}', 2],
    ["a key twice", '{"hooks":{},\n"hooks":{}}', 2],
    ["too deep", `{"a":${"[".repeat(200)}${"]".repeat(200)}}`, 1],
  ])("%s", (_, text, line) => {
    const error = (() => {
      try {
        add(text);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(SkillprError);
    expect(error).toMatchObject({ code: "config" });
    expect(String(error)).toContain(`${FILE}, line ${line}: `);
    expect(String(error)).not.toContain("very-secret");
  });

  test("thousands of entries of skillpr are refused, not worked through", () => {
    const hook = JSON.stringify(entries().hook);
    const text = `{"hooks":{"Stop":[{"hooks":[${Array(500).fill(hook).join(",")}]}]}}`;
    expect(() => remove(text)).toThrow(/far too many/);
  });
});

test("any settings keep their values, and come back when the hook goes", () => {
  const json = fc.dictionary(
    fc.stringMatching(/^[a-z]{1,6}$/).filter((key) => key !== "hooks"),
    fc.jsonValue({ maxDepth: 3 }),
    { maxKeys: 5 },
  );
  const space = fc.constantFrom(undefined, 2, 4, "\t");
  const property = fc.property(json, space, (value, indent) => {
    const text = JSON.stringify(value, null, indent);
    const added = add(text);
    expect(settingsValue({ file: FILE, text: added })).toMatchObject(JSON.parse(text));
    expect(remove(added)).toBe(text);
  });
  fc.assert(property, { numRuns: 200 });
});
