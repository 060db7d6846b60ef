import { expect, it } from "vitest";
import { createRedactor } from "../../src/secrets/redactor.ts";

async function redact(text: string): Promise<string> {
  const [clean = ""] = await createRedactor({ credentials: [] }).redact([text]);
  return clean;
}

const person = ["robin", "miller-corp.io"].join("@");

it.each([
  [`Author: Robin <${person}>`, "Author: Robin <[redacted:email:1]>"],
  [`mailto:${person}?subject=x`, "mailto:[redacted:email:1]?subject=x"],
  [`line\\n${person}\\n`, "line\\n[redacted:email:1]\\n"],
  ["cd /home/robin/shop", "cd /home/[redacted:home-user:1]/shop"],
  ["cd /home/robin", "cd /home/[redacted:home-user:1]"],
  ['{"cwd":"/home/robin"}', '{"cwd":"/home/[redacted:home-user:1]"}'],
  ["/Users/robin.m/shop/a.ts:3", "/Users/[redacted:home-user:1]/shop/a.ts:3"],
  ["C:\\Users\\robin\\shop", "C:\\Users\\[redacted:home-user:1]\\shop"],
  ["C:\\\\Users\\\\robin\\\\shop", "C:\\\\Users\\\\[redacted:home-user:1]\\\\shop"],
  ["C:/Users/robin/shop", "C:/Users/[redacted:home-user:1]/shop"],
  ["/mnt/c/Users/robin/shop", "/mnt/c/Users/[redacted:home-user:1]/shop"],
  ["file:///home/robin/shop", "file:///home/[redacted:home-user:1]/shop"],
  [
    "~/.claude/projects/-home-robin-shop/a.jsonl",
    "~/.claude/projects/-home-[redacted:home-user:1]-shop/a.jsonl",
  ],
  [
    "~/.qwen/projects/-home-robin-shop/chats/a.jsonl",
    "~/.qwen/projects/-home-[redacted:home-user:1]-shop/chats/a.jsonl",
  ],
  [
    "/root/.qwen/projects/-Users-robin-shop/chats",
    "/root/.qwen/projects/-Users-[redacted:home-user:1]-shop/chats",
  ],
  [
    "~/.pi/agent/sessions/--home-robin-shop--/a.jsonl",
    "~/.pi/agent/sessions/--home-[redacted:home-user:1]-shop--/a.jsonl",
  ],
  [
    "~/.claude/projects/-mnt-c-Users-robin-shop",
    "~/.claude/projects/-mnt-c-Users-[redacted:home-user:1]-shop",
  ],
  ["~/.claude/projects/-Users-robin", "~/.claude/projects/-Users-[redacted:home-user:1]"],
  ["projects/C--Users-robin-shop/a", "projects/C--Users-[redacted:home-user:1]-shop/a"],
  ["projects\\c--users-robin-shop", "projects\\c--users-[redacted:home-user:1]-shop"],
  [
    "~/.cursor/projects/Users-robin-shop/a",
    "~/.cursor/projects/Users-[redacted:home-user:1]-shop/a",
  ],
  [
    "~/.cursor/projects/c-Users-robin-shop/a",
    "~/.cursor/projects/c-Users-[redacted:home-user:1]-shop/a",
  ],
  [
    ".cursor\\\\projects\\\\Users-robin-shop",
    ".cursor\\\\projects\\\\Users-[redacted:home-user:1]-shop",
  ],
  [
    "-home-robin-m-shop in /home/robin.m/shop",
    "-home-[redacted:home-user:1]-shop in /home/[redacted:home-user:2]/shop",
  ],
  ["ssh deploy@10.20.30.40", "ssh deploy@[redacted:private-ip:1]"],
  ["http://192.168.7.21:8080/x", "http://[redacted:private-ip:1]:8080/x"],
  ["server at 172.20.3.4.", "server at [redacted:private-ip:1]."],
])("takes out of %j who or where", async (text, clean) => {
  expect(await redact(text)).toBe(clean);
});

it("leaves words and options that look like a project's folder", async () => {
  const text =
    "work-from-home-office tips, run x --home-page-url=/ and -home-dir; class='nav-home-link'";
  expect(await redact(text)).toBe(text);
});

it.each([
  "-Users-robin-shop",
  "cd -- -Users-robin-shop",
  '"-home-robin-shop"',
  "-Users-robin",
  "-home-robin.jsonl",
  "[-Users-robin-shop]",
  "-mnt-c-Users-robin-shop",
  "-var-home-robin-shop",
  "c-Users-robin-shop",
  "total\\n-Users-robin-shop\\n-Users-robin-web\\n",
  "total\\\\n-Users-robin-shop\\\\r\\\\n-home-robin\\\\n",
])("takes the name out of the slug %j once a path gives it", async (text) => {
  const redactor = createRedactor({ credentials: [], home: "/root" });
  const [clean] = await redactor.redact([text, "cd /Users/robin/app"]);
  expect(clean).toBe(text.replaceAll("robin", "[redacted:home-user:1]"));
});

it("knows the name of the process's own home folder", async () => {
  const redactOf = async (home: string) =>
    (await createRedactor({ credentials: [], home }).redact(["-Users-robin-m-shop"]))[0];
  expect(await redactOf("/Users/robin.m")).toBe("-Users-[redacted:home-user:1]-shop");
  expect(await redactOf("C:\\Users\\robin.m")).toBe("-Users-[redacted:home-user:1]-shop");
  expect(await redactOf("/srv/robin.m")).toBe("-Users-robin-m-shop");
  expect(await redactOf("/root")).toBe("-Users-robin-m-shop");
});

it("makes no name of what only looks like a project's folder", async () => {
  const texts = [
    "edit src/routes/-home-hero-section.tsx",
    'fetch("/home/hero") and <Link to="/home/slide">, "/home/page"',
    "a { animation:-home-slide-in 2s }",
    '<div class="x -home-page-x -Users-page-x">',
    "npm run test -home-page-url",
    "git checkout -home-page-fix",
    "-Users-hero-section, C-Users-page",
  ];
  expect(await createRedactor({ credentials: [], home: "/home/robin" }).redact(texts)).toEqual(
    texts,
  );
});

it("leaves a name alone in words that are no slug", async () => {
  const texts = ["cd /home/robin/app", "work-from-home-robin, power-Users-robin, xUsers-robin"];
  expect((await createRedactor({ credentials: [] }).redact(texts))[1]).toBe(texts[1]);
});

it("gives a folder's owner the same placeholder wherever a path names it", async () => {
  expect(await redact("/home/robin/a then /home/robin and /home/kim/b")).toBe(
    "/home/[redacted:home-user:1]/a then /home/[redacted:home-user:1] and /home/[redacted:home-user:2]/b",
  );
});

it("doesn't replace the word where it is no name of a folder", async () => {
  expect(await redact("/home/robin/a: robin sings")).toBe(
    "/home/[redacted:home-user:1]/a: robin sings",
  );
});

it("comes out of a second pass as it went in", async () => {
  const clean = await redact(`${person} /home/robin/x 10.20.30.40`);
  expect(await redact(clean)).toBe(clean);
});
