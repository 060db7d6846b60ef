// The same sessions of the real Qwen Code, reviewed by its own AutoSkill and by skillpr, with the same scripted model:
// the bytes that each sends to the model, and the time that each takes. Qwen Code's own review is part of its
// process: its time is how much longer the process lives than without it. skillpr's is that of `skillpr work`.
// usage: npm run test:qwen -- --install-only && npm run bundle && node bench/auto-skill.mjs [rounds]
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compared, imported, ROOT, statistic, whenMain } from "./support.mjs";

const QWEN = join(ROOT, ".cache/qwen/node_modules/@qwen-code/qwen-code/cli.js");
const MODULES = ["test/qwen/qwen-code.ts", "test/support/scripted-model.ts"];
const MORE = ["test/support/temp-repository.ts", "test/support/built-cli.ts"];
const STEPS = 24;
/** What each step of a session prints. The rows say how large its transcript became: Qwen Code cuts long outputs. */
const SIZES = [
  { name: "small", lines: 1 },
  { name: "large", lines: 1200 },
  { name: "larger", lines: 2400 },
];
const SKILL = "parcel-steps";

export async function measure({ rounds = 3 } = {}) {
  if (!existsSync(QWEN))
    throw new Error("Qwen Code is missing: npm run test:qwen -- --install-only");
  mkdirSync(join(ROOT, ".cache"), { recursive: true });
  // As deep below the root as the tests, whose modules look for programs from where they are.
  const built = mkdtempSync(join(ROOT, ".cache/bench-"));
  try {
    const program = await imported(built, [...MODULES, ...MORE], { dir: built });
    const rows = [];
    for (const size of SIZES) rows.push(...(await compareSize(program, size, rounds)));
    return rows;
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}

async function compareSize(program, size, rounds) {
  const all = { plain: [], own: [], ours: [], ownBytes: [], oursBytes: [], size: [] };
  for (let round = 0; round < rounds; round += 1) {
    const without = await session(program, size, false);
    const own = await session(program, size, true);
    all.plain.push(without.qwenMs);
    all.own.push(own.qwenMs - without.qwenMs);
    all.ownBytes.push(own.ownBytes);
    all.ours.push(without.workMs);
    all.oursBytes.push(without.oursBytes);
    all.size.push(without.transcriptBytes);
  }
  const kilobytes = Math.round(statistic(all.size).median / 1024);
  const row = { rounds, beside: "Qwen Code's own AutoSkill" };
  return [
    compared({
      ...row,
      id: `model-bytes-${size.name}`,
      what: `bytes to the model, a session of ${kilobytes} KB`,
      unit: "bytes",
      ours: statistic(all.oursBytes),
      theirs: statistic(all.ownBytes),
      bar: kilobytes > 100 ? 1 : null,
      how: "All requests of a whole review, headers not counted; both write one skill and stop.",
    }),
    compared({
      ...row,
      id: `review-time-${size.name}`,
      what: `time from the worker's start to the proposal, a session of ${kilobytes} KB`,
      unit: "ms",
      ours: statistic(all.ours),
      theirs: statistic(all.own),
      bar: 1,
      how: `Theirs is how much longer a headless session takes with it than without (${Math.round(statistic(all.plain).median)} ms).`,
    }),
  ];
}

/** One session of Qwen Code; without its own AutoSkill it is captured by the hook and reviewed by skillpr. */
async function session(program, { lines }, isOwn) {
  const { asker, qwenPrints, scriptedModel, temporaryRepository, transcripts, userSettings } =
    program;
  const files = { "README.md": "# parcels\n", ".gitignore": ".qwen/tmp/\n" };
  const repository = await temporaryRepository({ files });
  const model = await scriptedModel((request) => answer(program, repository, lines, request));
  try {
    userSettings(repository, { memory: { enableAutoSkill: isOwn } });
    if (!isOwn) await install(program, repository, model);
    const startedAt = performance.now();
    await qwenPrints(repository, model, "send the parcel step by step", "text");
    const qwenMs = performance.now() - startedAt;
    const workMs = isOwn ? null : await work(program, repository);
    const bytesOf = (who) =>
      model.requests
        .filter((request) => asker(request) === who)
        .reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    const [ownBytes, oursBytes] = [bytesOf("own-reviewer"), bytesOf("skillpr")];
    if ((isOwn ? ownBytes : oursBytes) === 0) throw new Error("the session was not reviewed");
    const transcriptBytes = transcripts(repository).reduce(
      (sum, file) => sum + statSync(file).size,
      0,
    );
    return { qwenMs, workMs, ownBytes, oursBytes, transcriptBytes };
  } finally {
    await model.close();
    await repository[Symbol.asyncDispose]();
  }
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

function answer({ asker, calls }, repository, lines, request) {
  const who = asker(request);
  if (who === "aside") return "Nothing.";
  const made = request.body.messages.filter(({ role }) => role === "tool").length;
  if (who === "session") return made >= STEPS ? "All steps are done." : step(calls, made, lines);
  const isWritten = request.body.messages.some(
    ({ tool_calls }) => tool_calls?.some((call) => call.function.name === "write_file") ?? false,
  );
  if (isWritten) return "Saved.";
  const path = `.qwen/skills/${who === "skillpr" ? SKILL : `auto-skill-${SKILL}`}/SKILL.md`;
  const file_path = who === "skillpr" ? path : join(repository.dir, path);
  return calls(["write_file", { file_path, content: text(who === "skillpr") }]);
}

function step(calls, made, lines) {
  const command = `seq -f 'parcel %g of step ${made} is sent' ${lines}`;
  return calls([
    "run_shell_command",
    { command, description: "a step", is_background: false },
    `call_${made + 1}`,
  ]);
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

Run \`seq 3\` and go on in order.
`;
}

await whenMain(import.meta, measure);
