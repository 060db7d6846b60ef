import { expect, test } from "vitest";
import { scriptedModel } from "./scripted-model.ts";

const post = (url: string) => fetch(`${url}/chat/completions`, { method: "POST", body: "{}" });

test("asked for more than its script has, it fails the test at the end", async () => {
  const model = await scriptedModel(["Hello"]);
  expect((await post(model.url)).status).toBe(200);
  expect(model.left()).toBe(0);
  expect((await post(model.url)).status).toBe(400);
  await expect(model.close()).rejects.toThrow("request 2: Error: the script has no answer left");
});

test("an entry that throws fails the test at the end", async () => {
  const model = await scriptedModel([
    () => {
      throw new Error("expected something else");
    },
  ]);
  await post(model.url);
  await expect(model.close()).rejects.toThrow("expected something else");
});

test("it closes at once, also while a request waits", async () => {
  const model = await scriptedModel([() => new Promise<never>(() => undefined)]);
  const waiting = post(model.url).catch(() => "cut");
  while (model.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await model.close();
  expect(await waiting).toBe("cut");
});
