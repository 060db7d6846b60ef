/** What happened in a session, as far as the search for arcs is concerned: its steps in order. */
import { callsOf, type Session, type ToolCall, type Turn } from "../../transcript/session.ts";
import { verdictOf } from "./check-verdict.ts";
import { createFileMemory, type FileMemory } from "./file-memory.ts";
import { type ShellContext, shellCheck, shellSteps } from "./shell-steps.ts";
import type { FoundStep, Step } from "./step.ts";

const CHECKING_TOOL = /test|build|lint|check|compile|validate|diagnos/i;

/** A tool that checks something by itself (an MCP server's `run_tests`): same name and arguments, same check. */
function toolCheck(call: ToolCall) {
  const text = `${call.name} ${JSON.stringify(call.args, Object.keys(call.args).sort())}`;
  const command = { key: `\n${text}`, exactKey: `\n\n${text}`, text, folder: null, masked: false };
  return { kind: "check", command, verdict: verdictOf(call, false) } as const;
}

function fileSteps(call: ToolCall, turn: string, memory: FileMemory): FoundStep[] {
  if (call.outcome !== "success") return [];
  const change = memory.change(call, turn);
  return [
    typeof change === "string"
      ? { kind: "unseen-change", why: change }
      : { kind: "change", change },
  ];
}

interface Memory extends ShellContext {
  readonly files: FileMemory;
  readonly created: Set<string>;
}

function mainThreadSteps(call: ToolCall, turn: Turn, memory: Memory): FoundStep[] {
  switch (call.kind) {
    case "shell":
      return shellSteps(call, turn.id, memory);
    case "write":
    case "edit":
      return fileSteps(call, turn.id, memory.files);
    case "read":
      memory.files.see(call);
      return [];
    case "search":
      return call.outcome === "success" ? [{ kind: "look", command: null }] : [];
    case "other":
      return CHECKING_TOOL.test(call.name) ? [toolCheck(call)] : [];
    default:
      return [];
  }
}

/** What the run of a check needs to be told by, before a step of the session was read. */
function contextOf({ cwd, format }: Session): ShellContext {
  return { cwd, created: new Set(), recordsOutcomes: format !== "openai-messages" };
}

/**
 * Whether a check failed and the same one succeeded later. Where none did there is no arc, and the steps, of which
 * there may be a million, needn't be made.
 */
export function hasFixedCheck(session: Session): boolean {
  const context = contextOf(session);
  const failed = new Set<string>();
  for (const { turn, call } of callsOf(session)) {
    if (turn.rewound || turn.subagent !== null) continue;
    const run = checkIn(call, context);
    if (run === null) continue;
    if (run.verdict.color === "red") failed.add(run.command.key);
    else if (run.verdict.color === "green" && failed.has(run.command.key)) return true;
  }
  return false;
}

function checkIn(call: ToolCall, context: ShellContext) {
  if (call.kind === "shell") return shellCheck(call, context);
  return call.kind === "other" && CHECKING_TOOL.test(call.name) ? toolCheck(call) : null;
}

/**
 * The steps of the live main thread, in order. Rewound turns are left out: the user took them back.
 * Of sub-agents only the fact that they wrote something is kept: their own work isn't evidence.
 */
export function readSteps(session: Session): Step[] {
  const created = new Set<string>();
  const memory: Memory = { ...contextOf(session), files: createFileMemory(session), created };
  const steps: Step[] = [];
  const add = (turn: Turn, found: FoundStep) => {
    if (found.kind === "change" && found.change.creates) memory.created.add(found.change.path);
    steps.push({ ...found, turn: turn.id, at: steps.length } as Step);
  };
  for (const { turn, call } of callsOf(session)) {
    if (turn.rewound) continue;
    if (turn.subagent === null) {
      for (const found of mainThreadSteps(call, turn, memory)) add(turn, found);
    } else if (call.outcome === "success" && call.writePaths.length > 0) {
      add(turn, { kind: "unseen-change", why: "subagent" });
    }
  }
  return steps;
}
