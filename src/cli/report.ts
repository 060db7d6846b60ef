/** `skillpr report`: what was proposed, and how it came to be, as lines, as a page, or as JSON. */
import { resolve } from "node:path";
import { writeFileAtomically } from "../core/atomic-file.ts";
import { SkillprError, systemFailure } from "../core/errors.ts";
import { safeLine } from "../core/text.ts";
import { findSession } from "../find-session.ts";
import { gatherReport } from "../gather-report.ts";
import type { TranscriptsOf } from "../report-sessions.ts";
import { credentialsOf } from "../secrets/credentials.ts";
import { readTemplate } from "../templates.ts";
import { expandInputs } from "../transcript/expand-inputs.ts";
import { isJson, type OpenPlace, openPlace, text } from "./open-place.ts";
import type { Call } from "./program.ts";
import { readStdin } from "./read-stdin.ts";
import { printReport } from "./report-lines.ts";
import type { Terminal } from "./terminal.ts";

export async function runReport(call: Call, terminal: Terminal): Promise<number> {
  const place = await openPlace(call, terminal);
  terminal.step("gathering what is known");
  const dir = text(call, "proposals");
  const data = await gatherReport({
    ...place,
    skills: call.positionals,
    proposalDir: dir === undefined ? null : resolve(dir),
    transcripts: await transcriptsOf(call, place),
    credentials: credentialsOf(process.env),
    now: new Date(),
  });
  const file = text(call, "html");
  if (file !== undefined) {
    const { reportPage } = await import("../report/page.ts");
    await writePage(resolve(file), reportPage(data, readTemplate("report/page.css")));
  }
  if (isJson(call)) terminal.json(data);
  else if (file === undefined) printReport(data, terminal);
  else terminal.line(`The report is ${safeLine(resolve(file))}`);
  return 0;
}

async function transcriptsOf(call: Call, { repository }: OpenPlace): Promise<TranscriptsOf> {
  const { transcript: named } = call.flags;
  const inputs = Array.isArray(named) ? named.filter((one) => typeof one === "string") : [];
  const isOff = call.flags["sessions"] === false;
  const find = (sessionId: string) => findSession(repository, sessionId);
  return {
    named: await expandInputs(inputs, { cwd: process.cwd(), stdin: readStdin }),
    find: isOff ? null : find,
    whyNot: "No transcript was looked for (--no-sessions)",
  };
}

/** Readable by this user alone: it shows what was said in a session. */
async function writePage(file: string, page: string): Promise<void> {
  try {
    await writeFileAtomically(file, page);
  } catch (error) {
    if (systemFailure(error) === null) throw error;
    throw new SkillprError(
      "input",
      `the report can't be written to ${file}`,
      "name a file in a folder that exists and can be written with --html",
      { cause: error },
    );
  }
}
