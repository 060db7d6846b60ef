import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createModelClient } from "../../src/review/model.ts";
import { type ModelLog, openModelLog } from "../../src/review/model-log.ts";
import { createRedactor } from "../../src/secrets/redactor.ts";
import { failing, scriptedModel, type Turn } from "../support/scripted-model.ts";

const KEY = "key-Zr8qLm2Vx0Tn5Yb7";
const SECRET = "hunter2-correct-horse";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "model-log-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** The real redactor, which knows the key and one more secret. */
function openLog(dir: string): Promise<ModelLog> {
  const redactor = createRedactor({ credentials: [KEY, SECRET] });
  return openModelLog({ dir, redact: async (text) => (await redactor.redact([text]))[0] ?? "" });
}

async function ask(script: readonly Turn[], log: ModelLog, content: string): Promise<void> {
  await using model = await scriptedModel(script);
  const options = { model: "example-model", baseUrl: model.url, apiKey: KEY, log };
  const client = await createModelClient({ ...options, timing: { pauseMs: 1 } });
  const signal = new AbortController().signal;
  await client.complete({ messages: [{ role: "user", content }], tools: [], signal });
}

function read(dir: string, name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(dir, name), "utf8"));
}

test("every request and response is one private file, redacted, without key and headers", async () => {
  const dir = join(home, "log", "deep");
  const log = await openLog(dir);
  await ask([`The word is ${SECRET}.`], log, `Mind ${SECRET} and ${KEY}.`);
  expect(readdirSync(dir).sort()).toEqual(["0001-request.json", "0001-response.json"]);
  for (const name of readdirSync(dir)) {
    expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600);
    const text = readFileSync(join(dir, name), "utf8");
    expect(text).not.toContain(KEY);
    expect(text).not.toContain(SECRET);
    expect(text).not.toMatch(/authorization|user-agent/i);
    expect(text).toContain("[redacted:");
  }
  expect(read(dir, "0001-request.json")["body"]).toMatchObject({ model: "example-model" });
  expect(read(dir, "0001-response.json")).toMatchObject({
    status: 200,
    durationMs: expect.any(Number),
    body: { choices: [{ finish_reason: "stop" }] },
  });
});

test("failed tries are there too, numbered on, in a folder that has files already", async () => {
  const log = await openLog(home);
  writeFileSync(join(home, "0001-request.json"), "not ours");
  await ask([failing(503, "busy"), { status: 502, body: "<html>" }, "DROP", "Hello"], log, "Hi");
  expect(readdirSync(home).sort().slice(1)).toEqual(
    [2, 3, 4, 5].flatMap((n) => [`000${n}-request.json`, `000${n}-response.json`]),
  );
  expect(readFileSync(join(home, "0001-request.json"), "utf8")).toBe("not ours");
  expect(read(home, "0002-response.json")).toMatchObject({
    status: 503,
    body: { error: { message: "busy" } },
  });
  expect(read(home, "0003-response.json")).toMatchObject({ status: 502, text: "<html>" });
  expect(read(home, "0004-response.json")).toMatchObject({
    status: null,
    text: expect.stringContaining("could not be reached"),
  });

  await ask(["Hello"], await openLog(home), "Hi");
  expect(readdirSync(home)).toContain("0006-response.json");
});

test("a folder that can't be made is an error of the flag", async () => {
  writeFileSync(join(home, "file"), "");
  await expect(openLog(join(home, "file"))).rejects.toMatchObject({
    code: "usage",
    message: expect.stringContaining("--model-log"),
  });
});

test("a folder that went away is an error, and nothing is sent", async () => {
  const log = await openLog(join(home, "log"));
  rmSync(join(home, "log"), { recursive: true });
  await expect(ask([], log, "Hi")).rejects.toMatchObject({
    code: "model",
    message: expect.stringContaining("for --model-log: ENOENT"),
  });
});

test("names of fields are redacted too", async () => {
  const log = await openLog(home);
  await log.request(JSON.stringify({ arguments: { [SECRET]: [{ [KEY]: 1 }] } }));
  const text = readFileSync(join(home, "0001-request.json"), "utf8");
  expect(text).not.toMatch(new RegExp(`${SECRET}|${KEY}`));
});

test("values that are nested without end are cut", async () => {
  const log = await openLog(home);
  const respond = await log.request("[".repeat(5000) + "]".repeat(5000));
  await respond({ status: 200, durationMs: 1, text: "{}" });
  expect(readFileSync(join(home, "0001-request.json"), "utf8")).toContain("[nested too deeply]");
});
