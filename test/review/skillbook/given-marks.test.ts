/** The same mark of the same session says nothing new; another one does. */
import { describe, expect, it } from "vitest";
import { type GivenMark, withoutGiven } from "../../../src/review/skillbook/given-marks.ts";
import type { Operation } from "../../../src/skills/operation.ts";
import { EMPTY_SKILLBOOK, type Skillbook } from "../../../src/skills/skillbook.ts";
import { ADD, applied, ID, tag } from "../../skills/skillbook-samples.ts";

const [S1, S2] = ["qwen-code:s1", "qwen-code:s2"];
const SKILL = "release-flow";
const from = (trace_uid: string) => ({ insight_source: { trace_uid } });
const because = (reason: string) => ({ reason });

/** The deltas that are left, of marks by S1 on a strategy or skill. */
function left(
  book: Skillbook,
  deltas: readonly number[],
  { id = ID, known = [] as readonly GivenMark[], trace = S1 } = {},
): number[] {
  const operations = deltas.map((delta) => ({ ...tag(delta, id), reflection_index: 0 }));
  const sessions = [{ trace, known }];
  return withoutGiven(operations as Operation[], book, sessions).map((each) =>
    each.type === "TAG" ? each.metadata.delta : NaN,
  );
}

describe.each([ID, SKILL])("marks on %s", (id) => {
  const book = applied(EMPTY_SKILLBOOK, ADD, {
    ...tag(1, id),
    ...from(S1),
    ...because("It helped."),
  });

  it("the file knows by the reasons: the same delta is dropped, others count", () => {
    expect(left(book, [1, -1, 0], { id })).toEqual([-1, 0]);
  });

  it("another session's count", () => {
    expect(left(book, [1, -1, 0], { id, trace: S2 })).toEqual([1, -1, 0]);
  });

  it("the ledger knows what the file keeps no more", () => {
    const bare = applied(EMPTY_SKILLBOOK, ADD);
    const known = [{ id, delta: -1 as const }];
    expect(left(bare, [1, -1, 0], { id, known })).toEqual([1, 0]);
    expect(left(bare, [1, -1, 0], { id, known: [{ id: "other", delta: 1 }] })).toEqual([1, -1, 0]);
  });

  it("a 0 without a reason is known by its source", () => {
    const zero = applied(EMPTY_SKILLBOOK, ADD, { ...tag(0, id), ...from(S1) });
    expect(left(zero, [1, -1, 0], { id })).toEqual([1, -1]);
    expect(left(zero, [0], { id, trace: S2 })).toEqual([0]);
  });
});

it("a strategy that the session brought isn't marked by that", () => {
  const book = applied(EMPTY_SKILLBOOK, { ...ADD, ...from(S1), ...because("Seen.") });
  expect(left(book, [1, -1, 0])).toEqual([1, -1, 0]);
});

it("of several sessions each has its own; what is no mark stays", () => {
  const book = applied(EMPTY_SKILLBOOK, ADD, { ...tag(1), ...from(S1), ...because("It helped.") });
  const operations = [
    { ...tag(1), reflection_index: 0 },
    { ...tag(1), reflection_index: 1 },
    { ...ADD, issue: "New." },
  ] as Operation[];
  const sessions = [S1, S2].map((trace) => ({ trace, known: [] }));
  expect(withoutGiven(operations, book, sessions)).toEqual(operations.slice(1));
});
