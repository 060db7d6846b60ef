/** The sessions of a report: their transcripts, where they can be had, with every secret replaced. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { SkillprError } from "./core/errors.ts";
import { type Repository, stateDir } from "./git/repository.ts";
import { readQueue } from "./hook/queue.ts";
import { queueFolders } from "./hook/queue-files.ts";
import { openSpool, redactTranscript } from "./redact-transcript.ts";
import type { SealedSkill } from "./report/marks.ts";
import { isMissing, type ReportProposal, type ReportSession } from "./report/report-data.ts";
import { citedTimeline, sessionTimeline } from "./report/timeline.ts";
import { createRedactor } from "./secrets/redactor.ts";
import { readTranscript, type TranscriptSource } from "./transcript/read-transcript.ts";

/** Where transcripts come from. */
export interface TranscriptsOf {
  /** Shown whatever they are of. */
  readonly named: readonly TranscriptSource[];
  /** Finds the session of a proposal in the agents' own stores; null: not looked for. */
  readonly find: ((sessionId: string) => Promise<TranscriptSource>) | null;
  /** Why nothing is looked for: one sentence. */
  readonly whyNot: string;
}

interface Question {
  readonly repository: Repository;
  readonly transcripts: TranscriptsOf;
  readonly credentials: readonly string[];
}

/** Those behind the proposals first, in their order; each once. */
export async function gatherSessions(
  question: Question,
  proposals: readonly ReportProposal[],
): Promise<ReportSession[]> {
  const bySession = new Map<string, SealedSkill[]>();
  for (const { skill, sealed } of proposals) {
    if (isMissing(sealed)) continue;
    const { id } = sealed.session;
    bySession.set(id, [...(bySession.get(id) ?? []), { skill, sealed }]);
  }
  const named = new Map<string, ReportSession>();
  for (const source of question.transcripts.named) {
    const session = await readSession(source, bySession, question);
    named.set(session.id, session);
  }
  const sessions: ReportSession[] = [];
  for (const [id, skills] of bySession) {
    sessions.push(named.get(id) ?? (await foundSession(id, skills, bySession, question)));
    named.delete(id);
  }
  return [...sessions, ...named.values()];
}

async function foundSession(
  id: string,
  skills: readonly SealedSkill[],
  bySession: ReadonlyMap<string, readonly SealedSkill[]>,
  question: Question,
): Promise<ReportSession> {
  const { find, whyNot } = question.transcripts;
  try {
    const source = find === null ? null : (captured(id, question.repository) ?? (await find(id)));
    const read = source === null ? null : await readSession(source, bySession, question);
    // The beginning of an id is enough for the stores: another session is no source of this one.
    if (read?.id === id) return read;
    return citedSession(id, skills, source === null ? whyNot : NOT_FOUND);
  } catch (error) {
    if (!(error instanceof SkillprError)) throw error;
    return citedSession(id, skills, NOT_FOUND);
  }
}

const NOT_FOUND = "The transcript of this session was not found on this machine, or can’t be read";

/** The copy that a hook made, as long as it is kept. */
function captured(id: string, repository: Repository): TranscriptSource | null {
  const folders = queueFolders(stateDir(repository));
  const job = readQueue(folders).jobs.find(
    ({ capture, record }) => (capture ?? record)?.sessionId === id,
  );
  const copy = job?.record?.transcript ?? job?.capture?.copy;
  const path = copy === undefined ? null : join(folders.transcripts, copy);
  return path !== null && existsSync(path) ? { kind: "file", path } : null;
}

function citedSession(id: string, skills: readonly SealedSkill[], why: string): ReportSession {
  const { agent = "", model = null, toolCallCount = 0 } = skills[0]?.sealed.session ?? {};
  return {
    id,
    agent,
    model,
    toolCallCount,
    timeline: citedTimeline(skills),
    notes: [`${why}: these are the turns that the proposals cite.`],
  };
}

async function readSession(
  source: TranscriptSource,
  bySession: ReadonlyMap<string, readonly SealedSkill[]>,
  { repository, credentials }: Question,
): Promise<ReportSession> {
  using spool = openSpool(repository);
  const raw = await readTranscript(source, spool);
  const { session } = await redactTranscript(raw, spool, createRedactor({ credentials }));
  const { id, agent, model, toolCallCount, digest } = session;
  const skills = bySession.get(id) ?? [];
  const wentOn = skills.some(({ sealed }) => sealed.session.digest !== digest);
  const notes = wentOn
    ? [
        "The transcript isn’t the one that was reviewed: the session went on, or its file was changed.",
      ]
    : [];
  return {
    id,
    agent,
    model,
    toolCallCount,
    timeline: sessionTimeline(session, skills),
    notes: [...notes, ...session.notes],
  };
}
