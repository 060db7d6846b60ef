/**
 * Damaged copies of every fixture: each becomes a Session or an input error, and none takes long.
 * The mutations are seeded: what fails once fails again, and the error says which one it was.
 */
import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { afterAll, describe, expect, it } from "vitest";
import { SkillprError } from "../../src/core/errors.ts";
import { readTranscript } from "../../src/transcript/read-transcript.ts";
import type { Session } from "../../src/transcript/session.ts";
import { allFixtures, FIXTURES } from "./fixtures.ts";

const FILES = allFixtures();
const MUTATIONS = 6000;
const MUTATIONS_A_FILE = Math.ceil(MUTATIONS / FILES.length);
/** One file of a few kilobytes; a healthy one takes some milliseconds. */
const HANGS_AFTER_MS = 30_000;

/** A small generator of pseudo-random numbers (mulberry32): the same seed gives the same mutations. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

type Random = (below: number) => number;

const VALUES = [
  "null",
  "[]",
  "{}",
  '""',
  "-1",
  "1e999",
  "true",
  '"\\ud800"',
  '"__proto__"',
  "[[[[{}]]]]",
];

/** Ends of a piece of the text that is a value, a line, or an object: where damage hurts. */
const MUTATORS: readonly ((text: string, random: Random) => string)[] = [
  // The file is cut off.
  (text, random) => text.slice(0, random(text.length + 1)),
  // Characters are lost, or there twice.
  (text, random) => {
    const at = random(text.length + 1);
    return text.slice(0, at) + text.slice(at + random(40));
  },
  (text, random) => {
    const at = random(text.length + 1);
    return text.slice(0, at) + text.slice(Math.max(0, at - random(40)));
  },
  (text, random) => {
    const at = random(text.length + 1);
    return text.slice(0, at) + '{}[]",:\\\n\0<`>#*_'[random(15)] + text.slice(at);
  },
  // A line is dropped, doubled, moved, or cut.
  (text, random) => ofLines(text, (lines) => lines.splice(random(lines.length), 1)),
  (text, random) =>
    ofLines(text, (lines) => {
      const at = random(lines.length);
      lines.splice(at, 0, lines[at] ?? "");
    }),
  (text, random) =>
    ofLines(text, (lines) => {
      const [line = ""] = lines.splice(random(lines.length), 1);
      lines.splice(random(lines.length + 1), 0, line);
    }),
  (text, random) =>
    ofLines(text, (lines) => {
      const at = random(lines.length);
      const line = lines[at] ?? "";
      lines[at] = line.slice(0, random(line.length + 1));
    }),
  // An object is truncated.
  (text, random) => {
    const starts = [...text.matchAll(/[{[]/g)];
    const start = starts[random(Math.max(1, starts.length))]?.index ?? 0;
    return text.slice(0, start + 1) + text.slice(start + 1 + random(200));
  },
  // A value is another one.
  (text, random) => {
    const tokens = [...text.matchAll(/"(?:\\.|[^"\\])*"|\d+|true|false|null/g)];
    const token = tokens[random(Math.max(1, tokens.length))];
    if (token === undefined) return text;
    const value = VALUES[random(VALUES.length)] ?? "null";
    return text.slice(0, token.index) + value + text.slice(token.index + token[0].length);
  },
];

function ofLines(text: string, change: (lines: string[]) => void): string {
  const lines = text.split("\n");
  change(lines);
  return lines.join("\n");
}

function mutated(text: string, random: Random): Buffer {
  let result = text;
  for (let round = random(3); round >= 0; round -= 1) {
    result = MUTATORS[random(MUTATORS.length)]?.(result, random) ?? result;
  }
  const bytes = Buffer.from(result);
  // Bytes are flipped, also inside of a character.
  for (let flips = random(4); flips > 0 && bytes.length > 0; flips -= 1) {
    const at = random(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8));
  }
  return bytes;
}

function expectSound(session: Session): void {
  const calls = session.turns.flatMap((turn) => turn.toolCalls);
  expect(session.issuedToolCallCount).toBeLessThanOrEqual(calls.length);
  expect(session.toolCallCount + session.subagentToolCallCount).toBeLessThanOrEqual(calls.length);
  expect(session.failedToolCallCount).toBeLessThanOrEqual(session.toolCallCount);
  expect(session.turns.map((turn) => turn.id)).toEqual(session.turns.map((_, n) => `t${n + 1}`));
  for (const call of calls) {
    expect(typeof call.name).toBe("string");
    if (call.result !== null) expect(call.outcome).not.toBe("unknown");
  }
}

/**
 * A loop without an end can't be interrupted from inside: a thread of its own waits for the next
 * sign of life, and ends the whole process when none comes.
 */
const signs = new Int32Array(new SharedArrayBuffer(8));
const watchdog = new Worker(
  `const { workerData: { signs, files, ms } } = require("node:worker_threads");
   const { writeSync } = require("node:fs");
   for (let seen = 0; ; seen = Atomics.load(signs, 0)) {
     if (Atomics.wait(signs, 0, seen, ms) !== "timed-out") continue;
     if (seen === 0 || seen === -1) continue;
     writeSync(2, "hangs: mutation " + seen + " of " + files[signs[1]] + "\\n");
     process.kill(process.pid, "SIGKILL");
   }`,
  { eval: true, workerData: { signs, files: FILES, ms: HANGS_AFTER_MS } },
);
const rejections: unknown[] = [];
const noteRejection = (reason: unknown) => rejections.push(reason);
process.on("unhandledRejection", noteRejection);
afterAll(async () => {
  process.off("unhandledRejection", noteRejection);
  await watchdog.terminate();
});

function alive(mutation: number, file: number): void {
  signs[1] = file;
  Atomics.store(signs, 0, mutation);
  Atomics.notify(signs, 0);
}

describe(`${MUTATIONS_A_FILE} damaged copies`, () => {
  it.each(FILES.map((name, index) => [name, index] as const))("of %s", async (name, index) => {
    const text = readFileSync(FIXTURES + name, "utf8");
    const random = generator(20260302 + index);
    let read = 0;
    for (let n = 1; n <= MUTATIONS_A_FILE; n += 1) {
      alive(n, index);
      const bytes = mutated(text, random);
      try {
        expectSound(await readTranscript({ kind: "bytes", name, bytes }));
        read += 1;
      } catch (error) {
        const isExpected = error instanceof SkillprError && error.code === "input";
        if (!isExpected) throw new Error(`mutation ${n} of ${name}`, { cause: error });
      }
    }
    alive(-1, index);
    expect(rejections).toEqual([]);
    // Most damage is small: a reader that refuses it all would be of no use. Of a document that
    // isn't JSON any more, nothing can be told.
    const isDocument = !/\.(?:jsonl|md)$/.test(name);
    expect(read).toBeGreaterThan(isDocument ? 0 : MUTATIONS_A_FILE / 3);
  });

  it.each(["gzip", "ZIP"])("of a transcript in %s", async (kind) => {
    const plain = readFileSync(`${FIXTURES}qwen-chat/arc.jsonl`);
    const packed = kind === "gzip" ? gzipSync(plain) : zipSync({ "a.jsonl": plain });
    const random = generator(20260303);
    for (let n = 1; n <= MUTATIONS_A_FILE; n += 1) {
      alive(n, FILES.indexOf("qwen-chat/arc.jsonl"));
      const bytes = Buffer.from(packed);
      for (let flips = random(3); flips >= 0; flips -= 1) {
        const at = random(bytes.length);
        bytes[at] = random(256);
      }
      const end = random(4) === 0 ? random(bytes.length) : bytes.length;
      try {
        expectSound(
          await readTranscript({ kind: "bytes", name: kind, bytes: bytes.subarray(0, end) }),
        );
      } catch (error) {
        const isExpected = error instanceof SkillprError && error.code === "input";
        if (!isExpected) throw new Error(`mutation ${n} of ${kind}`, { cause: error });
      }
    }
    alive(-1, 0);
    expect(rejections).toEqual([]);
  });
});
