import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TOOL_OUTPUT_MAX_CHARS } from "../../../src/core/limits.ts";
import { MARKED, type ToolBench, toolBench } from "../tool-bench.ts";

let tools: ToolBench;
const sh = (command: string, signal?: AbortSignal) => tools.call("shell", { command }, signal);

beforeAll(async () => {
  tools = await toolBench({
    files: {
      "README.md": "# Exämple ü\n",
      "src/a.ts": "one\ntwo\nthree\n",
      "src/deep/b.ts": "two\n",
      "package.json": '{"scripts":{"test":"vitest"}}',
      "big.txt": "0123456789abcdef\n".repeat(20_000),
      ".gitignore": "ignored\n",
    },
    prepare: async (repository) => {
      symlinkSync("/etc/passwd", join(repository.dir, "link"));
      repository.write("data.bin", Buffer.from([0, 255, 1, 254]));
      repository.write("huge.txt", "0123456789abcde\n".repeat(300_000));
      await repository.commit("second");
      repository.write("ignored", "secret");
      repository.write("untracked", "secret");
    },
    transcript: ["# Session\n\nt1 user: fix the two tests\n"],
  });
  tools.skill("marked/SKILL.md", MARKED);
});
afterAll(() => tools[Symbol.asyncDispose]());

describe("what it shows", () => {
  it.each([
    ["cat README.md; wc -c < README.md", "# Exämple ü\n14"],
    [
      "find . -type f | sort",
      "./.gitignore\n./.qwen/skills/marked/SKILL.md\n./big.txt\n./data.bin\n./huge.txt\n./package.json\n./README.md\n./src/a.ts\n./src/deep/b.ts",
    ],
    [
      "grep -rn two src /transcript | sort",
      "/transcript/session.md:3:t1 user: fix the two tests\nsrc/a.ts:2:two\nsrc/deep/b.ts:1:two",
    ],
    ["cd src && ls; pwd", "a.ts\ndeep\n$ROOT/src"],
    [
      "sed -n '2,3p' src/a.ts; head -1 src/a.ts; tail -n 1 src/a.ts; awk 'NR==2' src/a.ts",
      "two\nthree\none\nthree\ntwo",
    ],
    ["jq -r .scripts.test package.json", "vitest"],
    ["echo *.md; for f in src/*.ts; do basename $f; done", "README.md\na.ts"],
    ["cat <<EOF\nhere $((1 + 1))\nEOF", "here 2"],
    ["comm -12 <(echo a) <(echo a; echo b); sort <(echo b; echo a)", "a\na\nb"],
    ["cat nowhere 2>/dev/null || echo none; echo x >/dev/null; echo y &> /dev/null", "none"],
    ["base64 data.bin; cat data.bin | wc -c", "AP8B/g==\n4"],
    ["[ -f README.md ] && [ -d src ] && [ ! -e untracked ] && echo yes", "yes"],
    ["true", "[no output]"],
    ["grep nothing README.md", "[exit code 1]"],
  ])("%s", async (command, expected) => {
    const answer = await sh(command);
    expect(answer).toEqual({ text: expected.replace("$ROOT", tools.root), isError: false });
  });

  it("answers for git, also below the root and in a pipe", async () => {
    const { text } = await sh(
      "git --no-pager log --format=%s -1 | cat; cd src; git log --format=%s -- a.ts; git show HEAD:src/a.ts | head -1; git diff --stat HEAD~1 -- deep; git status | tail -1; git blame a.ts | wc -l",
    );
    expect(text.split("\n").slice(0, 5)).toEqual([
      "second",
      "first",
      "one",
      "nothing to commit, working tree clean",
      "3",
    ]);
  });

  it("cuts a long output in the middle, and says how to get the rest", async () => {
    const { text } = await sh("cat big.txt");
    expect(text.length).toBeLessThan(TOOL_OUTPUT_MAX_CHARS + 200);
    expect(text).toMatch(/\n\[… \d+ characters left out of 340000: narrow it down with grep/);
    expect(text.endsWith("\n0123456789abcdef")).toBe(true);
  });

  it("says that a file is too large, and not that it isn't there", async () => {
    const { text } = await sh("cat ./huge.txt; wc -l < huge.txt; cat missing.txt");
    expect(text).toContain("huge.txt: Could not be read");
    expect(text).toContain('huge.txt" is too large for the shell, with more than 4194304 bytes');
    expect(text).toContain("cat: missing.txt: No such file");
  });

  it("reads what went to stderr in one pass, however it looks", async () => {
    await using long = await toolBench({
      files: { "colons.txt": ": ".repeat(500_000) },
      prepare: async (repository) => {
        symlinkSync("/etc/passwd", join(repository.dir, "link"));
        await repository.commit("second");
      },
    });
    // Told for what it is, the link is looked for among the lines.
    const { text } = await long.call("shell", { command: "cat colons.txt >&2; cat link" });
    expect(text).toContain("cat: link: Could not be read");
  });

  it("names the commands when there is none of that name", async () => {
    expect((await sh("rg two")).text).toContain("[commands: awk, ");
  });

  it("describes a link, and doesn't follow it", async () => {
    const { text } = await sh("readlink link; ls; cat link");
    expect(text).toContain("/etc/passwd\n");
    expect(text).toContain("cat: link: Could not be read");
    expect(text).toContain("is a symbolic link");
    expect(text).not.toContain("root:");
  });
});

describe("what it doesn't do", () => {
  it("writes nothing, says so first, and keeps what was printed", async () => {
    const { text, isError } = await sh("echo before; echo x > out.txt; echo after; cat out.txt");
    expect(isError).toBe(true);
    expect(text).toMatch(
      /^nothing was written to or removed from ".*\/out\.txt": the shell only reads/,
    );
    expect(text).toContain("\nbefore\nafter\n[stderr]\ncat: out.txt: No such file");
  });

  it("keeps nothing from one call to the next", async () => {
    await sh("cd src; x=1; f() { echo f; }; exec > /dev/null");
    expect((await sh('echo "[$x]"; pwd; f')).text).toContain(`[]\n${tools.root}\n[stderr]`);
  });

  it("knows nothing of this process", async () => {
    process.env["SKILLPR_TEST_SECRET"] = "do-not-show";
    const { text } = await sh("env; printenv; set; export -p; cat /proc/self/environ; whoami; id");
    delete process.env["SKILLPR_TEST_SECRET"];
    expect(text).not.toContain("do-not-show");
    expect(text).not.toContain(process.env["PATH"] ?? "no path");
    expect(text).toContain("PWD=");
  });

  it("doesn't run when the review is over, and stops at once when it ends", async () => {
    expect(await sh("echo x", AbortSignal.abort())).toMatchObject({ isError: true });
    const stop = new AbortController();
    // A regular expression that keeps one thread busy for minutes.
    const busy = "grep -Ec '((a|b){1,50}){1,20}c' <<< $(printf 'a%.0s' {1..90000})";
    const running = sh(busy, stop.signal);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    const stoppedAt = performance.now();
    stop.abort();
    expect((await running).text).toContain("the review is over");
    expect(performance.now() - stoppedAt).toBeLessThan(2000);
  });

  it.each([
    [{ command: "" }, "empty"],
    [{ command: " \n" }, "empty"],
    [{ command: "echo \0" }, "NUL byte"],
    [{ command: "x".repeat(10_000_000) }, "characters"],
    [{}, "missing"],
    [{ command: ["ls"] }, "must be a string"],
  ])("starts with arguments that are none: %#", async (args, reason) => {
    const answer = await tools.call("shell", args);
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining(reason) });
  });
});
