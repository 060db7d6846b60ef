import { inspect } from "node:util";
import { afterEach, describe, expect, test, vi } from "vitest";
import { startDeadline } from "../../src/review/deadline.ts";
import { createModelClient } from "../../src/review/model.ts";
import { ask, clientFor, failureOf, KEY } from "../support/ask-model.ts";
import { completion, failing, scriptedModel } from "../support/scripted-model.ts";

describe("failures that stay", () => {
  test.each([
    [401, "Incorrect API key provided", "OPENAI_API_KEY"],
    [402, "Insufficient credits", "OPENAI_API_KEY has no credit left"],
    [403, "No access to this model", "OPENAI_MODEL or --model"],
    [404, "model 'example-model' not found, try pulling it first", "OPENAI_MODEL or --model"],
    [404, "Not Found", "OPENAI_BASE_URL or --base-url"],
    [400, "Unknown parameter", "OPENAI_MODEL or --model"],
    [400, "registry.example.com/gemma does not support tools", "the review needs tool calls"],
    [
      400,
      '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      "the review needs tool calls",
    ],
    [500, "tools param requires --jinja flag", "the review needs tool calls"],
    [404, "No endpoints found that support tool use", "the review needs tool calls"],
    [400, "This model's maximum context length is 8192 tokens", "the session is too long"],
    [413, "Payload too large", "the session is too long"],
    [302, "", "the server sends us elsewhere"],
  ])("%i %s is not asked again: look at %s", async (status, message, hint) => {
    await using model = await scriptedModel([failing(status, message, { location: "/elsewhere" })]);
    const error = await failureOf(ask(model));
    expect(error.code).toBe("model");
    expect(error.message).toContain(`answered ${status}`);
    expect(error.hint).toContain(hint);
    expect(model.requests).toHaveLength(1);
  });

  test.each([
    ["a web page", "<html>Welcome</html>"],
    ["an empty body", ""],
    ["a list", []],
    ["no choices", { choices: [] }],
    ["a choice without a message", { choices: [{}] }],
    ["null", "null"],
  ])("%s with status 200 is no answer", async (_, body) => {
    await using model = await scriptedModel([{ body }]);
    const error = await failureOf(ask(model));
    expect(error.message).toContain("sent no chat completion");
    expect(error.hint).toContain("/chat/completions");
  });

  test("a port that HTTP clients refuse to open is named, and not tried again", async () => {
    const error = await failureOf(ask({ url: "http://127.0.0.1:6000/v1" }));
    expect(error.message).toMatch(
      /127\.0\.0\.1:6000\/v1 has a port that HTTP clients refuse to open$/,
    );
    expect(error.hint).toContain("another port");
  });

  test("a response without end is given up", async () => {
    await using model = await scriptedModel([{ body: "x".repeat(17 * 1024 * 1024) }]);
    expect((await failureOf(ask(model))).message).toContain("the response is far too large");
  });

  test("words of the server are shown harmless and short", async () => {
    await using model = await scriptedModel([failing(400, `\u001b[31m${"long ".repeat(200)}`)]);
    const { message } = await failureOf(ask(model));
    expect(message).toContain("\\u{1b}[31m");
    expect(message.length).toBeLessThan(300);
  });

  test.each([
    ["not a url", "is not a URL"],
    ["ftp://example.com/v1", "is not an http or https URL"],
    ["https://user:password@example.com/v1", "holds a user name or password"],
  ])("the address %s", async (url, message) => {
    const error = await clientFor(url).catch((reason) => reason);
    expect(error).toMatchObject({ code: "config", message: expect.stringContaining(message) });
    expect(error.message).not.toContain("password@");
  });
});

describe("the deadline", () => {
  test("ends the pauses, and says what the server had answered last", async () => {
    await using model = await scriptedModel([failing(429, "slow down", { "retry-after": "30" })]);
    using deadline = startDeadline(200, new AbortController().signal);
    const error = await failureOf(ask(model, {}, deadline.signal));
    expect(error.code).toBe("model");
    expect(error.message).toMatch(/did not finish within 0.2 seconds.*answered 429 \(slow down\)/);
  });

  test("ends a request that runs, and the server sees the connection go", async () => {
    let isGone = false;
    await using model = await scriptedModel([
      async ({ closed }) => {
        await closed;
        isGone = true;
        return "late";
      },
    ]);
    using deadline = startDeadline(200, new AbortController().signal);
    await failureOf(ask(model, {}, deadline.signal));
    await vi.waitFor(() => expect(isGone).toBe(true));
  });
});

describe("the key", () => {
  afterEach(() => vi.unstubAllEnvs());

  test("goes into one header, and variables of the client library add none", async () => {
    vi.stubEnv("OPENAI_API_KEY", "another-key");
    vi.stubEnv("OPENAI_BASE_URL", "http://127.0.0.1:9/elsewhere");
    vi.stubEnv("OPENAI_ORG_ID", "org-elsewhere");
    vi.stubEnv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer other\nX-Extra: yes");
    await using model = await scriptedModel(["Hello"]);
    await ask(model);
    const { headers, text } = model.requests[0]!;
    expect(headers.authorization).toBe(`Bearer ${KEY}`);
    expect(Object.keys(headers).filter((name) => /^(x-|openai)/.test(name))).toEqual([]);
    expect(JSON.stringify(headers)).not.toContain("elsewhere");
    expect(text).not.toContain(KEY);
  });

  test("none: no header is sent", async () => {
    await using model = await scriptedModel(["Hello"]);
    const client = await createModelClient({
      model: "m",
      baseUrl: model.url,
      apiKey: "",
      log: null,
    });
    const signal = new AbortController().signal;
    await client.complete({ messages: [{ role: "user", content: "Hello" }], tools: [], signal });
    expect(model.requests[0]!.headers.authorization).toBeUndefined();
  });

  test("is in nothing that can be printed: client, errors and their causes", async () => {
    const echo = `Incorrect key ${KEY} (${encodeURIComponent(KEY)}, sk-te****************5Yb7)`;
    await using model = await scriptedModel([failing(401, echo), { status: 400, body: echo }]);
    const client = await clientFor(model.url);
    const printed = [inspect(client, { depth: 20, showHidden: true }), JSON.stringify(client)];
    for (let n = 0; n < 2; n++) {
      const error = await failureOf(ask(model));
      printed.push(
        inspect(error, { depth: 20, showHidden: true }),
        JSON.stringify(error),
        error.hint,
      );
      expect(error.message).toContain("[key]");
    }
    for (const text of printed) expect(text).not.toMatch(/Zr8qLm2V|sk-te|5Yb7/);
  });
});

test("the whole address of the endpoint and a query are understood", async () => {
  await using model = await scriptedModel(["Hello"]);
  await ask({ url: `${model.url}/chat/completions?api-version=1` });
  expect(model.requests[0]!.path).toBe("/v1/chat/completions?api-version=1");
});

test("no usage at all counts as zero", async () => {
  await using model = await scriptedModel([completion({ text: "Hello", usage: null })]);
  expect(await ask(model)).toMatchObject({ inputTokens: 0, outputTokens: 0 });
});
