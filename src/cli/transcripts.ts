import { DEFAULTS } from "../core/config.ts";
import { SkillprError } from "../core/errors.ts";
import { count, safeLine } from "../core/text.ts";
import { credentialsOf } from "../secrets/credentials.ts";
import { createRedactor } from "../secrets/redactor.ts";
import { expandInputs } from "../transcript/expand-inputs.ts";
import { readTranscript, type TranscriptSource } from "../transcript/read-transcript.ts";
import type { Session } from "../transcript/session.ts";
import { skillWrites } from "../transcript/skill-writes.ts";
import { isJson } from "./open-place.ts";
import type { Call } from "./program.ts";
import { readStdin } from "./read-stdin.ts";
import type { Terminal } from "./terminal.ts";

/** Needs no repository: what counts as a write to skills is judged from the session's own folder. */
export async function runTranscripts(call: Call, terminal: Terminal): Promise<number> {
  const transcripts: object[] = [];
  const errors: { file: string; message: string; hint: string }[] = [];
  const refuse = (file: string, error: unknown) => {
    if (!(error instanceof SkillprError)) throw error;
    errors.push({ file, message: error.message, hint: error.hint });
    terminal.note(safeLine(error.message));
  };
  for (const input of call.positionals) {
    try {
      for (const source of await expandInputs([input], { cwd: process.cwd(), stdin: readStdin }))
        await look(source);
    } catch (error) {
      refuse(input, error);
    }
  }
  async function look(source: TranscriptSource): Promise<void> {
    const file = source.kind === "file" ? source.path : source.name;
    try {
      const session = await withoutSecrets(await readTranscript(source));
      transcripts.push(describe(file, session));
      if (!isJson(call)) print(file, session, terminal);
    } catch (error) {
      refuse(file, error);
    }
  }
  // Most files of a folder are refused for the same reason: the way out is said once.
  for (const hint of new Set(errors.map((error) => error.hint)))
    terminal.note(`  ${safeLine(hint)}`);
  if (isJson(call)) terminal.json({ transcripts, ...(errors.length > 0 && { errors }) });
  return errors.length > 0 ? 1 : 0;
}

/** Only counts and these words are shown of a session; they are redacted like everything else. */
async function withoutSecrets(session: Session): Promise<Session> {
  const redactor = createRedactor({ credentials: credentialsOf(process.env) });
  const { id, cwd, agentVersion } = session;
  const [shownId = "", shownCwd = "", shownVersion = ""] = await redactor.redact([
    id,
    cwd ?? "",
    agentVersion ?? "",
  ]);
  return {
    ...session,
    id: shownId,
    cwd: cwd === null ? null : shownCwd,
    agentVersion: agentVersion === null ? null : shownVersion,
  };
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
      skillWrites(session, { skillsRoot: DEFAULTS.skillsRoot, projectRoots: [] }).length > 0,
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
  const { toolCallCount, failedToolCallCount } = session;
  const calls = `${count(toolCallCount, "completed tool call")} (${failedToolCallCount} failed)`;
  const { turns, subagentToolCallCount: others } = session;
  const bySubAgents = others === 0 ? "" : `, ${others} by sub-agents`;
  line(`  ${count(turns.length, "turn")}, ${calls}${bySubAgents}`);
  const [write] = skillWrites(session, { skillsRoot: DEFAULTS.skillsRoot, projectRoots: [] });
  if (write !== undefined) line(`  wrote skills itself: ${safeLine(write.path)} (${write.turn})`);
  for (const note of session.notes) line(`  ${paint.yellow(safeLine(note))}`);
}
