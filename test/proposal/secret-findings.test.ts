import { expect, it } from "vitest";
import { secretFindings } from "../../src/proposal/secret-findings.ts";
import { createRedactor } from "../../src/secrets/redactor.ts";

const person = ["robin", "miller-corp.io"].join("@");
const token = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;

async function findingsOf(text: string) {
  const redactor = createRedactor({ credentials: [] });
  const redact = async (one: string) => (await redactor.redact([one]))[0] ?? "";
  const files = [{ path: "a/SKILL.md", bytes: Buffer.from(text) }];
  const findings = await secretFindings(files, redact);
  return findings.map(({ rule, level, line }) => ({ rule, level, line }));
}

it("a secret is an error, where it stands", async () => {
  expect(await findingsOf(`one\n${person}\n${token}\n`)).toEqual([
    { rule: "secret.value", level: "error", line: 2 },
  ]);
});

it("personal data alone is a warning", async () => {
  expect(await findingsOf(`ask ${person}, see /home/robin/x\n`)).toEqual([
    { rule: "secret.personal-data", level: "warning", line: 1 },
  ]);
});

it("examples and placeholders are neither", async () => {
  expect(await findingsOf("user@example.com [redacted:github-token:1] $TOKEN\n")).toEqual([]);
});
