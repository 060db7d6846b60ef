/** `skillpr upload`: shows what of a session would leave this machine, and sends exactly that with --yes. */
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { SkillprError } from "../core/errors.ts";
import { INBOX_TRANSCRIPT_MAX_BYTES } from "../core/limits.ts";
import { count, safeBlock, safeLine } from "../core/text.ts";
import { findSession } from "../find-session.ts";
import { openRemote } from "../git/remote.ts";
import { type InboxEnding, inboxRef, makeInboxCommit } from "../inbox.ts";
import { Github } from "../publish/github.ts";
import { gitUrl, repositoryOn } from "../publish/github-address.ts";
import { originOf } from "../publish-target.ts";
import { redactFile } from "../redact-file.ts";
import { githubByHand } from "../resolve-github.ts";
import { credentialsOf } from "../secrets/credentials.ts";
import { createRedactor } from "../secrets/redactor.ts";
import { readTranscript, type TranscriptSource } from "../transcript/read-transcript.ts";
import { isJson, type OpenPlace, openPlace, text } from "./open-place.ts";
import { row } from "./print-outcome.ts";
import type { Call } from "./program.ts";
import type { Terminal } from "./terminal.ts";

export async function runUpload(call: Call, terminal: Terminal): Promise<number> {
  const place = await openPlace(call, terminal);
  const upload = await prepare(call, place);
  const isSent = call.flags["yes"] === true;
  const sent = isSent ? await send(call, place, upload) : null;
  const { redactions, ref, text: content, sessionId } = upload;
  const bytes = Buffer.byteLength(content);
  if (isJson(call)) {
    const uploaded = { uploaded: isSent, ref, commit: sent?.commit ?? null, sessionId, bytes };
    terminal.json({ ...uploaded, redactions, digest: upload.digest });
    return 0;
  }
  // All of it, so that "exactly this" can be checked; the words around it go to stderr.
  if (!isSent) terminal.line(safeBlock(content.trimEnd()));
  const what = Object.entries(redactions).map(([type, n]) => `${n} × ${type}`);
  terminal.note(`session     ${safeLine(sessionId)}`);
  terminal.note(`redacted    ${what.length === 0 ? "nothing was found" : what.join(", ")}`);
  terminal.note(`content     ${count(bytes, "byte")}, ${upload.digest}`);
  if (sent === null) {
    terminal.note("uploaded    nothing: the text above is what would be; --yes sends exactly that");
    return 0;
  }
  row(terminal, "uploaded", `${sent.repository} ${ref}`);
  return 0;
}

interface Upload {
  readonly sessionId: string;
  readonly agent: string;
  readonly ref: string;
  readonly text: string;
  readonly ending: InboxEnding;
  readonly digest: string;
  readonly redactions: Readonly<Record<string, number>>;
}

async function prepare(call: Call, place: OpenPlace): Promise<Upload> {
  const source = await sourceOf(call, place);
  const session = await readTranscript(source);
  const redactor = createRedactor({ credentials: credentialsOf(process.env) });
  const content = await redactFile(await contentOf(source), redactor);
  const bytes = Buffer.from(content, "utf8");
  // What is sent must still be the session that was meant.
  const again = await readTranscript({ kind: "bytes", name: "the redacted transcript", bytes });
  return {
    sessionId: again.id,
    agent: session.agent,
    ref: inboxRef(again.id),
    text: content,
    ending: endingOf(source),
    digest: `sha256:${createHash("sha256").update(bytes).digest("hex")}`,
    redactions: redactor.counts(),
  };
}

async function sourceOf(call: Call, { repository }: OpenPlace) {
  const [path, ...others] = call.positionals;
  const sessionId = text(call, "session");
  const isLatest = call.flags["latest"] === true;
  const ways = [path !== undefined, sessionId !== undefined, isLatest].filter(Boolean).length;
  if (ways !== 1 || others.length > 0)
    throw new SkillprError(
      "usage",
      "one transcript is uploaded at a time",
      "name one file, or use --latest or --session for one of this repository's sessions",
    );
  if (path !== undefined) return { kind: "file", path } as const;
  return findSession(repository, sessionId);
}

async function contentOf(source: TranscriptSource): Promise<string> {
  if (source.kind === "bytes") return Buffer.from(source.bytes).toString("utf8");
  if (source.kind === "packed") return Buffer.from(source.unpack()).toString("utf8");
  if (source.kind === "stored") return storedText(source);
  if ((await stat(source.path)).size > INBOX_TRANSCRIPT_MAX_BYTES) throw tooLarge(source.path);
  return readFile(source.path, "utf8");
}

async function storedText({
  name,
  chunks,
}: TranscriptSource & { kind: "stored" }): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks([])) {
    bytes += chunk.length;
    if (bytes > INBOX_TRANSCRIPT_MAX_BYTES) throw tooLarge(name);
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString("utf8");
}

function tooLarge(name: string): SkillprError {
  return new SkillprError(
    "input",
    `${safeLine(name)} is larger than ${INBOX_TRANSCRIPT_MAX_BYTES} bytes`,
    "review it on this machine: skillpr review",
  );
}

function endingOf(source: TranscriptSource): InboxEnding {
  const name = source.kind === "file" ? source.path : source.name;
  const [, ending] = /\.(json|traj|md)$/.exec(name) ?? [];
  return (ending as InboxEnding | undefined) ?? "jsonl";
}

async function send(call: Call, place: OpenPlace, upload: Upload) {
  const { repository, user } = place;
  const {
    server,
    token,
    repository: named,
    hint,
  } = githubByHand({
    user: user.github,
    env: process.env,
    home: homedir(),
  });
  if (token === null)
    throw new SkillprError("config", "an upload needs a token, and there is none", hint);
  const name = repositoryOn(server, { named, origin: await originOf(repository) });
  const target = await new Github({ server, token }).repository(name);
  if (!target.isPrivate && call.flags["force"] !== true)
    throw new SkillprError(
      "config",
      `${target.owner}/${target.name} is public: everybody could read the transcript`,
      "use a private repository; --force uploads it all the same",
    );
  const commit = await makeInboxCommit(repository, upload);
  const remote = openRemote(repository, { url: gitUrl(server, target), token });
  const expected = (await remote.list([upload.ref])).find(
    ({ name: ref }) => ref === upload.ref,
  )?.id;
  const pushed = await remote.push({ commit, ref: upload.ref, expected: expected ?? null });
  if (pushed === "lost-race")
    throw new SkillprError(
      "git",
      `${upload.ref} has just been moved by somebody else`,
      "try again",
    );
  return { commit, repository: `${target.owner}/${target.name}` };
}
