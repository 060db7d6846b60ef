import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as limits from "../../src/core/limits.ts";
import { parseProposal } from "../../src/proposal/proposal.ts";
import { templateFields } from "../../src/publish/pull-request-fields.ts";
import { type PullRequestInput, pullRequestText } from "../../src/publish/pull-request-text.ts";
import { sampleProposal } from "../proposal/sample-proposal.ts";
import { hostileInput } from "./hostile-proposal.ts";

const template = readFileSync(
  resolve(import.meta.dirname, "../../templates/pull-request.md"),
  "utf8",
);

const skillFile = (body: string, description = "Releases the package. Use when a tag is due.") =>
  `---\nname: release-flow\ndescription: ${description}\nversion: 1.0.0\nmetadata:\n  source: auto-skill\n  extracted_at: '2026-01-02T03:04:05.000Z'\n---\n\n${body}`;

function input(over: Partial<PullRequestInput> = {}): PullRequestInput {
  return {
    proposal: sampleProposal({
      files: [{ path: "SKILL.md", content: skillFile("# Release\n\n1. Run `npm test`.\n") }],
    }),
    findings: [],
    template,
    templateName: "templates/pull-request.md",
    operation: "ADD",
    baseRef: "main",
    handOver: { branch: "auto-skill/release-flow", stopLabel: "skillpr: stop" },
    ...over,
  };
}

const bodyOf = (over: Partial<PullRequestInput> = {}) => pullRequestText(input(over)).body;
const withFile = (content: string) =>
  sampleProposal({ files: [{ path: "SKILL.md", content: skillFile(content) }] });

