import { expect, it } from "vitest";
import { raisePatch } from "../../src/skills/version.ts";

it.each([
  ["1.0.0", "1.0.1"],
  ["2.7.9", "2.7.10"],
  ["1.4", "1.4.1"],
  [null, "1.0.1"],
  ["", "1.0.1"],
  ["v1", "1.0.1"],
  ["1.0.0-beta", "1.0.1"],
  ["1.0.99999999999999999999", "1.0.1"],
])("raises %j to %s", (version, raised) => expect(raisePatch(version)).toBe(raised));
