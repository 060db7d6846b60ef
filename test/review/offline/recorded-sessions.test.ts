import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { SkillprError } from "../../../src/core/errors.ts";
import { findArcs } from "../../../src/review/offline/find-arcs.ts";
import { lessonOf } from "../../../src/review/offline/lesson.ts";
import { writeSkill } from "../../../src/review/offline/write-skill.ts";
import { readTranscript } from "../../../src/transcript/read-transcript.ts";
import type { Session } from "../../../src/transcript/session.ts";

const project = fileURLToPath(new URL("../../../", import.meta.url));
const shared = join(project, "../shared/cases");

/** name and body of each skill that the session teaches */
function skillsOf(session: Session): [name: string, body: string][] {
  return findArcs(session).arcs.map((arc) => {
    const lesson = lessonOf(session, arc, null);
    if (lesson === null) throw new Error("an arc without a name");
    return [lesson.name, writeSkill(lesson, "0000")];
  });
}

/** null for files of other formats */
async function readOrNull(path: string): Promise<Session | null> {
  try {
    return await readTranscript({ kind: "file", path });
  } catch (error) {
    if (error instanceof SkillprError && error.code === "input") return null;
    throw error;
  }
}

describe("the demo", () => {
  const demo = join(project, "templates/demo");

  it("teaches exactly one thing: a count that tests share, a skip that proved nothing, three orders", async () => {
    const session = await readTranscript({ kind: "file", path: join(demo, "session.jsonl") });
    expect(session).toMatchObject({
      agent: "qwen-code",
      agentVersion: "0.24.4",
      cwd: "/home/user/parcels",
      toolCallCount: 22,
    });
    const skills = skillsOf(session);
    expect(skills.map(([name]) => name)).toEqual(["npm-test-fails-src-labels"]);
    expect(skills[0]?.[1]).toMatchInlineSnapshot(`
      "# \`npm test\` fails at \`a shipment is numbered from one\`: Give every shipment a count of its own

      ## When to use

      - \`npm test\` fails at \`a shipment is numbered from one\` (t3).
        The error: \`expected: 'P-001 P-002', actual: 'P-002 P-003'\`

      ## Steps

      1. Find the cause before changing anything: \`node --test test/shipments.test.js\` succeeds (t4), \`node --test test/returns.test.js\` succeeds (t4), \`node --input-type=module -e "import { ship } from './src/shipments.js'; ship(['a']); console.log(ship(['b'])[0].label)"\` (t11). The session's finding (t5): “Each file passes alone, so they must share something when they run in one process.”
      2. Change \`src/labels.js\` (t12): “The count lives in the module, so each file goes on counting where the one before it stopped. Give every shipment a count of its own.”
         \`\`\`diff
         -let count = 0;
         -
         -export function nextLabel() {
         -  count += 1;
         -  return \`P-\${String(count).padStart(3, '0')}\`;
         +export function createLabels() {
         +  let count = 0;
         +  return () => {
         +    count += 1;
         +    return \`P-\${String(count).padStart(3, '0')}\`;
         +  };
          }
         \`\`\`
      3. Change \`src/shipments.js\` (t13):
         \`\`\`diff
         -import { nextLabel } from './labels.js';
         +import { createLabels } from './labels.js';

          export function ship(parcels) {
         +  const nextLabel = createLabels();
            return parcels.map((parcel) => ({ parcel, label: nextLabel() }));
         \`\`\`
      4. Run \`npm test\` again: it succeeds (t14).

      ## Pitfalls

      - This change of \`test/shipments.test.js\` is not the solution (t6): \`npm test\` succeeded (t7), but it was taken back (t8). “A skipped test proves nothing about the numbers.”
        \`\`\`diff
        -test('a shipment is numbered from one', () => {
        +test('a shipment is numbered from one', { skip: true }, () => {
        \`\`\`

      ## How to check

      - \`npm test\` succeeds (t14).
      - \`npm test -- --seed 7\` succeeds (t15).
      - \`npm test -- --seed 42\` succeeds (t15).

      _The offline reviewer (no model) wrote this from turns t3–t15 of session 0000; \`t5\` is the fifth of the turns of that session. Nothing here was judged, only observed._
      "
    `);
  });

  it("begins in the repository beside it", async () => {
    const session = await readTranscript({ kind: "file", path: join(demo, "session.jsonl") });
    const reads = session.turns
      .flatMap((turn) => turn.toolCalls)
      .filter((call) => call.kind === "read");
    expect(reads.length).toBeGreaterThan(4);
    for (const read of reads) {
      const file = relative("/home/user/parcels", String(read.args["file_path"]));
      expect(read.result?.trimEnd(), file).toBe(
        readFileSync(join(demo, "repository", file), "utf8").trimEnd(),
      );
    }
  });
});

describe.skipIf(!existsSync(join(shared, "qwen-real")))("sessions recorded by Qwen Code", () => {
  it.each(["arc.jsonl", "arc-headless.json", "manual.jsonl"])(
    "%s: format in UTC instead of changing the expectation, in several zones",
    async (file) => {
      const skills = skillsOf(
        await readTranscript({ kind: "file", path: join(shared, "qwen-real", file) }),
      );
      expect(skills.map(([name]) => name)).toEqual(["npm-test-fails-src-report"]);
      const body = skills[0]?.[1] ?? "";
      const [steps = "", pitfalls = "", checks = ""] = body.split(/^## /m).slice(2);
      expect(steps).toMatch(
        /`src\/report\.js`.*\(t\d+\)[\s\S]*\+d\.toLocaleDateString\('sv-SE', \{ timeZone: 'UTC' \}\)/,
      );
      expect(pitfalls).toMatch(
        /`test\/report\.test\.js` is not the solution \(t\d+\): `TZ=UTC npm test` still failed \(t\d+\), and it was taken back \(t\d+\)/,
      );
      for (const command of [
        "npm test",
        "TZ=America/Los_Angeles npm test",
        "TZ=Asia/Tokyo npm test",
        "npm run test:zones",
      ]) {
        expect(checks).toMatch(new RegExp(`\`${command}\` succeeds \\(t\\d+\\)`));
      }
    },
  );

  it("low.jsonl: nothing", async () => {
    expect(
      skillsOf(await readTranscript({ kind: "file", path: join(shared, "qwen-real/low.jsonl") })),
    ).toEqual([]);
  });
});

describe.skipIf(!existsSync(join(shared, "transcripts")))("sessions from the wild", () => {
  it("teach nothing beyond doubt: in none of them does a failed check succeed after a change", async () => {
    const root = join(shared, "transcripts");
    const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const taught: string[] = [];
    let count = 0;
    for (const file of files) {
      const session = await readOrNull(join(file.parentPath, file.name));
      if (session === null) continue;
      count += 1;
      if (skillsOf(session).length > 0)
        taught.push(relative(root, join(file.parentPath, file.name)));
    }
    expect(count).toBeGreaterThan(10);
    expect(taught).toEqual([]);
  });
});