/** What stands under a heading of the page. */
function part(body: string, heading: string): string {
  const after = body.split(`### ${heading}\n`)[1] ?? "";
  return (after.split(/^### /m)[0] ?? "").trim();
}

describe("the page", () => {
  test("title and purpose", () => {
    const { title, body, note } = pullRequestText(input());
    expect(title).toBe("skill: add release-flow");
    expect(note).toBeNull();
    expect(body).toContain(
      "Adds the skill `release-flow`, learned from a session of qwen-code 0.24.4. Nothing uses it until this is merged into `main`.\n\n> Releases the package. Use when a tag is due.\n",
    );
    const update = pullRequestText(input({ operation: "UPDATE" }));
    expect(update.title).toBe("skill: update release-flow");
    expect(update.body).toContain(
      "Updates the skill `release-flow`, as a session of qwen-code 0.24.4 suggests. Agents keep to the version in `main` until this is merged.\n",
    );
  });

  test("why: the reviewer's words, and what the session shows by itself", () => {
    const signals = {
      fixes: [
        {
          command: "make release",
          isNamed: false,
          failedIn: ["t2"],
          succeededIn: ["t8"],
          changed: [],
        },
        {
          command: "npm test",
          isNamed: true,
          failedIn: ["t3", "t5"],
          succeededIn: ["t9"],
          changed: [{ path: "src/a.ts", turns: ["t6", "t7"] }],
        },
      ],
      corrections: [
        { turn: "t4", how: "while_working" as const, words: "use the tag of @team, fixes #7" },
        { turn: "t6", how: "after_cancel" as const, words: "not on main" },
        { turn: "t7", how: "by_words" as const, words: "no, the other one" },
      ],
    };
    const proposal = sampleProposal({ signals, why: "The tag must come last." });
    expect(part(bodyOf({ proposal }), "Why it was learned")).toBe(
      [
        "The tag must come last.",
        "",
        "What the session shows (`t12` is its twelfth message):",
        "",
        "- `npm test` failed in t3 and t5 and succeeded in t9; changed in between: `src/a.ts` (t6, t7)",
        "- The user stepped in while the agent worked (t4): “use the tag of `@team`, fixes `#7`”",
        "- The user declined or stopped a call, and said (t6): “not on main”",
        "- The user seems to have objected (t7): “no, the other one”",
      ].join("\n"),
    );
  });

  test("why: without a reason and without a signal it says so", () => {
    const body = bodyOf({ proposal: sampleProposal({ why: "" }) });
    expect(part(body, "Why it was learned")).toBe(
      "The session shows no command that failed and worked later, and no objection of the user.",
    );
  });

  test("evidence: a row for each command, and what was never seen stands out", () => {
    const row = { skill: "release-flow", turns: ["t3"] };
    const evidence = [
      { ...row, command: "npm test", outcome: "failure" as const },
      { ...row, command: "npm test", turns: ["t7", "t9"], outcome: "success" as const },
      { ...row, command: "grep 'a\\|b' x | wc", outcome: "unknown" as const },
      { ...row, command: "git tag v1", turns: [], outcome: "not_seen" as const },
    ];
    expect(part(bodyOf({ proposal: sampleProposal({ evidence }) }), "Evidence")).toBe(
      [
        "1 of 3 commands succeeded in the session; 1 did not run in it. The table is computed from the session's record; no model claims it.",
        "",
        "| Command | In the session |",
        "|---|---|",
        "| `npm test` | failed in t3; succeeded in t7 and t9 |",
        "| `grep 'a\\`\\|`b' x \\| wc` | result unknown in t3 |",
        "| `git tag v1` | **not seen in the session** |",
      ].join("\n"),
    );
  });

  test("evidence: what other sessions showed, told apart by their ids", () => {
    const { session, evidence } = sampleProposal();
    const alsoFrom = [
      { session: { ...session, id: "second" }, evidence },
      { session: { ...session, id: "@third" }, evidence: [] },
    ];
    const shown = part(bodyOf({ proposal: sampleProposal({ alsoFrom }) }), "Evidence");
    expect(shown).toContain(
      [
        "- Session `second`: `npm test` succeeded in t3 and t9",
        "- Session `@third`: none of its commands was seen there",
      ].join("\n"),
    );
  });

  test("findings, with their place", () => {
    const findings = [
      {
        rule: "attack.package-source",
        level: "warning" as const,
        path: ".qwen/skills/release-flow/SKILL.md",
        line: 7,
        message: "`pip install` from <an address> of @someone",
        hint: "Say why.",
      },
    ];
    expect(part(bodyOf({ findings }), "Findings")).toBe(
      "- **warning** `attack.package-source` in `.qwen/skills/release-flow/SKILL.md:7`: `pip install` from &lt;an address&gt; of `@someone` Say why.",
    );
    expect(part(bodyOf(), "Findings")).toBe("The verifier found nothing to say.");
  });

  test("an update shows the versions and what changed, without the date", () => {
    const previous = skillFile("# Release\n\n1. Run `npm t`.\n");
    const now = skillFile("# Release\n\n1. Run `npm test`.\n```\n````\n")
      .replace("1.0.0", "1.0.1")
      .replace("2026-01-02", "2026-01-09");
    const proposal = sampleProposal({ files: [{ path: "SKILL.md", content: now }] });
    const body = bodyOf({
      proposal,
      operation: "UPDATE",
      parentSkill: previous,
      openSkill: previous,
    });
    expect(part(body, "What changed")).toBe(
      [
        "Version `1.0.0` → `1.0.1`.",
        "",
        "`````diff",
        "@@ -7,4 +7,6 @@",
        " ",
        " # Release",
        " ",
        "-1. Run `npm t`.",
        "+1. Run `npm test`.",
        "+```",
        "+````",
        "`````",
      ].join("\n"),
    );
    expect(body).not.toMatch(/2026|New since/);
  });

  test("an update of another file alone says so", () => {
    const previous = skillFile("# Release\n");
    const proposal = sampleProposal({ files: [{ path: "references/tags.md", content: "x" }] });
    const body = bodyOf({ proposal, operation: "UPDATE", parentSkill: previous });
    expect(part(body, "What changed")).toBe(
      "Version `1.0.0` → `1.0.0`. Nothing else in `SKILL.md` is different.\n\nOther files of the skill that change: `references/tags.md`.",
    );
    expect(body).toContain("#### Release");
  });

  test("a second commit on an open pull request: what is new since", () => {
    const proposal = withFile("# Release\n\nNew.\n");
    const body = bodyOf({ proposal, openSkill: skillFile("# Release\n\nOld.\n") });
    expect(part(body, "New since this was opened")).toContain("-Old.\n+New.");
    expect(body).not.toContain("### What changed\n");
  });

  test("an adopted skill has no session to speak of", () => {
    const session = { ...sampleProposal().session, agent: "in-place", agentVersion: null };
    const body = bodyOf({ proposal: sampleProposal({ session, evidence: [] }) });
    expect(body).toContain("adopted from one that an agent had written in place.");
    expect(body).not.toMatch(/session shows|session of|learned from/);
    expect(part(body, "Evidence")).toBe("None: the session that it came from isn't known.");
  });

  test("provenance", () => {
    const usage = {
      ...sampleProposal().usage,
      reviewer: "auto-skill",
      model: "qwen3:8b",
      inputTokens: 1234567,
      outputTokens: 89,
      durationMs: 125_400,
    };
    expect(bodyOf({ proposal: sampleProposal({ usage }) })).toContain(
      [
        "- Session `11111111-1111-4111-8111-111111111111`, 21 completed tool calls, by some-model",
        `- Its record: \`sha256:${"c".repeat(64)}\``,
        "- Reviewed by auto-skill with qwen3:8b, 1,234,567 tokens in, 89 out, in 2 min 5 s",
      ].join("\n"),
    );
  });

  test("#26 no date, no id of a run: unchanged means unchanged", () => {
    expect(bodyOf()).toBe(bodyOf());
    expect(bodyOf()).not.toMatch(/\b20\d\d-\d\d/);
  });
});

describe("the skill, to read", () => {
  const shown = (body: string) =>
    /<summary>.*<\/summary>\n\n([\s\S]*?)\n\n<\/details>/.exec(
      bodyOf({ proposal: withFile(body) }),
    )?.[1];

  test("headings, lists, quotations and code stay; bold words too", () => {
    expect(
      shown("# A\n\n- **Do** `x`\n  more\n  - deep\n> said\n\n  ```sh\n  run\n    it\n  ```\n2. b"),
    ).toBe("#### A\n\n- **Do** `x`\n   more\n    - deep\n> said\n\n```sh\nrun\n  it\n```\n\n2. b");
  });

  test("a fence that is never closed, one that would be drawn, a table, a rule, an empty item", () => {
    expect(shown("a\n```mermaid\n</details>\n@octocat")).toBe(
      "a\n\n```\n</details>\n@octocat\n```",
    );
    expect(shown("| a | b |\n|---|---|\n| @x | y |\nz")).toBe(
      "```\n| a | b |\n|---|---|\n| @x | y |\n```\n\nz",
    );
    expect(shown("a\n---\n- \nb")).toBe("a\n\n\nb".replace("\n\n\n", "\n\n"));
  });

  test("HTML and comments are there to be seen", () => {
    expect(shown("x <!-- obey --> </details> <b>y</b>")).toBe(
      "x &lt;!-- obey --&gt; &lt;/details&gt; &lt;b&gt;y&lt;/b&gt;",
    );
  });

  test("the frontmatter is shown where it holds more than the page tells elsewhere", () => {
    const content = skillFile("x").replace("metadata:", "license: MIT\nmetadata:");
    const body = bodyOf({ proposal: sampleProposal({ files: [{ path: "SKILL.md", content }] }) });
    expect(body).toContain("```yaml\nname: release-flow\n");
    expect(body).toContain("\nlicense: MIT\n");
    expect(bodyOf()).not.toContain("```yaml");
  });
});

describe("it fits (#16)", () => {
  const long = (lines: number) =>
    Array.from({ length: lines }, (_, at) => `${at} ${"word ".repeat(15)}`).join("\n");
  const evidence = Array.from({ length: 50 }, (_, at) => ({
    skill: "release-flow",
    command: `${at} ${"|".repeat(1900)}`,
    turns: ["t1"],
    outcome: "success" as const,
  }));
  const findings = Array.from({ length: 200 }, (_, at) => ({
    rule: "quality.machine-path",
    level: "warning" as const,
    path: "SKILL.md",
    line: at,
    message: "<".repeat(2000),
    hint: "",
  }));
  const rowsOf = (body: string) => body.match(/^\| `/gm)?.length ?? 0;

  test("stage 1: all of a common skill; of a long one its beginning", () => {
    const body = bodyOf({ proposal: withFile(long(400)) });
    expect(body).toContain("\n200 word");
    expect(body).not.toContain("\n390 word");
    expect(body).toContain("all of it is under “Files changed”");
  });

  test("stage 2: what takes more room when it is escaped is shown in part", () => {
    const proposal = withFile(Array(400).fill("<".repeat(60)).join("\n"));
    const body = bodyOf({ proposal });
    expect(body.length).toBeLessThan(limits.PULL_REQUEST_BODY_MAX_CHARS);
    expect(body).toContain(`\n${"&lt;".repeat(60)}\n`);
  });

  test("stage 3: findings and rows are counted, the skill isn't shown", () => {
    const previous = skillFile("x");
    const proposal = sampleProposal({
      evidence,
      files: [{ path: "SKILL.md", content: skillFile(long(900)) }],
    });
    const many = findings.map((finding) => ({ ...finding, message: "&".repeat(1000) }));
    const body = bodyOf({ proposal, findings: many, operation: "UPDATE", parentSkill: previous });
    expect(body.length).toBeLessThan(limits.PULL_REQUEST_BODY_MAX_CHARS);
    expect(rowsOf(body)).toBe(20);
    expect(body).toContain("… and 30 more commands, not shown here.");
    expect(body).toContain("- … and 190 more findings");
    expect(body).toMatch(/… \d+ more lines under “Files changed”\./);
  });

  test("stage 4: what fits beside the words of people", () => {
    const theirs = "I wrote a lot. ".repeat(3800);
    const proposal = sampleProposal({ evidence });
    const over = { proposal, findings, operation: "UPDATE" as const, parentSkill: skillFile("x") };
    const first = bodyOf(over);
    const body = bodyOf({ ...over, previous: `${theirs}\n${first}` });
    expect(body.startsWith(theirs)).toBe(true);
    expect(body.length).toBeLessThan(limits.GITHUB_BODY_MAX_CHARS);
    expect(rowsOf(body)).toBe(5);
  });

  test("where people left no room at all, theirs stays and ours too", () => {
    const previous = `${bodyOf()}\n${"long ".repeat(13_000)}`;
    const { body, note } = pullRequestText(input({ previous, proposal: withFile("new") }));
    expect(body).toBe(previous);
    expect(note).toContain("leaves no room");
  });
});

describe("what people changed", () => {
  const old = bodyOf();
  const proposal = withFile("# Release\n\nAnother text.\n");
  const update = (previous: string) => pullRequestText(input({ proposal, previous }));

  test("words above and below survive, in the line ends that GitHub gives back", () => {
    const { body, note } = update(
      `Mine.\r\n\r\n${old.replaceAll("\n", "\r\n")}\r\n\r\nAlso mine.\r\n`,
    );
    expect(body.startsWith("Mine.\r\n\r\n<!-- skillpr:begin release-flow ")).toBe(true);
    expect(body.endsWith("\n<!-- skillpr:end -->\r\n\r\nAlso mine.\r\n")).toBe(true);
    expect(body).toContain("Another text.");
    expect(note).toBeNull();
  });

  test("nothing new: byte for byte what was there", () => {
    const previous = `Mine.\r\n${old.replaceAll("\n", "\r\n")}\r\nMine.`;
    expect(bodyOf({ previous })).toBe(previous);
  });

  test("what they changed between the two comments is written anew", () => {
    const { body } = update(old.replace("Release", "Their words"));
    expect(body).not.toContain("Their words");
  });

  test.each([
    ["both comments deleted", old.replace(/<!-- skillpr.*-->/g, "")],
    ["the first deleted", old.replace(/<!-- skillpr:begin.*-->/, "")],
    ["the last deleted", old.replace("<!-- skillpr:end -->", "")],
    ["the first damaged", old.replace("skillpr:begin release-flow", "skillpr:begin")],
    ["doubled", `${old}\n${old}`],
    ["in the wrong order", `<!-- skillpr:end -->\n${old.replace(/\n<!-- skillpr:end -->/, "")}`],
    ["of another skill", old.replaceAll("begin release-flow", "begin other-flow")],
    ["a body of their own", "I opened this by hand."],
  ])("%s: the body is theirs, and that is said", (_name, body) => {
    const answer = update(body);
    expect(answer.body).toBe(body);
    expect(answer.note).toContain("was left alone");
  });

  test("an empty body is filled", () => {
    expect(update("\r\n").body).toContain("Another text.");
  });
});

describe("hostile text (invariant 7)", () => {
  /** The page without fenced blocks and code spans: GitHub looks for references in the rest. */
  function outsideCode(body: string): string {
    const kept: string[] = [];
    let fence: string | null = null;
    for (const line of body.split("\n")) {
      const [mark] = /^`{3,}(?=[^`]*$)/.exec(line) ?? [];
      if (fence === null && mark !== undefined) fence = mark;
      else if (fence === null) kept.push(line.replace(/(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)/g, " "));
      else if (line === fence) fence = null;
    }
    expect(fence).toBeNull();
    return kept.join("\n");
  }

  /** The one entity that looks like a reference, and is a backtick. */
  const decoded = (text: string) => text.replaceAll("&#96;", "`");
  const OWN_TAGS = /<\/?(?:details|summary|b)>|<!-- skillpr:(?:begin release-flow .*|end) -->/g;
  const REFERENCE =
    /@|#\d|\bgh-\d|:\/\/|www\.\S|mailto:|\$|(?<![0-9a-z])[0-9a-f]{7,64}(?![0-9a-z])/i;

  test("mentions nobody, closes nothing, shows no HTML, hides nothing, breaks no table", () => {
    const property = (given: typeof hostileInput extends fc.Arbitrary<infer T> ? T : never) => {
      const body = bodyOf({ ...given, operation: "UPDATE" });
      const bare = outsideCode(body);
      expect(body.length).toBeLessThan(limits.PULL_REQUEST_BODY_MAX_CHARS);
      expect(body.match(/<!--\s*skillpr/gi)).toHaveLength(2);
      expect(bare.replace(OWN_TAGS, "")).not.toContain("<");
      expect(bare.match(/<\/?details>/g)).toHaveLength(4);
      expect(decoded(bare.replace(OWN_TAGS, ""))).not.toMatch(REFERENCE);
      expect(bare).not.toMatch(/(?<!\\)\[/);
      const table = part(body, "Evidence")
        .split("\n")
        .filter((line) => line.startsWith("|"));
      const commands = new Set(given.proposal.evidence.map(({ command }) => command)).size;
      expect(table).toHaveLength(commands === 0 ? 0 : commands + 2);
      for (const line of table) expect(line.match(/(?<!\\)\|/g)).toHaveLength(3);
    };
    fc.assert(fc.property(hostileInput, property), { numRuns: 150 });
  });

  test("what is hostile and within bounds is a proposal: it is the page that must stand it", () => {
    const { proposal } = input();
    expect(parseProposal({ ...proposal, why: "@octocat fixes #1" }, "x").why).toContain("@octocat");
    const turn = [{ ...proposal.evidence[0], turns: ["@octocat"] }];
    expect(() => parseProposal({ ...proposal, evidence: turn }, "x")).toThrow(
      "evidence.0.turns.0: is no turn's id",
    );
  });

  test("in code too, nothing can pass for our comments", () => {
    const body = bodyOf({ proposal: withFile("```\n<!-- skillpr:end -->\n```") });
    expect(body).toContain("\n<\\u{21}-- skillpr:end -->\n");
  });
});

describe("a template of the repository's own", () => {
  const render = (own: string) => bodyOf({ template: own, templateName: ".skillpr/pr.md" });
  const refusal = (own: string) => {
    try {
      render(own);
    } catch (error) {
      return `${(error as { code?: string }).code}: ${(error as Error).message}`;
    }
    return "accepted";
  };

  test("fields, sections and their opposite; either brackets", () => {
    expect(
      render("{{verb}} {{{skill}}}{{#changes}}!{{/changes}}{{^changes}}.{{/changes}}\r\n"),
    ).toBe(`${bodyOf().split("\n")[0]}\nAdds \`release-flow\`.\n<!-- skillpr:end -->`);
  });

  test("what a field holds is no template", () => {
    const proposal = sampleProposal({ why: "{{digest}} {{{evidence}}} {{> x}}" });
    expect(bodyOf({ proposal, template: "{{reason}}" })).toContain(
      "\n{{digest}} {{{evidence}}} {{&gt; x}}\n",
    );
  });

  test.each([
    ["{{why_not}}", "line 1: there is no field `why_not`"],
    ["\n{{#reason}}{{constructor}}{{/reason}}", "line 2: there is no field `constructor`"],
    ["{{#toString}}x{{/toString}}", "line 1: there is no field `toString`"],
    ["{{__proto__}}", "line 1: there is no field `__proto__`"],
    ["{{skill.length}}", "line 1: there is no field `skill.length`"],
    ["{{.}}", "line 1: there is no field `.`"],
    ["a\n{{> secrets}}", "line 2: `{{> secrets}}`: other files can't be included"],
    ["{{=<% %>=}}<% skill %>", "line 1: the marks `{{` and `}}` can't be changed"],
    ["{{= =}}", "is no template (Invalid tags:"],
    ["a\n\n{{#reason}}", 'line 3: is no template (Unclosed section "reason")'],
    ["{{#reason}}{{/skill}}", 'line 1: is no template (Unclosed section "reason")'],
    ["{{/reason}}", 'line 1: is no template (Unopened section "reason")'],
    ["a {{skill", "line 1: is no template (Unclosed tag)"],
    ["<!-- skillpr:end -->", "holds a `<!-- skillpr…` comment"],
  ])("%j is refused with its line", (own, problem) => {
    expect(refusal(own)).toContain("config: the template of pull requests can't be used");
    expect(refusal(own)).toContain(problem);
    expect(refusal(own)).toContain(".skillpr/pr.md");
  });

  test("one that is too long, or says too much, is refused", () => {
    expect(refusal("x".repeat(20_000))).toContain("is longer than 16384 characters");
    expect(refusal("{{skill}}".repeat(300))).toContain("has more than 200 tags");
  });

  test("one that is too long by itself is refused", () => {
    const proposal = sampleProposal({ why: "<".repeat(2000) });
    const own = `${"x".repeat(16_000)}`;
    expect(bodyOf({ proposal, template: own })).toContain("xxx");
    expect(() => bodyOf({ proposal, template: "{{reason}}".repeat(190) })).toThrow(
      /gives a body of \d+ characters where 60000 fit/,
    );
  });

  test("comments of a template are left out; a body is never without end", () => {
    expect(render("a{{! note }}b")).toContain("\nab\n");
  });
});

test("docs/pull-requests.md lists exactly the fields that there are", () => {
  const docs = readFileSync(resolve(import.meta.dirname, "../../docs/pull-requests.md"), "utf8");
  const table = docs.split("| field | what it holds |\n|---|---|\n")[1]?.split("\n\n")[0] ?? "";
  const listed = table
    .split("\n")
    .flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name));
  const { templateName: _, ...given } = input();
  const fields = templateFields(given, limits.PULL_REQUEST_DETAILS[0]);
  expect(listed.sort()).toEqual(Object.keys(fields).sort());
});
