import { describe, expect, it } from "vitest";
import { readFailure } from "../../../src/review/offline/read-failure.ts";

interface Row {
  readonly runner: string;
  readonly output: string;
  readonly line: string;
  readonly item?: string;
}

const ROWS: readonly Row[] = [
  {
    runner: "node, TAP with the two values",
    output:
      "not ok 1 - first\n  ---\n  error: |-\n    Expected values to be strictly equal:\n    \n    'a' !== 'b'\n  expected: 'b'\n  actual: 'a'\n  ...\n# fail 1",
    item: "first",
    line: "expected: 'b', actual: 'a'",
  },
  {
    runner: "node, TAP with the comparison only",
    output:
      "not ok 1 - first\n  ---\n  error: |-\n    Expected values to be strictly equal:\n    \n    'a' !== 'b'\n  code: 'ERR_ASSERTION'\n  ...\n# fail 1",
    item: "first",
    line: "'a' !== 'b'",
  },
  {
    runner: "node, TAP with a comparison on one line",
    output: "not ok 1 - first\n  ---\n  error: \"'a' == 'b'\"\n  code: 'ERR_ASSERTION'\n# fail 1",
    item: "first",
    line: "error: \"'a' == 'b'\"",
  },
  {
    runner: "node, spec reporter with a diff",
    output:
      "✖ first (1.2ms)\n\n✖ failing tests:\n\ntest at test/a.test.js:3:1\n✖ first (1.2ms)\n  AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal:\n  + actual - expected\n  \n    {\n  +   n: 1\n  -   n: 2\n    }\n  \n      at TestContext.<anonymous> (file:///a.js:3:1)",
    item: "first",
    line: "expected: n: 2, actual: n: 1",
  },
  {
    runner: "node, a falsy value",
    output:
      "✖ first (1.2ms)\n  AssertionError [ERR_ASSERTION]: The expression evaluated to a falsy value:\n\n    assert.ok(list.includes(3))\n",
    item: "first",
    line: "assert.ok(list.includes(3))",
  },
  {
    runner: "node, another test's values don't count",
    output:
      "not ok 1 - first\n  ---\n  error: 'x is not a function'\n  name: 'TypeError'\n  ...\nnot ok 2 - second\n  ---\n  expected: 1\n  actual: 2\n  ...\n# fail 2",
    item: "first",
    line: "error: 'x is not a function'",
  },
  {
    runner: "vitest",
    output:
      " FAIL  src/cart.test.ts > cart > adds\nAssertionError: expected 2 to be 3 // Object.is equality\n\n- Expected\n+ Received\n\n- 3\n+ 2\n\n ❯ src/cart.test.ts:7:22\n\n Test Files  1 failed (1)\n      Tests  1 failed | 3 passed (4)",
    item: "src/cart.test.ts > cart > adds",
    line: "AssertionError: expected 2 to be 3 // Object.is equality",
  },
  {
    runner: "jest, two values",
    output:
      "FAIL src/cart.test.js\n  ● cart › adds\n\n    expect(received).toBe(expected) // Object.is equality\n\n    Expected: 3\n    Received: 2\n\n      3 | it('adds')\n\n      at Object.<anonymous> (src/cart.test.js:4:20)\n\nTests:       1 failed, 3 passed, 4 total",
    item: "cart › adds",
    line: "Expected: 3, Received: 2",
  },
  {
    runner: "jest, a diff",
    output:
      'FAIL src/cart.test.js\n  ● cart › lists\n\n    expect(received).toEqual(expected) // deep equality\n\n    - Expected  - 1\n    + Received  + 1\n\n      Object {\n    -   "n": 1,\n    +   "n": 2,\n      }\n',
    item: "cart › lists",
    line: 'expected: "n": 1, received: "n": 2',
  },
  {
    runner: "pytest",
    output:
      "________ test_total ________\n\n    def test_total():\n>       assert total([0.1, 0.2]) == 0.3\nE       assert 0.30000000000000004 == 0.3\nE        +  where 0.30000000000000004 = total([0.1, 0.2])\n\ntests/test_invoice.py:12: AssertionError\n=== short test summary info ===\nFAILED tests/test_invoice.py::test_total - assert 0.30000000000000004 == 0.3\n=== 1 failed, 13 passed in 0.12s ===",
    item: "tests/test_invoice.py::test_total",
    line: "assert 0.30000000000000004 == 0.3",
  },
  {
    runner: "pytest, a bare assertion",
    output:
      "E       assert False\nE        +  where False = is_open('a')\n\ntests/test_door.py:3: AssertionError\nFAILED tests/test_door.py::test_open - assert False\n1 failed in 0.01s",
    item: "tests/test_door.py::test_open",
    line: "assert False where False = is_open('a')",
  },
  {
    runner: "pytest, the summary alone",
    output: "FAILED tests/test_door.py::test_open - KeyError: 'a'\n1 failed in 0.01s",
    item: "tests/test_door.py::test_open",
    line: "KeyError: 'a'",
  },
  {
    runner: "go test",
    output:
      "--- FAIL: TestCounter (0.01s)\n    counter_test.go:18: got 9871, want 10000\nFAIL\nFAIL\texample.com/counter\t0.013s\nFAIL",
    item: "TestCounter",
    line: "counter_test.go:18: got 9871, want 10000",
  },
  {
    runner: "go test, a panic",
    output:
      "--- FAIL: TestList (0.00s)\npanic: runtime error: index out of range [3] with length 3\n\ngoroutine 18 [running]:\nFAIL\texample.com/list\t0.004s",
    item: "TestList",
    line: "panic: runtime error: index out of range [3] with length 3",
  },
  {
    runner: "go build",
    output: "# example.com/list\n./list.go:12:3: undefined: size",
    line: "./list.go:12:3: undefined: size",
  },
  {
    runner: "cargo build",
    output:
      "error[E0502]: cannot borrow `items` as mutable\n  --> src/lib.rs:14:9\n\nerror: could not compile `shop` (lib) due to 1 previous error",
    line: "error[E0502]: cannot borrow `items` as mutable",
  },
  {
    runner: "cargo test, two values",
    output:
      "test tests::adds ... FAILED\n\nfailures:\n\n---- tests::adds stdout ----\nthread 'tests::adds' panicked at src/lib.rs:10:9:\nassertion `left == right` failed\n  left: 2\n right: 3\nnote: run with `RUST_BACKTRACE=1`\n\ntest result: FAILED. 0 passed; 1 failed\nerror: test failed, to rerun pass `--lib`",
    item: "tests::adds",
    line: "left: 2, right: 3",
  },
  {
    runner: "cargo test, a panic",
    output:
      "test tests::opens ... FAILED\n---- tests::opens stdout ----\nthread 'tests::opens' panicked at src/lib.rs:10:9:\ncalled `Option::unwrap()` on a `None` value\nerror: test failed, to rerun pass `--lib`",
    item: "tests::opens",
    line: "called `Option::unwrap()` on a `None` value",
  },
  {
    runner: "tsc",
    output:
      "src/api.ts(12,7): error TS2322: Type 'string | undefined' is not assignable to type 'string'.\n\nFound 1 error.",
    line: "error TS2322: Type 'string | undefined' is not assignable to type 'string'.",
  },
  {
    runner: "docker build, the tool's line above",
    output:
      '#9 [4/5] RUN npm ci\n#9 1.234 npm error code EUSAGE\n#9 1.235 npm error The `npm ci` command needs a lock file\n#9 ERROR: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1\n------\n > [4/5] RUN npm ci:\n------\nERROR: failed to solve: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1',
    line: "npm error The `npm ci` command needs a lock file",
  },
  {
    runner: "docker build, a compiler inside",
    output:
      "#11 3.101 src/a.ts(1,7): error TS2304: Cannot find name 'b'.\n#11 ERROR: process \"/bin/sh -c npm run build\" did not complete successfully: exit code: 2",
    line: "error TS2304: Cannot find name 'b'.",
  },
  {
    runner: "docker build, nothing but the wrapper",
    output:
      '#12 ERROR: process "/bin/sh -c make" did not complete successfully: exit code: 2\nmore',
    line: 'ERROR: process "/bin/sh -c make" did not complete successfully: exit code: 2',
  },
  {
    runner: "make, a tool",
    output:
      'kubectl apply -f k8s/\nerror: no matches for kind "Ingress"\nmake: *** [Makefile:12: check] Error 1',
    line: 'error: no matches for kind "Ingress"',
  },
  {
    runner: "make, a compiler",
    output:
      "cc -c src/a.c\nsrc/a.c:12:5: error: expected ';' before 'return'\nmake[1]: *** [Makefile:3: a.o] Error 1\nmake: *** [Makefile:9: all] Error 2",
    line: "src/a.c:12:5: error: expected ';' before 'return'",
  },
];

describe("the most telling line of", () => {
  it.each(ROWS)("$runner", ({ output, line, item }) => {
    expect(readFailure(output)).toMatchObject({ line, item: item ?? null });
  });

  it("an output without a word about an error: none", () => {
    expect(readFailure("building\n\n  12 files")).toBeNull();
  });
});
