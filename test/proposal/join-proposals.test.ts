import { expect, test } from "vitest";
import { joinProposals } from "../../src/proposal/join-proposals.ts";
import type { Proposal } from "../../src/proposal/proposal.ts";
import { sampleProposal } from "./sample-proposal.ts";

const RELEASE = `Tag the commit, then wait for the build of the tag and read its log. When the changelog lacks the version,
the publishing step stops: write the section first, commit it, move the tag. Afterwards install the package from
the registry in an empty folder and print its version.`;
const DATABASE = `Migrations run in the order of their numbers. Before merging two branches rename the younger file,
drop the local database, load the schema again and compare the dump with the one in the repository. A column that is
removed needs two deployments.`;

function proposal(n: number, over: Partial<Proposal> & { body?: string } = {}): Proposal {
  const { body = RELEASE, ...fields } = over;
  const skill = fields.skill ?? "release-flow";
  const { session } = sampleProposal();
  const digest = `sha256:${String(n).padStart(64, "0")}`;
  const content = `---\nname: ${skill}\ndescription: How to do it\nversion: 1.0.${n}\nmetadata:\n  source: auto-skill\n---\n\n${body}\nRun \`npm test\`.\n`;
  return sampleProposal({
    tree: String(n).padStart(40, "0"),
    files: [{ path: "SKILL.md", content }],
    session: { ...session, id: `session-${n}`, digest },
    evidence: [{ skill, command: "npm test", turns: [`t${n}`], outcome: "success" }],
    ...fields,
  });
}

test("one of each skill is kept, and has the others' evidence", () => {
  const { kept, joined, conflicts } = joinProposals([proposal(2), proposal(1), proposal(3)]);
  expect(conflicts).toEqual([]);
  expect(joined.map(({ proposal }) => proposal.session.id)).toEqual(["session-2", "session-3"]);
  expect(kept).toMatchObject([
    {
      session: { id: "session-1" },
      alsoFrom: [
        { session: { id: "session-2" }, evidence: [{ command: "npm test", turns: ["t2"] }] },
        { session: { id: "session-3" }, evidence: [{ command: "npm test", turns: ["t3"] }] },
      ],
    },
  ]);
});

test("what was seen to work more often is kept", () => {
  const evidence = ["npm test", "npm run lint"].map((command) => {
    return { skill: "release-flow", command, turns: ["t1"], outcome: "success" as const };
  });
  const { kept } = joinProposals([proposal(1), proposal(2, { evidence })]);
  expect(kept.map(({ session }) => session.id)).toEqual(["session-2"]);
  // The kept text doesn't have `npm run lint`: it would be evidence for nothing.
  const other = joinProposals([proposal(1, { evidence }), proposal(2, { evidence })]);
  expect(other.kept[0]?.alsoFrom?.[0]?.evidence.map(({ command }) => command)).toEqual([
    "npm test",
  ]);
});

test("one lesson under two names is one skill", () => {
  const twin = proposal(2, { skill: "how-to-release" });
  const { kept, joined } = joinProposals([
    proposal(1),
    twin,
    proposal(3, { skill: "db", body: DATABASE }),
  ]);
  expect(kept.map(({ skill }) => skill)).toEqual(["db", "release-flow"]);
  expect(joined.map(({ proposal, kept }) => [proposal.skill, kept.skill])).toEqual([
    ["how-to-release", "release-flow"],
  ]);
  expect(kept[1]?.alsoFrom?.[0]?.evidence[0]?.skill).toBe("release-flow");
});

test.each([
  ["say different things", { body: DATABASE }],
  ["different versions", { parent: "d".repeat(40) }],
  ["different versions", { operation: "UPDATE" as const }],
])("two that can't be joined are named: they %s", (why, over) => {
  const { kept, joined, conflicts } = joinProposals([proposal(1), proposal(2, over)]);
  expect(kept).toHaveLength(1);
  expect(joined).toEqual([]);
  expect(conflicts).toMatchObject([{ proposal: { session: { id: "session-2" } } }]);
  expect(conflicts[0]?.why).toContain(why);
});

test("of different lessons under one name the one of most sessions is kept", () => {
  const evidence = ["npm test", "npm run lint"].map((command) => {
    return { skill: "release-flow", command, turns: ["t1"], outcome: "success" as const };
  });
  const odd = proposal(1, { body: DATABASE, evidence });
  const { kept, conflicts } = joinProposals([odd, proposal(2), proposal(3)]);
  expect(kept).toMatchObject([{ session: { id: "session-2" } }]);
  expect(conflicts.map((one) => one.proposal.session.id)).toEqual(["session-1"]);
});

test("the order doesn't matter, and every proposal is kept, joined or named once", () => {
  const all = [
    proposal(1),
    proposal(2, { skill: "how-to-release" }),
    proposal(3, { body: DATABASE }),
    proposal(4, { skill: "db", body: DATABASE }),
    proposal(5, { skill: "db", body: DATABASE, parent: "e".repeat(40) }),
  ];
  const answer = joinProposals(all);
  expect(joinProposals(all.toReversed())).toEqual(answer);
  const { kept, joined, conflicts } = answer;
  expect(kept.length + joined.length + conflicts.length).toBe(all.length);
});

test("a session that was handed over twice is no second witness", () => {
  const { kept } = joinProposals([proposal(1), proposal(1)]);
  expect(kept).toHaveLength(1);
  expect(kept[0]?.alsoFrom).toBeUndefined();
});
