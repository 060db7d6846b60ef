/** `skillpr skillbook show|export|import|validate|stats`. */
import { join, resolve } from "node:path";
import { importInto } from "../apply-batch.ts";
import { checkSkillbook, type SkillbookCheck } from "../check-skillbook.ts";
import { SkillprError } from "../core/errors.ts";
import {
  LINE_TRACES_MAX,
  QUOTE_MAX_CHARS,
  SKILLBOOK_FOREIGN_SHOWN_MAX,
  STRATEGY_SOURCES_MAX,
} from "../core/limits.ts";
import { count, cut, safeBlock, safeLine } from "../core/text.ts";
import { exitCodeOf } from "../outcome.ts";
import { isFull, normalSource } from "../skills/occurrences.ts";
import { renderSkillbook, type Skillbook, type Strategy } from "../skills/skillbook.ts";
import {
  activeIn,
  promptForm,
  SECTIONS,
  SKILLBOOK_FILE_NAME,
  SKILLBOOK_FOLDER,
} from "../skills/skillbook-files.ts";
import { strategiesFrom } from "../skills/skillbook-stats.ts";
import { applyRunOf, printSkillbookOutcome, readNamed } from "./apply.ts";
import { look, printWaiting, waitingFor } from "./look-at-skillbook.ts";
import { isJson, openPlace, text } from "./open-place.ts";
import { row } from "./print-outcome.ts";
import type { Call } from "./program.ts";
import { stats } from "./skillbook-stats.ts";
import type { Terminal } from "./terminal.ts";

const ACTIONS: Readonly<Record<string, (call: Call, terminal: Terminal) => Promise<number>>> = {
  show,
  export: exportBook,
  import: importBook,
  validate,
  stats,
};

export async function runSkillbook(call: Call, terminal: Terminal): Promise<number> {
  const [action = ""] = call.positionals;
  const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (run !== undefined) return run(call, terminal);
  throw new SkillprError(
    "usage",
    `skillpr skillbook has no action ${safeLine(action)}`,
    `use one of ${Object.keys(ACTIONS).join(", ")}`,
  );
}

async function show(call: Call, terminal: Terminal): Promise<number> {
  const looked = await look(call, terminal);
  const { found, skillbook } = looked;
  const waiting = await waitingFor(looked);
  const trace = text(call, "trace");
  const strategies = trace === undefined ? allActive(skillbook) : strategiesFrom(skillbook, trace);
  if (isJson(call)) {
    terminal.json({
      strategies,
      skill_tags: skillbook.skill_tags ?? {},
      open: found.open !== null,
      waiting,
    });
    return 0;
  }
  if (strategies.length === 0)
    terminal.line(
      trace === undefined
        ? "No strategy is in use."
        : `No strategy names that trace. Each names the first and the newest of its traces, ${STRATEGY_SOURCES_MAX} at the most.`,
    );
  for (const [at, strategy] of strategies.entries()) {
    if (at > 0) terminal.line();
    printStrategy(strategy, terminal);
  }
  if (waiting.places.length > 0 || waiting.problem !== undefined) terminal.line();
  printWaiting(waiting, terminal);
  if (found.open !== null && call.flags["open"] !== true)
    terminal.note(
      "A proposal is open: `skillpr skillbook show --open` shows what it would make of this.",
    );
  return 0;
}

function allActive(skillbook: Skillbook): Strategy[] {
  return SECTIONS.flatMap((section) => activeIn(skillbook, section));
}

function printStrategy(strategy: Strategy, terminal: Terminal): void {
  const { line, paint } = terminal;
  const { id, keywords, issue, insight, active } = strategy;
  const marks = `helpful ${strategy.helpful_count}, harmful ${strategy.harmful_count}, neutral ${strategy.neutral_count}`;
  line(
    `${paint.bold(safeLine(id))}  ${safeLine(keywords.join(", "))}${active ? "" : "  (removed)"}`,
  );
  line(`  ${safeLine(issue)}`);
  if (insight !== null && insight !== issue) line(`  → ${safeLine(insight)}`);
  line(`  ${paint.dim(`${marks}; seen in ${tracesOf(strategy.occurrences)}`)}`);
}

