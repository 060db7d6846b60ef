/** Sessions in the queue as a hook leaves them: a copy of the transcript, and the capture that names it. */
import { randomBytes } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import type { JobView } from "../../src/cli/job-view.ts";
import type { JobRecord } from "../../src/hook/job-record.ts";
import {
  type Capture,
  jobId,
  type QueueFolders,
  queueFolders,
} from "../../src/hook/queue-files.ts";
import { DEMO_SESSION } from "./built-cli.ts";
import type { TemporaryRepository } from "./temp-repository.ts";

type Place = Pick<TemporaryRepository, "dir" | "home">;

export function queueOf(gitDir: string): QueueFolders {
  return queueFolders(join(gitDir, "skillpr"));
}

export interface CaptureOptions {
  /** The agent's own file; a copy of the demo's session beside the repository when it isn't given. */
  readonly transcript?: string;
  /** Git common dir; default: `.git` of the repository. */
  readonly gitDir?: string;
  readonly capture?: Partial<Capture>;
}

/** Puts a session that has ended into the queue. @returns its capture */
export function capture(repository: Place, options: CaptureOptions = {}): Capture {
  const folders = queueOf(options.gitDir ?? join(repository.dir, ".git"));
  const transcriptPath = options.transcript ?? agentsFile(repository);
  for (const folder of [folders.captured, folders.transcripts])
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  const sessionId = options.capture?.sessionId ?? "11111111-2222-4333-8444-555555555555";
  const id = jobId(sessionId, transcriptPath);
  const at = new Date().toISOString();
  const value: Capture = {
    version: 1,
    id,
    sessionId,
    agent: "qwen-code",
    event: "SessionEnd",
    transcriptPath,
    copy: `${id}-${randomBytes(6).toString("hex")}`,
    size: readFileSync(transcriptPath).length,
    cwd: repository.dir,
    capturedAt: at,
    due: at,
    ...options.capture,
  };
  copyFileSync(transcriptPath, join(folders.transcripts, value.copy));
  writeFileSync(join(folders.captured, `${value.id}.json`), JSON.stringify(value), { mode: 0o600 });
  return value;
}

/** The agent's own file of a session, long finished. */
export function agentsFile(
  repository: Pick<Place, "home">,
  name = "session.jsonl",
  text?: string,
): string {
  const file = resolve(repository.home, name);
  if (text === undefined) copyFileSync(DEMO_SESSION, file);
  else writeFileSync(file, text);
  age(file, 60);
  return file;
}

/** Makes a file look as if it hadn't been touched for so many seconds. */
export function age(file: string, seconds: number): void {
  const then = new Date(Date.now() - seconds * 1000);
  utimesSync(file, then, then);
}

export function recordOf(folders: QueueFolders, id: string): JobRecord | null {
  const file = join(folders.records, `${id}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
}

/** Every file in the queue but captures, records and the list of proposals: what should not be left. */
export function leftovers(folders: QueueFolders): string[] {
  const files = readdirSync(folders.queue, {
    recursive: true,
    encoding: "utf8",
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folders.queue.length + 1));
  return files.filter(
    (file) => !/^(?:(?:captured|records)\/[0-9a-f]{16}\.json|(?:usage|waiting)\.json)$/.test(file),
  );
}

export interface StatusJson {
  readonly jobs: readonly JobView[];
  readonly today: { readonly reviews: number };
}

/** Writes the user's own config of skillpr. */
export function userConfig(repository: Pick<Place, "home">, text: string): void {
  const dir = join(repository.home, ".config", "skillpr");
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "config.yml"), text);
}
