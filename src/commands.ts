/** Behind the door: runs the one command that was called. */
import type { Call } from "./cli/program.ts";
import { type Run, runWith } from "./cli/run-command.ts";

/** All but `verify`, which is a program of its own. */
const COMMANDS: Readonly<Record<string, () => Promise<Run>>> = {
  accept: async () => (await import("./cli/accept.ts")).runAccept,
  adopt: async () => (await import("./cli/adopt.ts")).runAdopt,
  apply: async () => (await import("./cli/apply.ts")).runApply,
  completion: async () => (await import("./cli/completion.ts")).runCompletion,
  demo: async () => (await import("./cli/demo.ts")).runDemo,
  doctor: async () => (await import("./cli/doctor.ts")).runDoctor,
  init: async () => (await import("./cli/init.ts")).runInit,
  install: async () => (await import("./cli/install.ts")).runInstall,
  list: async () => (await import("./cli/list.ts")).runList,
  plan: async () => (await import("./cli/plan.ts")).runPlan,
  publish: async () => (await import("./cli/publish.ts")).runPublish,
  reject: async () => (await import("./cli/reject.ts")).runReject,
  report: async () => (await import("./cli/report.ts")).runReport,
  retry: async () => (await import("./cli/retry.ts")).runRetry,
  review: async () => (await import("./cli/review.ts")).runReview,
  revise: async () => (await import("./cli/revise.ts")).runRevise,
  show: async () => (await import("./cli/show.ts")).runShow,
  skillbook: async () => (await import("./cli/skillbook.ts")).runSkillbook,
  status: async () => (await import("./cli/status.ts")).runStatus,
  transcripts: async () => (await import("./cli/transcripts.ts")).runTranscripts,
  uninstall: async () => (await import("./cli/install.ts")).runInstall,
  upload: async () => (await import("./cli/upload.ts")).runUpload,
  work: async () => (await import("./cli/work.ts")).runWork,
};

/** @returns the exit code */
export async function runCommand(call: Call): Promise<number> {
  return await runWith(async () => {
    const load = COMMANDS[call.command];
    if (load === undefined) throw new Error(`no module for the command ${call.command}`);
    return await load();
  }, call);
}
