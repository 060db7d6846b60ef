/** The page of a run, for `upload-artifact`: what was proposed, and the sessions that it comes from. */
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { SkillprError } from "../core/errors.ts";
import { gatherReport } from "../gather-report.ts";
import { readTemplate } from "../templates.ts";
import { type ActionResult, type ActionRun, openCheckout } from "./action-run.ts";
import { sourcesOf } from "./review.ts";
import { warn } from "./runner.ts";

/** What a page is about: of the others there is none. */
const COMMANDS = new Set(["review", "publish", "run"]);

/**
 * Writes the page: of `review` into the proposal folder, which is handed on anyway, else into `dir`.
 * One that can't be made is a warning: the run's result stands.
 * @returns its path; null when there is none
 */
export async function writeHtmlReport(
  run: ActionRun,
  result: ActionResult,
  dir: string,
): Promise<string | null> {
  const { inputs, workspace } = run;
  const { command } = inputs;
  if (!COMMANDS.has(command) || result.proposals.length === 0) return null;
  try {
    const place = await openCheckout(run, inputs.flags);
    const proposalDir = command === "review" ? resolve(workspace, inputs.proposalDir) : null;
    // One review after the other: a row stands for the source at its place.
    const taught = (_: unknown, at: number) => (result.rows[at]?.skills.length ?? 0) > 0;
    const isHere = command !== "publish";
    const data = await gatherReport({
      ...place,
      skills: proposalDir === null ? waiting(result) : [],
      proposalDir,
      transcripts: {
        named: isHere ? (await sourcesOf(run)).filter(taught) : [],
        find: null,
        whyNot: "This job has no transcripts",
      },
      credentials: run.secrets,
      now: new Date(),
    });
    const { reportPage } = await import("../report/page.ts");
    const file = join(proposalDir ?? dir, proposalDir === null ? `${command}.html` : "report.html");
    await writeFile(file, reportPage(data, readTemplate("report/page.css")));
    return file;
  } catch (error) {
    if (!(error instanceof SkillprError)) throw error;
    warn(`There is no page of this run: ${error.message}. ${error.hint}`);
    return null;
  }
}

/** Blocked ones may be on no branch. */
function waiting({ proposals }: ActionResult): string[] {
  return proposals.filter(({ operation }) => operation !== "blocked").map(({ skill }) => skill);
}
