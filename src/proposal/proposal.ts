/**
 * Proposal: the sealed result for one changed skill folder. It is plain data, so that the half
 * that talked to a model can hand it to the half that holds a token; the second half trusts none
 * of it and rebuilds the folder's tree from the files (rebuild-proposal.ts).
 */
import * as limits from "../core/limits.ts";
import { type InferSchema, parseWith, z } from "../core/schema.ts";

/** Raised when the meaning of a field changes; an older file is refused by name. */
export const PROPOSAL_VERSION = 2;

const text = (max: number) => z.string().check(z.maxLength(max));
const maybe = (max: number) => z.nullable(text(max));
const objectId = z.string().check(z.regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, "is no object id"));
const whole = z.int().check(z.gte(0));
/** Relative, without empty, `.` and `..` parts; what else it may be is the verifier's to say. */
const filePath = text(1024).check(
  z.regex(
    /^(?!\/)(?!.*\/\/)(?!.*(?:^|\/)\.{1,2}(?:\/|$))[^\p{Cc}]*[^\p{Cc}/]$/u,
    "is no path inside a folder",
  ),
);
/** A skill folder's name: it becomes a ref name and a path, so it is checked before anything else. */
const skillFolder = z
  .string()
  .check(z.maxLength(limits.SKILL_NAME_MAX_CHARS), z.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/));

const turnId = text(16).check(z.regex(/^t\d+$/, "is no turn's id"));
const signalTurns = z.array(turnId).check(z.maxLength(limits.SIGNAL_TURNS_MAX));

/** What in the session suggests that something was learned, as code found it. */
const SignalsSchema = z.strictObject({
  /** Commands that failed and succeeded later, those that the skill names first. */
  fixes: z
    .array(
      z.strictObject({
        command: text(limits.SKILL_LINE_MAX_CHARS),
        /** The skill names this command. */
        isNamed: z.boolean(),
        failedIn: signalTurns,
        succeededIn: signalTurns,
        /** Files changed in between, relative to the session's folder. */
        changed: z
          .array(z.strictObject({ path: text(limits.SIGNAL_PATH_MAX_CHARS), turns: signalTurns }))
          .check(z.maxLength(limits.SIGNAL_CHANGES_MAX)),
      }),
    )
    .check(z.maxLength(limits.SIGNALS_MAX)),
  /** Words of the user that steered the agent, and what shows that they did. */
  corrections: z
    .array(
      z.strictObject({
        turn: turnId,
        how: z.enum(["while_working", "after_cancel", "by_words"]),
        words: text(limits.QUOTE_MAX_CHARS),
      }),
    )
    .check(z.maxLength(limits.SIGNALS_MAX)),
});

export const SessionSchema = z.strictObject({
  id: text(256),
  agent: text(64),
  agentVersion: maybe(256),
  model: maybe(256),
  digest: z.string().check(z.regex(/^sha256:[0-9a-f]{64}$/)),
  toolCallCount: whole,
  /** How far it was reviewed, by which its growth is recognised where nothing else is known of it (see gate/growth.ts). */
  reviewed: z.optional(
    z.strictObject({
      turns: z.int().check(z.gte(1, "must be at least 1")),
      /** Digest of the turns before the last of them. */
      before: z.string().check(z.regex(/^sha256:[0-9a-f]{64}$/)),
    }),
  ),
});

const EvidenceSchema = z
  .array(
    z.strictObject({
      skill: skillFolder,
      command: text(limits.SKILL_LINE_MAX_CHARS),
      turns: z.array(turnId).check(z.maxLength(limits.EVIDENCE_MAX_TURNS)),
      outcome: z.enum(["success", "failure", "cancelled", "unknown", "not_seen"]),
    }),
  )
  .check(z.maxLength(limits.EVIDENCE_MAX_ROWS));

