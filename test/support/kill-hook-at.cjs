/**
 * `node --require` this to kill the process with SIGKILL at its n-th step that changes something:
 * KILL_AT (1, 2, …) and KILL_MOMENT: `before` the step, `within` it (half of the bytes are
 * written; a step without bytes is done whole), or `after` it.
 */
const fs = require("node:fs");
const childProcess = require("node:child_process");

const at = Number(process.env.KILL_AT);
const moment = process.env.KILL_MOMENT;
delete process.env.KILL_AT;
delete process.env.KILL_MOMENT;

const original = { ...fs };
let steps = 0;
let isNested = false;

function kill() {
  process.kill(process.pid, "SIGKILL");
  for (;;); // until the signal arrives
}

/** What half of a step leaves behind. */
const HALVES = {
  writeFileSync: (target, text, ...rest) => {
    original.writeFileSync(target, String(text).slice(0, String(text).length / 2), ...rest);
  },
  appendFileSync: (target, text, ...rest) => {
    original.appendFileSync(target, String(text).slice(0, String(text).length / 2), ...rest);
  },
  copyFileSync: (from, to) => {
    const bytes = original.readFileSync(from);
    original.writeFileSync(to, bytes.subarray(0, bytes.length / 2));
  },
};

function watch(module, name) {
  const real = module[name];
  module[name] = function (...args) {
    // What Node does inside of one step is that step.
    if (isNested) return real.apply(this, args);
    steps += 1;
    if (steps === at && moment === "before") kill();
    isNested = true;
    try {
      const half = steps === at && moment === "within" ? HALVES[name] : undefined;
      const result = (half ?? real).apply(this, args);
      if (steps === at) kill();
      return result;
    } finally {
      isNested = false;
    }
  };
}

const STEPS = ["mkdirSync", "copyFileSync", "chmodSync", "writeFileSync", "appendFileSync"];
for (const name of [...STEPS, "fsync", "fsyncSync", "renameSync", "unlinkSync", "writeSync"])
  watch(fs, name);
// The worker is started by the handle that is below `child_process`.
process.noDeprecation = true;
watch(process.binding("process_wrap").Process.prototype, "spawn");
watch(childProcess, "spawn");

// Opening changes something only where it makes a file.
const { openSync } = fs;
const making = { openSync };
watch(making, "openSync");
fs.openSync = (path, flags, ...rest) =>
  (flags === "wx" ? making : { openSync }).openSync(path, flags, ...rest);
