/** Behind the door: runs the one command that was called, and turns what went wrong into words and an exit code. */
import type { Call } from "./cli/program.ts";
import { openTerminal, type Terminal } from "./cli/terminal.ts";
import { EXIT_BUG, SkillprError, systemFailure } from "./core/errors.ts";
import { safeBlock, safeLine } from "./core/text.ts";

/** @returns the exit code */
type Run = (call: Call, terminal: Terminal) => Promise<number>;

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
  verify: async () => (await import("./cli/verify.ts")).runVerify,
  work: async () => (await import("./cli/work.ts")).runWork,
};

export async function runCommand(call: Call): Promise<number> {
  const terminal = openTerminal(process.env);
  try {
    const load = COMMANDS[call.command];
    if (load === undefined) throw new Error(`no module for the command ${call.command}`);
    const run = await load();
    return await run(call, terminal);
  } catch (error) {
    return report(error, call, terminal);
  } finally {
    terminal.finish();
  }
}

function report(thrown: unknown, call: Call, terminal: Terminal): number {
  const error = systemFailure(thrown) ?? thrown;
  if (error instanceof SkillprError) {
    const { code, message, hint } = error;
    if (call.flags["json"] === true)
      terminal.json({ status: "failed", error: { code, message, hint } });
    terminal.note(`skillpr ${call.command}: ${safeLine(message)}`);
    terminal.note(`  ${safeLine(hint)}`);
    return error.exitCode;
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  terminal.note(safeBlock(stack));
  terminal.note(
    `This is a bug in skillpr (command: ${call.command}). Please report it to the project with the lines above.`,
  );
  return EXIT_BUG;
}
