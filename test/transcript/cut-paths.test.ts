import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { SessionBuilder } from "../../src/transcript/session-builder.ts";

const CALLS = 40;
const MEGABYTE = 1024 * 1024;

test.each([
  [
    "apply_patch",
    "input",
    (n: number) => `*** Begin Patch\n*** Add File: src/parcels/part-${n}.ts\n`,
  ],
  ["bash", "command", (n: number) => `cat > src/parcels/part-${n}.ts <<'EOF'\n`],
])(
  "the paths that a call of %s writes don't keep the whole of a long argument in memory",
  (name, key, head) => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const builder = new SessionBuilder();
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let n = 0; n < CALLS; n += 1) {
      const turn = builder.turn(null, { role: "agent" });
      const text = Buffer.from(`${head(n)}${"+ line\n".repeat(MEGABYTE / 7)}`).toString("utf8");
      const call = builder.call(turn, { id: `call_${n}`, name, args: { [key]: text } });
      expect(call.writePaths).toEqual([`src/parcels/part-${n}.ts`]);
    }
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan((CALLS * MEGABYTE) / 4);
    expect(builder.findCall("call_0")).not.toBe(null);
  },
);
