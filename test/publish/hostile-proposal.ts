/** Proposals whose every free text is hostile: what a transcript, a model or a person may put there. */
import fc from "fast-check";
import type { Proposal } from "../../src/proposal/proposal.ts";
import type { Finding } from "../../src/verify/finding.ts";
import { sampleProposal } from "../proposal/sample-proposal.ts";

/** Pieces that mean something to Markdown, to HTML, to GitHub or to us; put together in any order. */
const HOSTILE = [
  "@octocat",
  "@org/team",
  "fixes #1",
  "Closes GH-12",
  "resolves owner/repo#3",
  "owner/repo@0123456789abcdef0123456789abcdef01234567",
  "0123456789abcdef0123456789abcdef01234567",
  "https://github.com/owner/repo/issues/1",
  "www.example.com",
  "kim@example.com",
  "![x](https://example.com/p.png)",
  "[a](javascript:alert(1))",
  "[^1]",
  "[x]: https://example.com",
  "<img src=x onerror=alert(1)>",
  "<!--",
  "-->",
  "<!-- skillpr:end -->",
  "<!-- skillpr:begin release-flow -->",
  "</details>",
  "<details><summary>x</summary>",
  "<script>",
  "<https://example.com>",
  "&#64;octocat",
  "&lt;b&gt;",
  "`",
  "``",
  "```",
  "````markdown",
  "~~~",
  "|",
  "\\|",
  "\\",
  "*",
  "**",
  "_",
  "~~",
  "$x$",
  "$`x`$",
  "# heading",
  "---",
  "===",
  ":--|--:",
  "> [!NOTE]",
  "- [ ] item",
  "1. item",
  "    indented",
  "{{reason}}",
  "{{{skill}}}",
  "{{> other}}",
  "\n",
  "\n\n",
  "\r\n",
  "\t",
  " ",
  "  ",
  "(",
  ")",
  ".",
  "word",
  "\u200b",
  "\u202e",
  "\u{e0041}",
  "\u0000",
  "é👍",
];

const text = (max: number) =>
  fc
    .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ maxLength: 6 })), { maxLength: 24 })
    .map((parts) => parts.join("").slice(0, max));

const turns = fc.array(
  fc.nat(99).map((n) => `t${n + 1}`),
  { maxLength: 4 },
);

const signals: fc.Arbitrary<Proposal["signals"]> = fc.record({
  fixes: fc.array(
    fc.record({
      command: text(300),
      isNamed: fc.boolean(),
      failedIn: turns,
      succeededIn: turns,
      changed: fc.array(fc.record({ path: text(200), turns }), { maxLength: 3 }),
    }),
    { maxLength: 3 },
  ),
  corrections: fc.array(
    fc.record({
      turn: fc.constant("t3"),
      how: fc.constantFrom("while_working", "after_cancel", "by_words"),
      words: text(120),
    }),
    { maxLength: 3 },
  ),
});

const findings: fc.Arbitrary<Finding[]> = fc.array(
  fc.record({
    rule: text(40),
    level: fc.constantFrom("warning" as const, "error" as const),
    path: fc.option(text(80)),
    line: fc.option(fc.nat(99)),
    message: text(200),
    hint: text(200),
  }),
  { maxLength: 3 },
);

export interface HostileInput {
  readonly proposal: Proposal;
  readonly findings: readonly Finding[];
  readonly parentSkill: string;
  readonly openSkill: string;
}

/** Lines of Markdown: indented, fenced and listed as a model, or an attacker, might write them. */
const lines = fc
  .array(
    fc
      .tuple(
        fc.constantFrom("", "", "  ", "   ", "    ", "      ", "> ", "- ", "1. ", "  - ", "\t"),
        fc.constantFrom("", "```", "```sh", "````", "~~~", "~~~mermaid", "| a |", "# ", "text "),
        fc.oneof(fc.constant(""), fc.constantFrom(...HOSTILE), text(40)),
      )
      .map((parts) => parts.join("")),
    { maxLength: 24 },
  )
  .map((all) => all.join("\n"));

/** Any skill text, with a frontmatter that YAML reads, or one that it doesn't. */
const skillText = fc
  .tuple(fc.boolean(), text(200), fc.oneof(text(600), lines))
  .map(([isRead, head, body]) => {
    const description = isRead ? JSON.stringify(head.replace(/[^\x20-\x7e]/g, "")) : head;
    return `---\nname: release-flow\ndescription: ${description}\nversion: 1.0.0\n---\n${body}`;
  });

export const hostileInput: fc.Arbitrary<HostileInput> = fc
  .record({
    why: text(400),
    signals,
    findings,
    commands: fc.uniqueArray(text(200), { maxLength: 4 }),
    now: skillText,
    parentSkill: skillText,
    openSkill: skillText,
    session: fc.record({ id: text(100), agent: text(64), agentVersion: fc.option(text(40)) }),
    model: fc.option(text(60)),
    reviewer: text(60),
  })
  .map(({ commands, now, session, model, reviewer, why, ...rest }) => {
    const sample = sampleProposal();
    return {
      findings: rest.findings,
      parentSkill: rest.parentSkill,
      openSkill: rest.openSkill,
      proposal: sampleProposal({
        why,
        signals: rest.signals,
        files: [
          { path: "SKILL.md", content: now },
          { path: `references/${why.replace(/\p{Cc}/gu, "").slice(0, 40)}.md`, content: why },
        ],
        evidence: commands.map((command, at) => ({
          skill: "release-flow",
          command,
          turns: at === 0 ? [] : ["t1", "t2"],
          outcome: at === 0 ? "not_seen" : "success",
        })),
        session: { ...sample.session, ...session, model },
        usage: { ...sample.usage, model, reviewer },
      }),
    };
  });
