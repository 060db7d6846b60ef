/** SARIF against the official JSON schema, which `@microsoft/jest-sarif` carries (`ajv` 6 reads its draft-04). */
import schema from "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json" with { type: "json" };
import Ajv from "ajv";
import draft from "ajv/lib/refs/json-schema-draft-04.json" with { type: "json" };
import { describe, expect, it } from "vitest";
import { toSarif } from "../../src/cli/sarif.ts";
import { verify } from "../../src/verify/verify.ts";
import { FLOW, type InputOptions, inputOf, ROOT, skillText } from "../verify/verify-input.ts";

// The formats of addresses and dates are checked too.
const ajv = new Ajv({ schemaId: "auto", meta: draft, format: "full", allErrors: true });
const validate = ajv.compile(schema);

const INPUTS: Readonly<Record<string, InputOptions>> = {
  "nothing to say": { next: { [FLOW]: skillText("release-flow") } },
  "findings with line and column": {
    next: { [FLOW]: skillText("release-flow", { body: "TODO\n\ncat ~/.ssh/id_ed25519\n" }) },
  },
  "odd paths": {
    next: { [`${ROOT}/a b/naïve %?#\u202e\n.md`]: "x", "../up.md": "y", "C:\\x": "z" },
  },
  "a path that isn't UTF-8": { next: { [`${ROOT}/a/\ufffd.md`]: "x" } },
  "a link": { next: { [FLOW]: { mode: "120000", content: "/etc/passwd" } } },
  "too many findings": {
    next: Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`f${n}.txt`, "x"])),
  },
};

describe("SARIF's own schema", () => {
  it.each(Object.entries(INPUTS))("has room for %s", (_name, options) => {
    const log = toSarif(verify(inputOf(options)), { root: ROOT, version: "1.2.3" });
    validate(JSON.parse(JSON.stringify(log)));
    expect(validate.errors).toBeNull();
  });

  it("refuses what is none", () => {
    const log = toSarif([], { root: ROOT, version: "1.2.3" });
    expect(validate({ ...log, version: "2.0.0" })).toBe(false);
    expect(validate({ ...log, runs: [{}] })).toBe(false);
  });
});
