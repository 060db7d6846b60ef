/**
 * Proposals that were made at the same time, each without knowing of the others: for each skill one is kept, what
 * the others' sessions showed is joined to it, and what can't be joined is named.
 */
import { DUPLICATE_MIN_SIMILARITY, JOINED_SESSIONS_MAX } from "../core/limits.ts";
import { contentKey } from "../skills/content-key.ts";
import { SKILL_FILE_NAME } from "../skills/skill-path.ts";
import { summarizeSkill } from "../skills/skill-summary.ts";
import { similarity, type WordSets, wordSetsOf } from "../verify/similarity.ts";
import type { Evidence, Proposal } from "./proposal.ts";

export interface Joined {
  /** One for each skill, by name. */
  readonly kept: readonly Proposal[];
  /** Those whose lesson another one has. */
  readonly joined: readonly Pair[];
  /** Those that say something else about the same skill. */
  readonly conflicts: readonly (Pair & { readonly why: string })[];
}

interface Pair {
  readonly proposal: Proposal;
  /** The one that was kept. */
  readonly kept: Proposal;
}

/**
 * The same answer in whatever order they come. Where proposals for one skill say different things, the one that most
 * sessions agree on is kept.
 */
export function joinProposals(proposals: readonly Proposal[]): Joined {
  const lessons: Candidate[] = [];
  for (const candidate of proposals.map(asCandidate).sort(byRank)) {
    const { proposal } = candidate;
    const twin =
      lessons.find(
        (one) => one.proposal.skill === proposal.skill && whyApart(one, candidate) === null,
      ) ?? lessons.find((one) => isSameLesson(one, candidate));
    if (twin === undefined) lessons.push(candidate);
    else twin.others.push(proposal);
  }
  const kept = new Map<string, Candidate>();
  for (const lesson of lessons) {
    const { skill } = lesson.proposal;
    const rival = kept.get(skill);
    if (rival === undefined || lesson.others.length > rival.others.length) kept.set(skill, lesson);
  }
  return {
    kept: [...kept.values()].map(together).sort(byName),
    joined: [...kept.values()].flatMap(({ proposal, others }) =>
      others.map((other) => ({ proposal: other, kept: proposal })),
    ),
    conflicts: lessons.flatMap((lesson) => conflictsWith(kept, lesson)),
  };
}

interface Candidate {
  readonly proposal: Proposal;
  readonly key: string;
  readonly words: WordSets | null;
  /** Those with the same lesson. */
  readonly others: Proposal[];
}

/** A lesson that was not kept, and all who had it. */
function conflictsWith(kept: ReadonlyMap<string, Candidate>, lesson: Candidate) {
  const winner = kept.get(lesson.proposal.skill);
  if (winner === undefined || winner === lesson) return [];
  const why = whyApart(winner, lesson) ?? "they say different things under the same name";
  return [lesson.proposal, ...lesson.others].map((proposal) => {
    return { proposal, kept: winner.proposal, why };
  });
}

function asCandidate(proposal: Proposal): Candidate {
  const { skill, files } = proposal;
  const text = files.find(({ path }) => path === SKILL_FILE_NAME)?.content;
  const words =
    text === undefined ? null : wordSetsOf(summarizeSkill(SKILL_FILE_NAME, skill, text));
  return { proposal, key: contentKey(files), words, others: [] };
}

/** What was seen to work most often goes first, then the longer session; the digest decides the rest. */
function byRank(a: Candidate, b: Candidate): number {
  const [p, q] = [a.proposal, b.proposal];
  return (
    successes(q.evidence) - successes(p.evidence) ||
    q.session.toolCallCount - p.session.toolCallCount ||
    (p.session.digest < q.session.digest ? -1 : p.session.digest > q.session.digest ? 1 : 0) ||
    byName(p, q)
  );
}

function successes(evidence: readonly Evidence[]): number {
  return evidence.filter(({ outcome }) => outcome === "success").length;
}

function byName(a: Proposal, b: Proposal): number {
  return a.skill < b.skill ? -1 : 1;
}

/** Two names for one new skill. */
function isSameLesson(a: Candidate, b: Candidate): boolean {
  const [p, q] = [a.proposal, b.proposal];
  if (p.skill === q.skill || p.operation !== "ADD" || q.operation !== "ADD") return false;
  return a.key === b.key || isAlike(a, b);
}

function isAlike({ words: a }: Candidate, { words: b }: Candidate): boolean {
  return a !== null && b !== null && similarity(a, b) >= DUPLICATE_MIN_SIMILARITY;
}

/** Why two proposals for one skill can't be joined; null when they can. */
function whyApart(a: Candidate, b: Candidate): string | null {
  const [p, q] = [a.proposal, b.proposal];
  if (p.parent !== q.parent || p.operation !== q.operation)
    return "they were made on different versions of the skill";
  if (p.tree === q.tree || a.key === b.key || isAlike(a, b)) return null;
  return "they say different things under the same name";
}

function together({ proposal, others }: Candidate): Proposal {
  if (others.length === 0) return proposal;
  const text = proposal.files.map(({ content }) => content).join("\n");
  // One session may have taught it in several proposals, or be handed over twice.
  const sessions = new Map(others.map((other) => [other.session.digest, other]));
  sessions.delete(proposal.session.digest);
  const alsoFrom = [...sessions.values()]
    .slice(0, JOINED_SESSIONS_MAX)
    .map(({ session, evidence }) => ({
      session,
      // Of commands that the kept text doesn't have, it would be evidence for nothing.
      evidence: evidence
        .filter(({ command }) => text.includes(command))
        .map((row) => ({ ...row, skill: proposal.skill })),
    }));
  return alsoFrom.length === 0 ? proposal : { ...proposal, alsoFrom };
}
