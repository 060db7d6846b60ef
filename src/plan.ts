/** From transcripts to what a matrix of review jobs needs to know of them. */
import { stat } from "node:fs/promises";
import { isAbsolute, relative } from "node:path";
import { SkillprError } from "./core/errors.ts";
import { safeLine } from "./core/text.ts";
import { type PlannedJob, type PlanUnit, planMatrix } from "./plan-matrix.ts";
import { readTranscript, type TranscriptSource } from "./transcript/read-transcript.ts";

/**
 * The jobs, each with its transcripts as inputs of `review`, relative to `cwd`. A transcript that can't be read has its
 * place too: reviewing it says what is wrong.
 * @throws SkillprError `input` for a file that can't be named in a list of lines
 */
export async function planReviews(
  sources: readonly TranscriptSource[],
  { cwd, maxJobs }: { readonly cwd: string; readonly maxJobs: number },
): Promise<PlannedJob[]> {
  const files = new Map<string, Looked>();
  for (const source of sources) {
    const path = pathOf(source);
    const seen = files.get(path) ?? { sessions: new Set(), repository: null, count: 0 };
    const { session, repository } = await lookInto(source, path);
    seen.sessions.add(session);
    seen.repository ??= repository;
    seen.count += 1;
    files.set(path, seen);
  }
  return planMatrix(await unitsOf(files, cwd), maxJobs);
}

interface Looked {
  readonly sessions: Set<string>;
  repository: string | null;
  count: number;
}

/** A file, or the archive that a transcript is in: what a job can be given. */
function pathOf(source: TranscriptSource): string {
  if (source.kind === "file") return source.path;
  if (source.kind === "packed" && source.archive !== undefined) return source.archive;
  throw new SkillprError(
    "usage",
    "standard input can't be handed to other jobs",
    "name files, folders, globs or archives",
  );
}

async function lookInto(source: TranscriptSource, path: string) {
  try {
    const { agent, id, cwd } = await readTranscript(source);
    return {
      session: JSON.stringify([agent, id]),
      repository: cwd === null ? null : projectIn(cwd),
    };
  } catch (error) {
    if (!(error instanceof SkillprError)) throw error;
    return { session: path, repository: null };
  }
}

/** The last folder's name, in characters that a job's name may have. */
function projectIn(cwd: string): string | null {
  const name = cwd.split(/[\\/]/).findLast((part) => part !== "") ?? "";
  return name.replace(/[^\w.-]+/g, "-").slice(0, 64) || null;
}

/** Files that share a session go together: the later one may only tell how the earlier went on. */
async function unitsOf(files: ReadonlyMap<string, Looked>, cwd: string): Promise<PlanUnit[]> {
  const units: { paths: string[]; sessions: Set<string> }[] = [];
  for (const [path, { sessions }] of files) {
    const kin = units.filter((unit) => [...sessions].some((one) => unit.sessions.has(one)));
    const [home = { paths: [], sessions: new Set<string>() }, ...others] = kin;
    if (kin.length === 0) units.push(home);
    for (const other of others) {
      home.paths.push(...other.paths);
      for (const one of other.sessions) home.sessions.add(one);
      units.splice(units.indexOf(other), 1);
    }
    home.paths.push(path);
    for (const one of sessions) home.sessions.add(one);
  }
  return Promise.all(
    units.map(async ({ paths }) => {
      const looked = paths.flatMap((path) => files.get(path) ?? []);
      const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
      return {
        inputs: paths.map((path) => asLine(path, cwd)),
        count: looked.reduce((sum, { count }) => sum + count, 0),
        bytes: sizes.reduce((sum, size) => sum + size, 0),
        repository: looked.find(({ repository }) => repository !== null)?.repository ?? "unknown",
      };
    }),
  );
}

function asLine(path: string, cwd: string): string {
  const near = relative(cwd, path);
  const line = isAbsolute(near) || near.startsWith("..") ? path : `./${near}`;
  if (line.trim() === line && !/[\r\n]/.test(line)) return line;
  throw new SkillprError(
    "input",
    `${safeLine(path)} has a blank at its end or a line break in its name`,
    "give it another name",
  );
}
