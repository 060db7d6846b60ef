/**
 * Skillbook proposals that other processes sealed, maybe on different versions: unlike texts of a skill they
 * don't exclude each other. What each did to the version that it was made on is done to the one that stands
 * now, once, and proposed like any other change.
 */
import { JOINED_SESSIONS_MAX, PROPOSAL_WHY_MAX_CHARS } from "./core/limits.ts";
import { cut } from "./core/text.ts";
import { ObjectReader } from "./git/objects.ts";
import type { Repository } from "./git/repository.ts";
import type { Proposal } from "./proposal/proposal.ts";
import type { Place } from "./proposals.ts";
import {
  fetchOpenSkillbook,
  type MadeChange,
  proposeSkillbook,
  type SkillbookChange,
} from "./propose-skillbook.ts";
import { hashOf } from "./publish/marks-branch.ts";
import { branchRef, describeBranch } from "./publish/open-proposals.ts";
import type { PullRequests } from "./publish/pull-requests.ts";
import type { SkillbookOutcome } from "./skillbook-outcome.ts";
import { placeWith } from "./skillbook-place.ts";
import { withoutMarks } from "./skills/join-marks.ts";
import { marksBetween, oneSourceEach, traceOf } from "./skills/marks-between.ts";
import { normalSource } from "./skills/occurrences.ts";
import type { Operation } from "./skills/operation.ts";
import { operationsBetween } from "./skills/operations-between.ts";
import { rebaseSkillbook } from "./skills/rebase-skillbook.ts";
import { parseSkillbook, type Skillbook } from "./skills/skillbook.ts";
import {
  renderSkillbookFiles,
  SKILLBOOK_FILE_NAME,
  SKILLBOOK_FOLDER,
} from "./skills/skillbook-files.ts";
import { readTemplate } from "./templates.ts";
import { listWaiting } from "./waiting-tags.ts";

/** True for a Skillbook's proposal that holds what its JSON gives: what doesn't is the verifier's to refuse. */
export function isSealedSkillbook(proposal: Proposal): boolean {
  return sealedBook(proposal) !== null;
}

function sealedBook({ skill, files }: Proposal): Skillbook | null {
  const file = files.find(({ path }) => path === SKILLBOOK_FILE_NAME);
  if (skill !== SKILLBOOK_FOLDER || file === undefined) return null;
  const parsed = parseSkillbook(file.content);
  if (!parsed.ok) return null;
  const rendered = new Map(
    renderSkillbookFiles(parsed.skillbook).map((one) => [one.path, one.content]),
  );
  const isRendered = files.every(({ path, content }) => rendered.get(path) === content);
  return isRendered ? parsed.skillbook : null;
}

/** One proposal: what it was made on, and what it made. */
interface SealedChange {
  readonly proposal: Proposal;
  readonly from: Skillbook;
  readonly to: Skillbook;
  /** By which it is known again when it is published again. */
  readonly key: string;
}

export interface PublishedSkillbooks {
  /** The one whose session is told first; the others are joined to it. */
  readonly kept: Proposal;
  readonly joined: readonly Proposal[];
  readonly outcome: SkillbookOutcome;
}

/**
 * @param proposals at least one, each isSealedSkillbook() and checked against its seal
 * @throws SkillprError `input` when the Skillbook can't be read, `git`
 */
export async function publishSkillbooks(
  { repository, config }: Place,
  proposals: readonly Proposal[],
  pullRequests: PullRequests | undefined,
): Promise<PublishedSkillbooks> {
  const changes = await changesOf(repository, proposals);
  const [first, ...others] = changes.map(({ proposal }) => proposal);
  if (first === undefined) throw new Error("no Skillbook to publish");
  const run = {
    repository,
    config,
    messageTemplate: readTemplate("skillbook-commit-message.txt"),
    pullRequests,
    dryRun: false,
    outDir: null,
    onStep: () => {},
    onNote: () => {},
  };
  await fetchOpenSkillbook(run);
  const outcome = await proposeSkillbook(changeOf(first, others, changes), run);
  const joined = proposals.filter((each) => each !== first);
  const isLeft = pullRequests !== undefined && (await listWaiting(repository)).length > 0;
  return { kept: first, joined, outcome: isLeft ? leftHere(outcome) : outcome };
}

/** Whoever publishes what others sealed works in a clone that may be gone at once. */
function leftHere(outcome: SkillbookOutcome): SkillbookOutcome {
  const error = {
    code: "github" as const,
    message: "marks wait in this clone alone, because they could not be pushed to skillpr/marks",
    hint: "let the token push branches (contents: write), then publish this again",
  };
  const status = outcome.status === "nothing_to_save" ? "failed" : outcome.status;
  return { ...outcome, status, error: outcome.error ?? error };
}

