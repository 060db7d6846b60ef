/** The workflow files that users copy, and the tables of README.md, against what they must hold. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  convertWorkflowTemplate,
  NoOperationTraceWriter,
  parseWorkflow,
} from "@actions/workflow-parser";
import { describe, expect, test } from "vitest";
import { WORKFLOWS } from "../src/cli/workflows.ts";
import { parseStrictYaml } from "../src/core/yaml.ts";
import { readActionFile } from "./support/built-action.ts";

const DIR = resolve(import.meta.dirname, "../templates/workflows");
const SCOPES = ["actions", "contents", "pull-requests", "statuses"];
const TRIGGERS = [
  "pull_request",
  "pull_request_review",
  "issue_comment",
  "workflow_dispatch",
  "workflow_run",
  "schedule",
];
/** What of an event a stranger can't choose the words of. */
const OWN_WORDS =
  /^(?:github\.(?:token|repository|event_name|event\.(?:workflow_run\.id|repository\.default_branch|(?:pull_request|issue)\.number))|(?:secrets|vars|inputs|matrix|needs|steps)\.[\w.-]+)$/;

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
  readonly concurrency: {
    readonly group: string;
    readonly "cancel-in-progress": boolean;
    readonly queue?: string;
  };
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

/** What GitHub's own reader says of a workflow: its schema, its expressions, the jobs that need each other. */
async function complaintsOf(name: string, content: string): Promise<string[]> {
  const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
  if (value !== undefined) await convertWorkflowTemplate(context, value);
  return context.errors.getErrors().map(({ message }) => message);
}

test.each([
  ["a key that is none", "permissions: {}", "permission: {}", "Unexpected value 'permission'"],
  ["an event that is none", "pull_request:", "pull_requests:", "Unexpected value 'pull_requests'"],
  ["a scope that is none", "contents: read", "content: read", "Unexpected value 'content'"],
  ["an access that is none", "contents: read", "contents: all", "Unexpected value 'all'"],
  ["a context that is none", "github.event.", "event.", "Unrecognized named-value: 'event'"],
  ["an expression that ends nowhere", ".number }}", ".number == }}", "Unexpected end"],
  [
    "a job that is needed and isn't there",
    "runs-on:",
    "needs: plan\n    runs-on:",
    "no dependencies",
  ],
])("GitHub's reader finds %s", async (_, right, wrong, complaint) => {
  const source = readFileSync(join(DIR, "skillpr-verify.yml"), "utf8");
  expect(source).toContain(right);
  const complaints = await complaintsOf("bad.yml", source.replace(right, wrong));
  expect(complaints.join("\n")).toContain(complaint);
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

  test("is one to GitHub's own reader", async () => {
    const action = `acme/skillpr@${"a".repeat(40)}`;
    expect(await complaintsOf(file, source.replaceAll("SKILLPR_ACTION", action))).toEqual([]);
  });

  test("puts no stranger's words into anything, and runs no code of a stranger's", () => {
    expect(workflow.on).not.toHaveProperty("pull_request_target");
    const isCompared = (key: string) => key === "if" || key === "group";
    const walk = (value: unknown, key: string): string[] => {
      if (typeof value === "string")
        return isCompared(key)
          ? []
          : Array.from(value.matchAll(/\$\{\{(.*?)\}\}/gs), ([, inner = ""]) => inner.trim());
      if (typeof value !== "object" || value === null) return [];
      return Object.entries(value).flatMap(([name, one]) => walk(one, name));
    };
    const inserted = walk(workflow.jobs, "").map((one) => one.replace(/^fromJSON\((.*)\)$/, "$1"));
    expect(inserted.filter((one) => !OWN_WORDS.test(one))).toEqual([]);
    // A `run:` would be a shell that reads them; nothing here needs one.
    expect(steps.filter(({ run }) => run !== undefined)).toEqual([]);
    // Events that anybody can cause start jobs with secrets only after a look at who did.
    const [first] = jobs.map(([, job]) => job);
    if ("workflow_run" in workflow.on)
      expect(first?.if).toContain("workflow_run.head_repository.full_name == github.repository");
    if ("issue_comment" in workflow.on || "pull_request_review" in workflow.on) {
      expect(first?.if).toContain('["OWNER", "MEMBER", "COLLABORATOR"]');
      expect(first?.if).toContain("pull_request.head.repo.full_name == github.repository");
      expect(first?.if).toContain("sender.type != 'Bot'");
    }
    for (const [, job] of jobs.slice(1)) expect(job.needs).toBeDefined();
    if (Object.keys(workflow.on).some((name) => /review|comment/.test(name)))
      for (const { uses, with: given } of steps)
        if (uses?.startsWith("actions/checkout@"))
          // Not the pull request's merge, which such an event checks out by itself.
          expect(given?.["ref"]).toMatch(/^\$\{\{ github\.event\.repository\.default_branch \}\}$/);
  });

  test("loses nothing that waits", () => {
    const { "cancel-in-progress": isCancelled, queue } = workflow.concurrency;
    // A newer check replaces an older one; any other run has something of its own to do.
    if (file === "skillpr-verify.yml") expect(isCancelled).toBe(true);
    else expect([isCancelled, queue]).toEqual([false, "max"]);
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
      if (commands.includes("review") || commands.includes("revise")) {
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
