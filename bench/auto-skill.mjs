// The same sessions of the real Qwen Code, reviewed by its own AutoSkill and by skillpr, with the same scripted model:
// the bytes that each sends to the model, and the time that each takes. Qwen Code's own review is part of its
// process: its time is how much longer the process lives, after the answer that ends the session's own work, than
// without it. skillpr's is that of `skillpr work`; its hook is installed on both sides and counts for neither.
// usage: npm run test:qwen -- --install-only && npm run bundle && node bench/auto-skill.mjs [rounds]
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { compared, imported, ROOT, shown, statistic, whenMain } from "./support.mjs";

const QWEN = join(ROOT, ".cache/qwen/node_modules/@qwen-code/qwen-code/cli.js");
const MODULES = ["test/qwen/qwen-code.ts", "test/support/scripted-model.ts"];
const MORE = ["test/support/temp-repository.ts", "test/support/built-cli.ts"];
/**
 * How many files a session reads, and how long each is. Reading brings the same bytes each time: of a command that ends
 * at once Qwen Code sometimes misses what it printed. Twenty calls are the least that AutoSkill reviews; a file of more than
 * 25,000 characters Qwen Code cuts. The two largest show a bound; a model with a million tokens has room for the largest.
 */
const SIZES = [
  { name: "small", steps: 24, lines: 40 },
  { name: "medium", steps: 48, lines: 190 },
  { name: "large", steps: 96, lines: 390 },
  { name: "largest", steps: 128, lines: 760 },
];
const CALLS_PER_ANSWER = 4;
/** What Qwen Code counts with too, where no tokenizer is at hand. */
const BYTES_PER_TOKEN = 4;
/**
 * How fast a model reads a prompt where it doesn't answer at once: an assumption, and on the fast side (large models on
 * several accelerators read about half as much). What it has read before it reads again: a cache is not assumed.
 */
const READ_TOKENS_PER_SECOND = 20_000;
/** Qwen Code empties old tool results above 500,000 characters; with these settings of its own it keeps them. */
const UNCLEARED = {
  context: { clearContextOnIdle: { toolResultsTotalCharsThreshold: -1 } },
  model: { generationConfig: { contextWindowSize: 1_000_000 } },
};
const CLEARED = "[Old tool result content cleared]";
const SKILL = "parcel-steps";
const OWN_FOLDER = `auto-skill-${SKILL}`;

