/** The house as ARCHITECTURE.md draws it: who may import whom, one package in one file, small files. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const SRC = resolve(import.meta.dirname, "../src");

/** Room → rooms it may import (itself always). `review` can't reach git or publish; `publish` can't reach review or transcript. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  secrets: ["core"],
  git: ["core"],
  transcript: ["core", "secrets"],
  skills: ["core"],
  gate: ["core", "transcript"],
  review: ["core", "secrets", "skills", "transcript"],
  verify: ["core", "secrets", "skills"],
  proposal: ["core", "git", "skills", "verify"],
  publish: ["core", "git", "skills", "proposal"],
  hook: ["core", "git", "transcript", "skills", "gate"],
  report: ["core", "transcript", "skills", "proposal"],
};
/** The doors and the stories stand above the rooms; `cli` and `action` are the insides of two doors. */
const TOP = new Set(["", "cli", "action"]);

/** Types that cross a wall because the value itself does: the Finding of a refused proposal. */
const TYPE_ONLY: Readonly<Record<string, readonly string[]>> = {
  publish: ["verify/finding.ts"],
};

/** Third-party package → the only files that may import it. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  yaml: ["core/yaml.ts"],
  "zod/mini": ["core/schema.ts"],
  "zod/v4/locales/en.js": ["core/schema.ts"],
  "@secretlint/secretlint-rule-preset-recommend": ["secrets/secretlint.ts"],
  tinyglobby: ["transcript/expand-inputs.ts"],
  openai: ["review/model.ts"],
  "just-bash": ["review/shell-worker.mjs"],
  fflate: ["transcript/archive.ts"],
  "node-sqlite3-wasm": ["transcript/sqlite-file.ts"],
  "jsonc-parser": ["hook/settings-text.ts"],
  "@actions/core": ["action/runner.ts"],
  mustache: ["publish/pull-request-template.ts"],
  commander: ["cli/program.ts"],
  "yocto-spinner": ["cli/terminal.ts"],
  yoctocolors: ["cli/terminal.ts"],
  "simple-git": ["git/remote.ts"],
  "d3-scale": ["report/charts.ts"],
  "d3-shape": ["report/charts.ts"],
  micromark: ["report/markdown.ts"],
  "micromark-extension-gfm-table": ["report/markdown.ts"],
  "@octokit/rest": ["publish/github-client.ts"],
  "@octokit/plugin-throttling": ["publish/github-client.ts"],
  "@octokit/plugin-retry": ["publish/github-client.ts"],
};

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
}

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(?:ts|mjs)$/.test(name))
  .map((name) => name.replaceAll("\\", "/"));

function importsOf(file: string): Import[] {
  const code = readFileSync(join(SRC, file), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  const pattern =
    /\b(?:import|export)\s+(type\s+)?(?:[\w*{},\s]+?\s+from\s+)?"([^"]+)"|\bimport\("([^"]+)"\)/g;
  return [...code.matchAll(pattern)].map((match) => {
    const target = match[2] ?? match[3] ?? "";
    const to = target.startsWith(".")
      ? relative(SRC, resolve(SRC, dirname(file), target)).replaceAll("\\", "/")
      : target;
    return { from: file, to, isType: match[1] !== undefined };
  });
}

const roomOf = (path: string) => (path.includes("/") ? (path.split("/")[0] ?? "") : "");
const imports = files.flatMap(importsOf);
const own = imports.filter(({ to }) => to.endsWith(".ts"));
const foreign = imports.filter(({ to }) => !to.endsWith(".ts") && !to.startsWith("node:"));

describe("the import table", () => {
  test("the rooms on disk are the rooms of the table", () => {
    const rooms = new Set(files.map(roomOf).filter((room) => !TOP.has(room)));
    expect([...rooms].filter((room) => MAY_IMPORT[room] === undefined)).toEqual([]);
  });

  test("no room imports one that it may not", () => {
    const breaches = own
      .filter(({ from, to, isType }) => {
        const [room, target] = [roomOf(from), roomOf(to)];
        if (TOP.has(room) || room === target) return false;
        if (isType && TYPE_ONLY[room]?.includes(to)) return false;
        return !MAY_IMPORT[room]?.includes(target);
      })
      .map(({ from, to }) => `${from} imports ${to}`);
    expect(breaches).toEqual([]);
  });

  test("the two doors that are bricked up stay so, also through others", () => {
    const reach = (start: string) => {
      const seen = new Set<string>();
      const queue = files.filter((file) => roomOf(file) === start);
      for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
        if (seen.has(file)) continue;
        seen.add(file);
        queue.push(
          ...own.filter(({ from, isType }) => from === file && !isType).map(({ to }) => to),
        );
      }
      return new Set([...seen].map(roomOf));
    };
    expect(reach("review")).not.toContain("git");
    expect(reach("review")).not.toContain("publish");
    expect(reach("publish")).not.toContain("review");
    expect(reach("publish")).not.toContain("transcript");
  });

  test("each third-party package is imported by its one file", () => {
    const strays = foreign
      .filter(({ to }) => !to.endsWith("package.json"))
      .filter(({ from, to }) => !PACKAGES[to]?.includes(from))
      .map(({ from, to }) => `${from} imports ${to}`);
    expect(strays).toEqual([]);
  });

  test("nobody imports the doors", () => {
    expect(own.filter(({ to }) => ["cli.ts", "action.ts", "index.ts"].includes(to))).toEqual([]);
  });
});

describe("the house rules", () => {
  test("files stay small", () => {
    const crowded = files
      .map((file) => ({
        file,
        lines: readFileSync(join(SRC, file), "utf8").split("\n").length - 1,
      }))
      // One table of bounds, sorted by room: it is looked up, not read.
      .filter(({ file, lines }) => lines > 280 && file !== "core/limits.ts");
    expect(crowded).toEqual([]);
  });

  test("pipeline.ts is a story of under 150 lines", () => {
    const lines = readFileSync(join(SRC, "pipeline.ts"), "utf8").split("\n").length - 1;
    expect(lines).toBeLessThan(150);
  });

  test("bounds live in core/limits.ts, each with its reason (invariant 8)", () => {
    const limits = readFileSync(join(SRC, "core/limits.ts"), "utf8").split("\n");
    const bare = limits.filter((line, index) => {
      if (!line.startsWith("export const")) return false;
      const above = limits[index - 1] ?? "";
      return !/\*\/|^\/\/|^export const/.test(above);
    });
    expect(bare).toEqual([]);
    const elsewhere = files
      .filter((file) => file !== "core/limits.ts")
      .filter((file) =>
        /^(?:export )?const [A-Z_]*(?:MAX|LIMIT|TIMEOUT)[A-Z_]* = [\d_]+/m.test(
          readFileSync(join(SRC, file), "utf8"),
        ),
      );
    expect(elsewhere).toEqual([]);
  });
});