const ProposalSchema = z.strictObject({
  version: z.literal(PROPOSAL_VERSION),
  skill: skillFolder,
  /** `/`-separated, from the repository's root. */
  skillsRoot: text(1024),
  operation: z.enum(["ADD", "UPDATE"]),
  base: z.strictObject({ ref: maybe(1024), commit: objectId }),
  /** The commit that the change is on top of: the tip of the open branch, else the base. */
  parent: objectId,
  /**
   * Of the Skillbook, where its open proposal was made again on a base that moved: the tip whose changes
   * are in it. The commit then continues that branch, and the base is its second parent.
   */
  continues: z.optional(objectId),
  /** Tree id of the skill's folder, as it was verified. */
  tree: objectId,
  /** Every changed file of the folder, paths relative to it; their bytes are the text in UTF-8. */
  files: z
    .array(z.strictObject({ path: filePath, content: text(limits.SKILLBOOK_FILE_MAX_BYTES) }))
    .check(z.maxLength(limits.SKILL_MAX_FILES)),
  session: SessionSchema,
  /** Why it was learned, with turn ids; text of a model or of a session, never trusted. */
  why: text(limits.PROPOSAL_WHY_MAX_CHARS),
  signals: SignalsSchema,
  evidence: EvidenceSchema,
  /** Other sessions that taught the same, reviewed at the same time (see join-proposals.ts); turn ids are theirs. */
  alsoFrom: z.optional(
    z
      .array(z.strictObject({ session: SessionSchema, evidence: EvidenceSchema }))
      .check(z.maxLength(limits.JOINED_SESSIONS_MAX)),
  ),
  /** Of a commit that works review comments in: where they stand, and what the reviewer says to each. */
  revision: z.optional(
    z.strictObject({
      /** Of the pull request. */
      number: whole,
      answers: z
        .array(
          z.strictObject({
            /** See publish/review-feedback.ts. */
            id: text(64).check(z.regex(/^(?:line|review|comment)-\d+$/, "is no comment's id")),
            /** Of its words as the reviewer got them: they may be edited before there is a reply. */
            digest: text(71).check(z.regex(/^sha256:[0-9a-f]{64}$/, "is no digest")),
            words: maybe(limits.FEEDBACK_ANSWER_MAX_CHARS),
          }),
        )
        .check(z.maxLength(limits.FEEDBACK_MAX)),
    }),
  ),
  /** Warnings of the review itself; findings of the verifier are never read from here, they are made again. */
  findings: z
    .array(
      z.strictObject({
        rule: text(64),
        level: z.enum(["error", "warning"]),
        path: maybe(4096),
        line: z.nullable(whole),
        column: z.optional(whole),
        message: text(2000),
        hint: text(2000),
      }),
    )
    .check(z.maxLength(limits.FINDINGS_MAX)),
  usage: z.strictObject({
    reviewer: text(64),
    model: maybe(256),
    turns: whole,
    inputTokens: whole,
    outputTokens: whole,
    requestBytes: whole,
    parts: z.optional(
      z.strictObject({ instructions: whole, session: whole, model: whole, tools: whole }),
    ),
    durationMs: whole,
    incomplete: z.boolean(),
  }),
});

/** The sealed result for one changed skill folder, as `proposal.json` holds it; each field's meaning stands at its schema. */
export type Proposal = InferSchema<typeof ProposalSchema>;
export type Evidence = Proposal["evidence"][number];
export type Signals = Proposal["signals"];

/**
 * Checks the shape and the bounds of what was read; nothing about its truth.
 * @param file where it was read, for the message
 * @throws SkillprError `input` naming the field
 */
export function parseProposal(value: unknown, file: string): Proposal {
  const version =
    typeof value === "object" && value !== null ? Reflect.get(value, "version") : null;
  const hint =
    version === PROPOSAL_VERSION
      ? "make the proposal again with `skillpr review --out`"
      : `this skillpr reads version ${PROPOSAL_VERSION}: use the same skillpr for review and publish`;
  return parseWith(ProposalSchema, value, { what: file, code: "input", hint });
}
