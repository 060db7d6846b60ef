/**
 * What a model is given of real sessions: how small it is, and that it loses none of what a skill is
 * made of. Skipped where the collected transcripts aren't.
 */
import { existsSync, readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { SkillprError } from "../../src/core/errors.ts";
import { PROMPT_SESSION_MAX_TOKENS } from "../../src/core/limits.ts";
import { safeLine } from "../../src/core/text.ts";
import { readTranscript } from "../../src/transcript/read-transcript.ts";
import { tokensAtMost } from "../../src/transcript/render/token-estimate.ts";
import { foldedBudget, render } from "../../src/transcript/render.ts";
import type { RedactedSession, Session } from "../../src/transcript/session.ts";
import { callsOf } from "../../src/transcript/session.ts";

const CASES = fileURLToPath(new URL("../../../shared/cases/transcripts/", import.meta.url));

interface Rendered {
  readonly file: string;
  readonly bytes: number;
  readonly session: Session;
  readonly text: string;
  readonly isWhole: boolean;
}

const rendered: Rendered[] = [];

beforeAll(async () => {
  if (!existsSync(CASES)) return;
  for (const file of readdirSync(CASES, { recursive: true, encoding: "utf8" }).sort()) {
    if (!statSync(CASES + file).isFile() || file === "README.md") continue;
    const session = await sessionIn(CASES + file);
    if (session === null) continue;
    const { text } = render(session as RedactedSession);
    const isWhole = text === render(session as RedactedSession, Infinity).text;
    rendered.push({ file, bytes: statSync(CASES + file).size, session, text, isWhole });
  }
});

/** Null for what is no transcript, or one of an agent that isn't read. */
async function sessionIn(path: string): Promise<Session | null> {
  try {
    return await readTranscript({ kind: "file", path });
  } catch (error) {
    if (error instanceof SkillprError && error.code === "input") return null;
    throw error;
  }
}

/** A failed call and the next success of the same tool, by their turns. */
function pairs(session: Session): { name: string; failed: string; fixed: string }[] {
  const calls = [...callsOf(session)];
  return calls.flatMap(({ turn, call }, index) => {
    if (call.outcome !== "failure") return [];
    const fix = calls
      .slice(index + 1)
      .find(({ call: later }) => later.outcome === "success" && later.name === call.name);
    return fix === undefined ? [] : [{ name: call.name, failed: turn.id, fixed: fix.turn.id }];
  });
}

describe.skipIf(!existsSync(CASES))("collected transcripts as a model is given them", () => {
  it("are read at all", () => {
    expect(rendered.length).toBeGreaterThan(10);
  });

  it("cost at most a quarter of their raw tokens, at the median over files above 100 KB", () => {
    const large = rendered.filter(({ bytes }) => bytes > 100_000);
    const parts = large.map(({ file, bytes, text }) => {
      // Raw bytes and ours by the same measure.
      const part = Buffer.byteLength(text) / bytes;
      console.log(`${(part * 100).toFixed(1).padStart(5)} % of ${bytes} bytes: ${file}`);
      return part;
    });
    const median = parts.toSorted((a, b) => a - b)[Math.floor(parts.length / 2)];
    console.log(`${((median ?? 1) * 100).toFixed(1).padStart(5)} % at the median`);
    expect(median).toBeLessThanOrEqual(0.25);
  });

  it("never cost more than their budget", () => {
    for (const { session, text, isWhole } of rendered) {
      const budget = isWhole ? PROMPT_SESSION_MAX_TOKENS : foldedBudget(session);
      expect(tokensAtMost(text)).toBeLessThanOrEqual(budget);
    }
  });

  it("show every failure that was followed by a success of the same tool, and that success", () => {
    let count = 0;
    for (const { file, session, text } of rendered) {
      const lines = new Set(text.split("\n").map((line) => line.replace(/ \{.*$/, "")));
      const has = (turn: string, outcome: string, name: string) =>
        [...lines].some(
          (line) => line.startsWith(`${turn} call ${outcome}`) && line.endsWith(`: ${name}`),
        );
      for (const { name, failed, fixed } of pairs(session)) {
        count += 1;
        expect(has(failed, "failure", name), `${file} ${failed} ${name}`).toBe(true);
        expect(has(fixed, "success", name), `${file} ${fixed} ${name}`).toBe(true);
      }
    }
    expect(count).toBeGreaterThanOrEqual(15);
  });

  it("show every message of the user that was answered", () => {
    let count = 0;
    for (const { file, session, text } of rendered) {
      const lines = text.split("\n");
      const last = session.turns.findLastIndex(({ role }) => role === "agent");
      for (const turn of session.turns.slice(0, last + 1)) {
        if (turn.role !== "user" || turn.subagent !== null) continue;
        count += 1;
        const head = lines.findIndex((line) => line.startsWith(`${turn.id} user`));
        const [first = ""] = turn.text.trimStart().split("\n");
        expect(head, `${file} ${turn.id}`).toBeGreaterThanOrEqual(0);
        const shown = lines.slice(head + 1).find((line) => line.trim() !== "");
        expect(
          shown?.trim().startsWith(safeLine(first).trim().slice(0, 40)),
          `${file} ${turn.id}`,
        ).toBe(true);
      }
    }
    expect(count).toBeGreaterThan(20);
  });
});
