/** The demo's session that went on: the same records, and more behind them. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEMO_SESSION } from "./built-cli.ts";

const PROJECT = "/home/user/parcels";

/** What the agent says, or one call with its result. */
export type Step =
  | string
  | { readonly run: string; readonly output: string; readonly exitCode: number }
  | { readonly edit: string; readonly from: string; readonly to: string };

/** A check that fails, a wrong change, the right one: a lesson of its own. */
export const ANOTHER_LESSON: readonly Step[] = [
  {
    run: "npm run test:dates",
    output: "not ok 1 - a day late\n  error: \"'1' == '2'\"",
    exitCode: 1,
  },
  { edit: "src/dates.js", from: "getDate()", to: "getDay()" },
  {
    run: "npm run test:dates",
    output: "not ok 1 - a day late\n  error: \"'1' == '2'\"",
    exitCode: 1,
  },
  { edit: "src/dates.js", from: "getDay()", to: "getUTCDate()" },
  { run: "npm run test:dates", output: "# fail 0", exitCode: 0 },
  "Dates are compared in UTC now.",
];

/** Writes the session with these steps behind it. @returns the file */
export function grownDemo(dir: string, name: string, steps: readonly Step[]): string {
  const lines = readFileSync(DEMO_SESSION, "utf8").split("\n").filter(Boolean);
  const { sessionId, version, uuid } = JSON.parse(lines.at(-1) ?? "{}");
  let parentUuid: string = uuid;
  const add = (type: string, role: string, parts: object[], more: object = {}) => {
    const number = String(lines.length).padStart(12, "0");
    const record = {
      uuid: `00000000-0000-4000-8000-${number}`,
      parentUuid,
      sessionId,
      timestamp: `2026-03-09T15:${String(lines.length % 60).padStart(2, "0")}:00.000Z`,
      type,
      cwd: PROJECT,
      version,
      message: { role, parts },
      ...more,
    };
    parentUuid = record.uuid;
    lines.push(JSON.stringify(record));
  };
  add("user", "user", [{ text: "Go on with the dates, please." }], { provenance: "real_user" });
  for (const [index, step] of steps.entries()) {
    if (typeof step === "string") {
      add("assistant", "model", [{ text: step }]);
      continue;
    }
    const id = `call_more_${index}`;
    const isShell = "run" in step;
    const tool = isShell ? "run_shell_command" : "edit";
    const args = isShell
      ? { command: step.run }
      : { file_path: `${PROJECT}/${step.edit}`, old_string: step.from, new_string: step.to };
    add("assistant", "model", [{ functionCall: { id, name: tool, args } }]);
    const isFailure = isShell && step.exitCode !== 0;
    const text = isShell
      ? `Command: ${step.run}\nDirectory: (root)\nOutput: ${step.output}\nError: (none)\nExit Code: ${step.exitCode}\nSignal: (none)`
      : `The file: ${PROJECT}/${step.edit} has been updated.`;
    const response = isFailure ? { error: text } : { output: text };
    const shown = isShell
      ? {
          type: "shell_result",
          version: 1,
          directory: PROJECT,
          exitCode: step.exitCode,
          signal: null,
          outcome: isFailure ? "failed" : "completed",
        }
      : "";
    const status = isFailure ? "error" : "success";
    const toolCallResult = { callId: id, status, resultDisplay: shown, executionStatus: status };
    add("tool_result", "user", [{ functionResponse: { id, name: tool, response } }], {
      toolCallResult,
    });
  }
  const file = join(dir, name);
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}
