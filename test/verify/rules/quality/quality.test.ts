/** The rules about quality: what each finds, with its place, and what is no finding. */
import { describe, expect, it } from "vitest";
import { verify } from "../../../../src/verify/verify.ts";
import { FLOW, inputOf, skillText } from "../../verify-input.ts";

/** The quality findings of a body as `rule line:column text`; line 10 is its first. */
function found(body: string, description?: string): string[] {
  let text = skillText("release-flow", { body });
  if (description !== undefined)
    text = text.replace(/description: .*/, `description: ${description}`);
  return verify(inputOf({ next: { [FLOW]: text } }))
    .filter(({ rule }) => rule.startsWith("quality."))
    .map(({ rule, line, column, message, level }) => {
      expect(level).toBe("warning");
      const quote = /^`(.*?)`/.exec(message)?.[1] ?? "";
      return `${rule.slice("quality.".length)} ${line}:${column ?? ""} ${quote}`;
    });
}

describe("quality.when", () => {
  it("finds a description that gives no occasion", () => {
    expect(found("x", "Database migrations.")).toEqual(["when 3:1 "]);
  });

  it.each([
    "Migrations; use before a release.",
    "How to migrate the database.",
    "Checks parcels whenever labels change.",
    "数据库迁移的步骤。",
    "Миграции базы данных.",
  ])("is content with: %s", (description) => {
    expect(found("x", description)).toEqual([]);
  });
});

describe("quality.empty-step", () => {
  it("finds items without words, but not in code, and not what goes on below", () => {
    const body = "1. Build\n2.\n3. …\n- \n\n```\n- \n```\n\n4.\n   Indented.\n\nTitle\n-\n\n---\n";
    expect(found(body)).toEqual([
      "empty-step 11:1 2.",
      "empty-step 12:1 3. …",
      "empty-step 13:1 - ",
    ]);
  });
});

describe("quality.leftover", () => {
  it.each([
    ["Do it as we discussed.", "as we discussed"],
    ["The way it was done in this session works.", "in this session"],
    ["Use the port, as you requested.", "as you requested"],
    ["I have fixed the config.", "I have fixed"],
    ["The user told me to use pnpm.", "The user told me to"],
    ["Use pnpm: the user asked me to.", "the user asked me to"],
  ])("finds: %s", (body, quote) => {
    const column = body.indexOf(quote) + 1;
    expect(found(body)).toEqual([`leftover 10:${column} ${quote}`]);
  });

  it.each([
    "Log in, and the session starts.",
    "When the user tells you to stop, stop.",
    "If the user asked for a preview, show it.",
    "Keep the session open.",
    "Never write “as discussed” into a release note.",
    "Look for `in this session` in the log.",
    "```\necho in this session\n```",
  ])("is content with: %s", (body) => {
    expect(found(body)).toEqual([]);
  });
});

describe("quality.placeholder", () => {
  it.each([
    ["TODO: describe the rollback", "TODO"],
    ["Steps: TBD", "TBD"],
    ["# TODO", "TODO"],
    ["Run it with [insert the name here].", "[insert the name here]"],
    ["Lorem ipsum dolor.", "Lorem ipsum"],
    ["The port is TBD.", "TBD"],
    ["Set the port to XXX, then go on.", "XXX"],
    ["Open the page of <your-project-name>.", "<your-project-name>"],
  ])("finds: %s", (body, quote) => {
    expect(found(body)).toEqual([expect.stringContaining(quote)]);
    expect(found(body)[0]).toMatch(/^placeholder 10:\d+ /);
  });

  it.each([
    "List the TODO comments of the module.",
    "Search for `TODO:` in the sources.",
    "Run `npm init <your-project-name>` in the folder.",
    "The status is XXX-1234 in the tracker.",
    "Entries that are TBD by design stay as they are.",
    "Run `npm test -- <file>`, with the file that failed.",
    "```ts\n// TODO: later\n```",
    "See [add a parcel](references/add.md).",
  ])("is content with: %s", (body) => {
    expect(found(body)).toEqual([]);
  });
});

describe("quality.machine-path", () => {
  it.each(["/home/robin/work/parcels/a.ts", "/Users/robin/parcels", "C:\\Users\\robin\\parcels"])(
    "finds %s, also in code",
    (path) => {
      expect(found(`Open ${path} first.`)).toEqual([expect.stringMatching(/^machine-path 10:6 /)]);
      expect(found(`\`\`\`sh\ncat ${path}\n\`\`\``)).toHaveLength(1);
    },
  );

  it.each([
    "/home/user/project",
    "src/home/robin/a.ts",
    "https://example.com/home/robin/a",
    "/usr/bin/env",
  ])("is content with %s", (path) => {
    expect(found(`Open ${path} first.`)).toEqual([]);
  });
});

describe("quality.unresolved", () => {
  it.each([
    "We couldn't fix it.",
    "The change was made. The test still fails.",
    "No solution was found.",
    "Restart it. It remains unresolved.",
  ])("finds: %s", (body) => {
    expect(found(body)).toEqual([expect.stringMatching(/^unresolved 10:\d+ /)]);
  });

  it.each([
    "If the test still fails, delete the cache.",
    "Where no solution was found, ask the owner.",
    "The cause was found in the log.",
    "## Troubleshooting\n\nThe build still fails.",
  ])("is content with: %s", (body) => {
    expect(found(body)).toEqual([]);
  });
});

describe("a finding about quality", () => {
  it("is not repeated for what the parent says as well", () => {
    const old = skillText("release-flow", { body: "TODO: rollback" });
    const next = { [FLOW]: `${old}\nMore.\n` };
    const findings = verify(inputOf({ parent: { [FLOW]: old }, next }));
    expect(findings).toEqual([]);
  });
});