/** How many, and the newest by name. */
function tracesOf(occurrences: Strategy["occurrences"]): string {
  const named = occurrences.map((each) => String(normalSource(each)["trace_uid"]));
  const traces = [...new Set(named)];
  const shown = traces.slice(-LINE_TRACES_MAX).map((each) => safeLine(cut(each, QUOTE_MAX_CHARS)));
  const left = traces.length - shown.length;
  const list = shown.length === 0 ? "" : `: ${shown.join(", ")}`;
  const least = isFull(occurrences) ? "at least " : "";
  return `${least}${count(traces.length, "trace")}${list}${left === 0 ? "" : ` and ${left} more`}`;
}

async function exportBook(call: Call, terminal: Terminal): Promise<number> {
  const { skillbook } = await look(call, terminal);
  const form = text(call, "format") ?? "json";
  // One object on stdout either way: `--json` asks for what `export` prints by itself.
  const isPrompt = form === "prompt" && !isJson(call);
  const exported = (isPrompt ? promptForm(skillbook) : renderSkillbook(skillbook)).trimEnd();
  // What a file or a pipe gets is what agents are to read: joined emoji and scripts need their joiners.
  terminal.line(isPrompt && process.stdout.isTTY ? safeBlock(exported) : exported);
  return 0;
}

async function importBook(call: Call, terminal: Terminal): Promise<number> {
  const file = call.positionals[1];
  if (file === undefined)
    throw new SkillprError("usage", "no file was named", "skillpr skillbook import <file>");
  const run = await applyRunOf(call, terminal);
  const options = { dropRemoved: call.flags["dropRemoved"] === true };
  const outcome = await importInto(await readNamed(file), options, run);
  if (isJson(call)) terminal.json(outcome);
  else {
    row(terminal, "read as", `a Skillbook of ACE's ${outcome.generation}`);
    for (const [at, what] of outcome.mapped.entries())
      row(terminal, at === 0 ? "mapped" : "", safeLine(what));
    printSkillbookOutcome(outcome, call, terminal);
  }
  return exitCodeOf(outcome);
}

async function validate(call: Call, terminal: Terminal): Promise<number> {
  const file = await fileOf(call, terminal);
  const check = await checkSkillbook(file, call.flags["fix"] === true);
  if (isJson(call)) terminal.json({ file, ...check });
  else printCheck(file, check, terminal);
  return check.ok ? 0 : 1;
}

async function fileOf(call: Call, terminal: Terminal): Promise<string> {
  const named = call.positionals[1];
  if (named !== undefined) return resolve(named);
  const { repository, config } = await openPlace(call, terminal);
  if (repository.root !== null)
    return join(repository.root, config.skillsRoot, SKILLBOOK_FOLDER, SKILLBOOK_FILE_NAME);
  throw new SkillprError(
    "input",
    "a bare repository has no work tree with a Skillbook in it",
    "name the file: skillpr skillbook validate <file>",
  );
}

function printCheck(file: string, check: SkillbookCheck, terminal: Terminal): void {
  const { paint } = terminal;
  row(terminal, "skillbook", safeLine(file));
  row(terminal, "verdict", check.ok ? paint.green("valid") : paint.red("not valid"));
  for (const { code, message } of check.problems)
    row(terminal, "problem", `${paint.red(safeLine(message))} ${paint.dim(code)}`);
  for (const warning of check.warnings) row(terminal, "warning", paint.yellow(safeLine(warning)));
  for (const path of check.stale) {
    const isFixed = check.fixed.includes(path);
    row(
      terminal,
      isFixed ? "written" : "stale",
      `${path}${isFixed ? "" : " is not what the JSON gives"}`,
    );
  }
  for (const path of check.foreign.slice(0, SKILLBOOK_FOREIGN_SHOWN_MAX))
    row(terminal, "foreign", `${paint.red(safeLine(path))} is no file of the Skillbook`);
  const left = check.foreign.length - SKILLBOOK_FOREIGN_SHOWN_MAX;
  if (left > 0) row(terminal, "", `and ${left} more`);
  if (check.stale.length > check.fixed.length)
    row(terminal, "next", "skillpr skillbook validate --fix");
  if (check.foreign.length > 0)
    row(terminal, "next", "move what isn't the Skillbook's into a skill of its own, or remove it");
}