export async function measure({ rounds = 5 } = {}) {
  if (!existsSync(QWEN))
    throw new Error("Qwen Code is missing: npm run test:qwen -- --install-only");
  mkdirSync(join(ROOT, ".cache"), { recursive: true });
  // As deep below the root as the tests, whose modules look for programs from where they are.
  const built = mkdtempSync(join(ROOT, ".cache/bench-"));
  try {
    const program = await imported(built, [...MODULES, ...MORE], { dir: built });
    const measured = [];
    for (const size of SIZES) measured.push(await measureSize(program, size, rounds));
    const whole = await session(program, SIZES.at(-1), { isOwn: true, settings: UNCLEARED });
    return [...measured.flatMap(sizeRows), ...growthRows(measured, whole)];
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}

async function measureSize(program, size, rounds) {
  const all = {
    ...{ plain: [], own: [], ours: [], ownBytes: [], oursBytes: [], bytes: [] },
    ...{ ownReading: [], oursReading: [] },
  };
  let history = null;
  for (let round = 0; round < rounds; round += 1) {
    const without = await session(program, size, { isOwn: false });
    const own = await session(program, size, { isOwn: true });
    all.plain.push(without.tailMs);
    all.own.push(own.tailMs - without.tailMs);
    all.ownBytes.push(own.reviewBytes);
    all.ours.push(without.workMs);
    all.oursBytes.push(without.reviewBytes);
    all.bytes.push(without.transcriptBytes);
    history = own.history;
  }
  for (let round = 0; round < Math.ceil(rounds / 2); round += 1) {
    const without = await session(program, size, { isOwn: false, isReading: true });
    const own = await session(program, size, { isOwn: true, isReading: true });
    all.ownReading.push(own.tailMs - without.tailMs);
    all.oursReading.push(without.workMs);
  }
  const statistics = Object.entries(all).map(([name, values]) => [name, statistic(values)]);
  const { bytes, ...sides } = Object.fromEntries(statistics);
  return { ...size, ...sides, rounds, history, kilobytes: Math.round(bytes.median / 1024) };
}

function sizeRows({ name, steps, kilobytes, rounds, history, ...sides }) {
  const row = { rounds, beside: "Qwen Code's own AutoSkill" };
  return [
    compared({
      ...row,
      id: `model-bytes-${name}`,
      what: `bytes to the model, a session of ${shown(kilobytes)} KB`,
      unit: "bytes",
      ours: sides.oursBytes,
      theirs: sides.ownBytes,
      bar: kilobytes > 100 ? 1 : null,
      how: `All requests of a whole review, headers not counted; both write one skill and stop. AutoSkill sends Qwen Code's history with each request; ${historyText(history, steps)}, with its own defaults.`,
    }),
    compared({
      ...row,
      id: `review-time-${name}`,
      what: `time from the worker's start to the proposal, a session of ${shown(kilobytes)} KB`,
      unit: "ms",
      ours: sides.ours,
      theirs: sides.own,
      bar: 1,
      how: `Ours is the whole process of \`skillpr work\`, with its proposal committed. Theirs is part of a process that runs already, and commits nothing: how much longer a headless session takes from the answer that ends its own work to the end of its process than a session without it (${Math.round(sides.plain.median)} ms), round by round. The model answers at once, so nothing counts but the two programs.`,
    }),
    compared({
      ...row,
      id: `review-time-reading-${name}`,
      what: `the same, with a model that reads ${shown(READ_TOKENS_PER_SECOND)} tokens a second`,
      unit: "ms",
      ours: sides.oursReading,
      theirs: sides.ownReading,
      bar: 1,
      rounds: Math.ceil(rounds / 2),
      how: `As above; each answer of a review waits as long as a model needs to read its request, at ${BYTES_PER_TOKEN} bytes a token: an assumption, on the fast side, without a cache.`,
    }),
  ];
}

/** What stays bounded, and what doesn't. */
function growthRows(measured, whole) {
  const [before, largest] = measured.slice(-2);
  if (largest.kilobytes < 2 * before.kilobytes)
    throw new Error("the largest session is too small to show a bound");
  const growth = (side) => shown(largest[side].median / before[side].median);
  const name = `a session of ${shown(largest.kilobytes)} KB`;
  return [
    compared({
      id: "model-bytes-bound",
      what: `bytes to the model, ${name}`,
      beside: `itself at ${shown(before.kilobytes)} KB`,
      unit: "bytes",
      ours: largest.oursBytes,
      theirs: before.oursBytes,
      bar: 1.1,
      rounds: largest.rounds,
      how: `The session is ${shown(largest.kilobytes / before.kilobytes)} times as large: what is sent must not grow with it, since the prompt has room for so much of a session and no more (\`PROMPT_SESSION_MAX_TOKENS\`). Qwen Code's own AutoSkill sends ${growth("ownBytes")} times as much, with its own defaults.`,
    }),
    compared({
      id: "model-bytes-uncleared",
      what: `bytes to the model, ${name}`,
      beside: "Qwen Code's own AutoSkill, its clearing of tool results off",
      unit: "bytes",
      ours: largest.oursBytes,
      theirs: statistic([whole.reviewBytes]),
      bar: 1,
      rounds: largest.rounds,
      how: `Theirs once, with \`context.clearContextOnIdle.toolResultsTotalCharsThreshold\` -1 and a context of a million tokens: ${historyText(whole.history, largest.steps)}.`,
    }),
  ];
}

function historyText({ results, cleared }, steps) {
  const whole = `of ${steps} tool results it had emptied ${cleared === 0 ? "none" : cleared} by then`;
  return results === steps ? whole : `${whole} and compressed ${steps - results} away`;
}

/** One session of Qwen Code, captured by the hook; without its own AutoSkill it is reviewed by skillpr. */
async function session(program, size, { isOwn, isReading = false, settings = {} }) {
  const { asker, qwenPrints, scriptedModel, temporaryRepository, userSettings } = program;
  const repository = await temporaryRepository({ files: filesOf(size) });
  const state = { made: 0, doneAt: null, isReading };
  const model = await scriptedModel((request) => answer(program, repository, size, state, request));
  try {
    userSettings(repository, { ...settings, memory: { enableAutoSkill: isOwn } });
    await install(program, repository, model);
    await qwenPrints(repository, model, "send the parcel step by step", "text");
    const endedAt = performance.now();
    if (state.doneAt === null) throw new Error("the session's own work has no end");
    const workMs = isOwn ? null : await work(program, repository);
    const who = isOwn ? "own-reviewer" : "skillpr";
    const asked = model.requests.filter((request) => asker(request) === who);
    if (asked.length !== 2) throw new Error(`a review of ${asked.length} requests instead of 2`);
    const last = model.requests.findLastIndex((request) => asker(request) === "session");
    if (model.requests.indexOf(asked[0]) < last)
      throw new Error("reviewed before the session ended");
    if (isOwn && !hasOwnSkill(repository))
      throw new Error("Qwen Code's own AutoSkill wrote no skill");
    const transcripts = program.transcripts(repository).map((file) => statSync(file).size);
    return {
      tailMs: endedAt - state.doneAt,
      workMs,
      reviewBytes: sum(asked.map(({ text }) => Buffer.byteLength(text))),
      transcriptBytes: sum(transcripts),
      history: historyOf(asked[0]),
    };
  } finally {
    await model.close();
    await repository[Symbol.asyncDispose]();
  }
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

/** Once written it waits in another folder until the user says yes. */
function hasOwnSkill({ dir }) {
  const names = readdirSync(join(dir, ".qwen"), { recursive: true, encoding: "utf8" });
  return names.some((name) => name.endsWith(`${OWN_FOLDER}/SKILL.md`));
}

/** How many tool results a request holds, and how many of them Qwen Code had emptied. */
function historyOf(request) {
  const results = request.body.messages.filter(({ role }) => role === "tool");
  const cleared = results.filter(({ content }) => JSON.stringify(content).includes(CLEARED));
  return { results: results.length, cleared: cleared.length };
}

function filesOf({ steps, lines }) {
  const files = { "README.md": "# parcels\n", ".gitignore": ".qwen/tmp/\n" };
  for (let step = 1; step <= steps; step += 1)
    files[`steps/${step}.txt`] = Array.from(
      { length: lines },
      (_, line) => `parcel ${line} of step ${step} is sent\n`,
    ).join("");
  return files;
}

async function install({ runCli }, repository, model) {
  const folder = join(repository.env.HOME, ".config/skillpr");
  mkdirSync(folder, { recursive: true });
  // Qwen Code's own switch is off here, and skillpr would take that for a wish not to be reviewed at all.
  const config = `enabled: true\nmodel:\n  name: scripted\n  base-url: ${model.url}\n  api-key: local\n`;
  writeFileSync(join(folder, "config.yml"), config, { mode: 0o600 });
  const { code, stderr } = await runCli(repository, ["install"]);
  if (code !== 0) throw new Error(stderr);
  await repository.commit("settings");
}

async function work({ runCli }, repository) {
  const startedAt = performance.now();
  const result = await runCli(repository, ["work", "--now", "--json"]);
  const time = performance.now() - startedAt;
  const { jobs } = result.json();
  if (jobs[0]?.outcome?.status !== "proposed") throw new Error(result.stdout + result.stderr);
  return time;
}

/** Says of each request how large it was, as a model does: Qwen Code compresses by that. */
function answer({ asker, completion }, repository, size, state, request) {
  const prompt_tokens = Math.ceil(Buffer.byteLength(request.text) / BYTES_PER_TOKEN);
  const usage = { prompt_tokens, completion_tokens: 10, total_tokens: prompt_tokens + 10 };
  const says = (text) => completion({ text, usage });
  const calls = (toolCalls) => completion({ toolCalls, usage });
  const who = asker(request);
  if (who === "aside") return says("Nothing.");
  if (who === "session") {
    if (state.made < size.steps) return calls(nextSteps(repository, size, state));
    state.doneAt = performance.now();
    return says("All steps are done.");
  }
  const delayMs = state.isReading ? (1000 * prompt_tokens) / READ_TOKENS_PER_SECOND : 0;
  const isWritten = request.body.messages.some(
    ({ tool_calls }) => tool_calls?.some((call) => call.function.name === "write_file") ?? false,
  );
  if (isWritten) return { ...says("Saved."), delayMs };
  const isOurs = who === "skillpr";
  const path = `.qwen/skills/${isOurs ? SKILL : OWN_FOLDER}/SKILL.md`;
  const file_path = isOurs ? path : join(repository.dir, path);
  return { ...calls([["write_file", { file_path, content: text(isOurs) }]]), delayMs };
}

/** Counted here: the history in a request may have been compressed. */
function nextSteps(repository, { steps }, state) {
  const first = state.made + 1;
  state.made = Math.min(steps, state.made + CALLS_PER_ANSWER);
  return Array.from({ length: state.made - first + 1 }, (_, index) => {
    const step = first + index;
    return ["read_file", { file_path: join(repository.dir, `steps/${step}.txt`) }, `call_${step}`];
  });
}

/** The marker where each of the two wants it. */
function text(isOurs) {
  const marker = "source: auto-skill\nextracted_at: '2026-03-09T14:03:12.000Z'";
  return `---
name: ${SKILL}
description: Lists the steps of a parcel. Use when a parcel has to be sent step by step.
version: 1.0.0
${isOurs ? `metadata:\n${marker.replace(/^/gm, "  ")}` : marker}
---

# Parcel steps

Read \`steps/1.txt\` and go on in order.
`;
}

await whenMain(import.meta, measure);