/** The same in whatever order they come; a session, or a sealed batch, that is handed over twice counts once. */
async function changesOf(
  repository: Repository,
  proposals: readonly Proposal[],
): Promise<SealedChange[]> {
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const changes = new Map<string, SealedChange>();
  const ordered = [...proposals].sort((a, b) => (a.session.digest < b.session.digest ? -1 : 1));
  for (const proposal of ordered) {
    const { session, parent, tree } = proposal;
    const to = sealedBook(proposal);
    const key = `${parent} ${tree}`;
    // Who applies a file twice means it.
    const source = session.agent === "apply" ? key : session.digest;
    if (to === null || changes.has(source)) continue;
    const from = await madeOn(repository, reader, proposal);
    changes.set(source, { proposal, from, to, key });
  }
  return [...changes.values()];
}

/** The version that the operations were applied to: the parent's, or the open proposal's on that base. */
async function madeOn(
  repository: Repository,
  reader: ObjectReader,
  { parent, continues, skillsRoot }: Proposal,
): Promise<Skillbook> {
  const { tree } = await reader.commit(parent);
  const context = { repository, reader, base: { commit: parent, tree }, skillsRoot };
  if (continues === undefined) return (await placeWith(context, null)).skillbook;
  const branch = await describeBranch(context, branchRef(SKILLBOOK_FOLDER), continues);
  return (await placeWith(context, branch)).skillbook;
}

function changeOf(
  first: Proposal,
  others: readonly Proposal[],
  changes: readonly SealedChange[],
): SkillbookChange {
  const all = [first, ...others];
  const digests = digestsByTrace(all);
  // Made anew whenever the change is: what each of its marks was sealed as.
  const keys = new WeakMap<Operation, string>();
  const digestOf = (mark: Operation) => digests.get(traceOf(mark)) ?? keys.get(mark) ?? "";
  const whys = [...new Set(all.map(({ why }) => why).filter((why) => why !== ""))];
  const sessions = all.flatMap(({ session, evidence, alsoFrom = [] }) => [
    { session, evidence },
    ...alsoFrom,
  ]);
  const alsoFrom = sessions.slice(1, 1 + JOINED_SESSIONS_MAX);
  return {
    make: (now, _, isMarked) => {
      const isKnown = (mark: Operation, key: string) => isMarked(digests.get(traceOf(mark)) ?? key);
      return madeOf(changes, now, { isKnown, isMarked, keys });
    },
    why: cut(whys.join(" "), PROPOSAL_WHY_MAX_CHARS),
    session: first.session,
    alsoFrom: sessions.slice(1).map(({ session }) => session),
    usage: first.usage,
    sealed: {
      evidence: first.evidence,
      signals: first.signals,
      findings: first.findings,
      ...(alsoFrom.length > 0 && { alsoFrom }),
    },
    digestOf,
    // Whoever sealed it had the session; here there is none to look into.
    observed: null,
    redact: async (text) => text,
    sessionTexts: null,
  };
}

/** What `apply` and `import` bring comes of no session that gives each mark once. */
function digestsByTrace(proposals: readonly Proposal[]): ReadonlyMap<unknown, string> {
  const sessions = proposals
    .flatMap(({ session, alsoFrom = [] }) => [session, ...alsoFrom.map((each) => each.session)])
    .filter(({ agent }) => agent !== "apply" && agent !== "import");
  return new Map(
    sessions.map(({ agent, id, digest }) => {
      return [normalSource({ source_system: agent, trace_id: id })["trace_uid"], digest];
    }),
  );
}

interface Counting {
  /** Whether a mark of what was sealed under that key came before. */
  readonly isKnown: (mark: Operation, key: string) => boolean;
  readonly isMarked: (digest: string) => boolean;
  /** Gets the key that each mark of the result was sealed under. */
  readonly keys: WeakMap<Operation, string>;
}

function madeOf(
  changes: readonly SealedChange[],
  now: Skillbook,
  { isKnown, isMarked, keys }: Counting,
): MadeChange {
  const warnings: string[] = [];
  const names: string[] = [];
  const operations: Operation[] = [];
  const ids: string[] = [];
  let skillbook = now;
  for (const { proposal, from, to, key } of changes) {
    if (isMarked(key)) {
      warnings.push(`what was sealed of ${proposal.session.id} was published before`);
      continue;
    }
    const marks = marksBetween(from, to);
    const known = marks.filter((mark) => isKnown(mark, key));
    const at = new Date().toISOString();
    const made = rebaseSkillbook(from, withoutMarks(to, known), skillbook, at);
    // Told one by one: of many sessions, not every source stays in the Skillbook, and each mark names its own.
    const done = operationsBetween(skillbook, made.skillbook);
    const own = oneSourceEach(done.operations);
    for (const operation of own) keys.set(operation, key);
    operations.push(...own);
    ids.push(...done.ids);
    skillbook = made.skillbook;
    names.push(`0-${hashOf(key)}`);
    warnings.push(...made.dropped);
  }
  return { ok: true, skillbook, operations, ids, warnings, names };
}
