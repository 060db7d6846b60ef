import { SkillprError } from "../core/errors.ts";
import { safeLine } from "../core/text.ts";
import { expandInputs } from "../transcript/expand-inputs.ts";
import { readTranscript } from "../transcript/read-transcript.ts";
import type { Session } from "../transcript/session.ts";
import { skillWrites } from "../transcript/skill-writes.ts";
import { isJson } from "./open-place.ts";
import type { Call } from "./program.ts";
import { readStdin } from "./read-stdin.ts";
import type { Terminal } from "./terminal.ts";

/** Needs no repository: what counts as a write to skills is judged from the session's own folder. */
export async function runTranscripts(call: Call, terminal: Terminal): Promise<number> {
  const sources = await expandInputs(call.positionals, { cwd: process.cwd(), stdin: readStdin });
  const transcripts: object[] = [];
  let exitCode = 0;
  for (const source of sources) {
    const file = source.kind === "file" ? source.path : source.name;
    try {
      const session = await readTranscript(source);
      transcripts.push(describe(file, session));
      if (!isJson(call)) print(file, session, terminal);
    } catch (error) {
      if (!(error instanceof SkillprError)) throw error;
      terminal.note(`${safeLine(error.message)}\n  ${safeLine(error.hint)}`);
      exitCode = Math.max(exitCode, error.exitCode);
    }
  }
  if (isJson(call)) terminal.json({ transcripts });
  return exitCode;
}

function describe(file: string, session: Session) {
  const { agent, agentVersion, id, cwd, startedAt, endedAt, digest } = session;
  return {
    file,
    agent,
    agentVersion,
    sessionId: id,
    cwd,
    turns: session.turns.length,
    toolCallCount: session.toolCallCount,
    issuedToolCallCount: session.issuedToolCallCount,
    subagentToolCallCount: session.subagentToolCallCount,
    failedToolCallCount: session.failedToolCallCount,
    skillsModified:
      skillWrites(session, { skillsRoot: ".qwen/skills", projectRoots: [] }).length > 0,
    startedAt,
    endedAt,
    digest,
  };
}

function print(file: string, session: Session, terminal: Terminal): void {
  const { paint, line } = terminal;
  const version = session.agentVersion === null ? "" : ` ${safeLine(session.agentVersion)}`;
  line(
    `${paint.bold(safeLine(file))}: ${safeLine(session.agent)}${version}, session ${safeLine(session.id)}`,
  );
  const calls = `${session.toolCallCount} completed tool calls (${session.failedToolCallCount} failed)`;
  line(`  ${session.turns.length} turns, ${calls}, ${session.subagentToolCallCount} by sub-agents`);
  for (const note of session.notes) line(`  ${paint.yellow(safeLine(note))}`);
}
