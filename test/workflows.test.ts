/** The workflow files that users copy, and the tables of README.md, against what they must hold. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { WORKFLOWS } from "../src/cli/workflows.ts";
import { parseStrictYaml } from "../src/core/yaml.ts";
import { readActionFile } from "./support/built-action.ts";

const DIR = resolve(import.meta.dirname, "../templates/workflows");
const SCOPES = ["actions", "contents", "pull-requests", "statuses"];
const TRIGGERS = ["pull_request", "workflow_dispatch", "workflow_run", "schedule"];

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
  readonly env?: Readonly<Record<string, string>>;
}
interface Job {
  readonly needs?: string | readonly string[];
  readonly if?: string;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly strategy?: object;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly "runs-on"?: string;
  readonly "timeout-minutes"?: number;
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly name: string;
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly concurrency: { readonly group: string; readonly "cancel-in-progress": boolean };
  readonly jobs: Readonly<Record<string, Job>>;
}

const action = readActionFile();
const files = readdirSync(DIR).sort();

test("each is one that `skillpr init` knows", () => {
  expect(files).toEqual(
    Object.keys(WORKFLOWS)
      .map((name) => `skillpr-${name}.yml`)
      .sort(),
  );
});

describe.each(files)("%s", (file) => {
  const source = readFileSync(join(DIR, file), "utf8");
  const parsed = parseStrictYaml(source);
  const workflow = (parsed.ok ? parsed.value : {}) as Workflow;
  const jobs = Object.entries(workflow.jobs ?? {});
  const steps = jobs.flatMap(([, job]) => job.steps);

  test("is a workflow, with nothing but the keys of one", () => {
    expect(parsed).toMatchObject({ ok: true });
    expect(Object.keys(workflow)).toEqual(["name", "on", "permissions", "concurrency", "jobs"]);
    expect(Object.keys(workflow.on).filter((name) => !TRIGGERS.includes(name))).toEqual([]);
    const known = [
      "needs",
      "if",
      "runs-on",
      "timeout-minutes",
      "strategy",
      "permissions",
      "outputs",
      "steps",
    ];
    const keys = jobs.flatMap(([, job]) => Object.keys(job));
    expect(keys.filter((key) => !known.includes(key))).toEqual([]);
    const ofSteps = steps.flatMap((step) => Object.keys(step));
    expect(ofSteps.filter((key) => !["id", "if", "uses", "with"].includes(key))).toEqual([]);
    expect(jobs.every(([, job]) => job["runs-on"] === "ubuntu-latest")).toBe(true);
    expect(jobs.every(([, job]) => (job["timeout-minutes"] ?? 0) > 0)).toBe(true);
    expect(workflow.concurrency.group).toMatch(/^skillpr/);
  });

  test("grants nothing on top, and gives a reason for each grant of a job", () => {
    expect(workflow.permissions).toEqual({});
    for (const [, { permissions }] of jobs) {
      expect(permissions).toBeDefined();
      const grants = Object.entries(permissions ?? {});
      expect(grants.filter(([scope]) => !SCOPES.includes(scope))).toEqual([]);
      for (const [scope, access] of grants)
        expect(source).toMatch(new RegExp(`^ {6}${scope}: ${access} # to \\w`, "m"));
    }
    const granted = source.match(/^ {6}[a-z-]+: (?:read|write)\b.*$/gm) ?? [];
    expect(granted.filter((line) => !/ # to \w/.test(line))).toEqual([]);
  });

  test("pins every action to a commit, and lets no checkout keep the token", () => {
    for (const { uses = "", with: given } of steps) {
      expect(uses).toMatch(/^(?:SKILLPR_ACTION|[\w.-]+\/[\w./-]+@[0-9a-f]{40})$/);
      if (uses.startsWith("actions/checkout@")) expect(given?.["persist-credentials"]).toBe(false);
    }
    expect(
      source.match(/uses: actions\/.*$/gm)?.every((line) => / # v\d+\.\d+\.\d+$/.test(line)),
    ).toBe(true);
  });

  test("gives skillpr's steps inputs that it has, and each job one kind of credential", () => {
    for (const [, job] of jobs) {
      const own = job.steps.filter(({ uses }) => uses === "SKILLPR_ACTION");
      const commands = own.map((step) => step.with?.["command"]);
      for (const { with: given = {} } of own)
        expect(Object.keys(given).filter((name) => action.inputs[name] === undefined)).toEqual([]);
      const text = JSON.stringify(job);
      const hasToken = text.includes("github.token") || text.includes("GITHUB_TOKEN");
      const hasKey = text.includes("OPENAI_API_KEY");
      if (commands.includes("review")) {
        expect(hasToken).toBe(false);
        expect(job.permissions).toEqual({ contents: "read" });
      }
      if (commands.some((one) => one === "publish" || one === "plan")) expect(hasKey).toBe(false);
      expect(hasToken && hasKey).toBe(false);
      const isWriting = Object.values(job.permissions ?? {}).includes("write");
      expect(isWriting).toBe(commands.includes("publish"));
    }
  });

  test("refers to what is there", () => {
    for (const [, job] of jobs) {
      const needs = [job.needs ?? []].flat();
      expect(needs.filter((name) => workflow.jobs[name] === undefined)).toEqual([]);
      for (const [, name = "", output = ""] of JSON.stringify(job).matchAll(
        /needs\.(\w+)\.outputs\.(\w+)/g,
      )) {
        expect(needs).toContain(name);
        expect(workflow.jobs[name]?.outputs).toHaveProperty(output);
      }
      for (const [, id = "", output = ""] of JSON.stringify(job).matchAll(
        /steps\.(\w+)\.outputs\.([\w-]+)/g,
      )) {
        expect(job.steps.map((step) => step.id)).toContain(id);
        expect(action.outputs).toHaveProperty(output);
      }
    }
    const uploaded = steps.filter(({ uses }) => uses?.startsWith("actions/upload-artifact@"));
    for (const { uses, with: given } of steps) {
      if (!uses?.startsWith("actions/download-artifact@") || given?.["run-id"] !== undefined)
        continue;
      const wanted = String(given?.["name"] ?? given?.["pattern"]).replace(/\*$/, "");
      expect(uploaded.some((one) => String(one.with?.["name"]).startsWith(wanted))).toBe(true);
    }
  });
});

test("README.md has the inputs and outputs of action.yml (npm run docs:action)", () => {
  const script = resolve(import.meta.dirname, "../scripts/action-tables.mjs");
  execFileSync(process.execPath, [script, "--check"], { stdio: "pipe" });
});
