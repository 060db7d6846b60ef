/**
 * Loaded with `--require`: kills the process (SIGKILL) right before its n-th call that writes,
 * renames, removes or makes something, or starts a process; n is in KILL_AT. Without a kill, the
 * number of calls goes into the file KILL_COUNT at the end.
 */
const fs = require("node:fs");
const childProcess = require("node:child_process");
const { syncBuiltinESMExports } = require("node:module");

const at = Number(process.env.KILL_AT);
const countFile = process.env.KILL_COUNT;
// Processes that we start are not meant.
delete process.env.KILL_AT;
delete process.env.NODE_OPTIONS;
let calls = 0;

function step() {
  calls += 1;
  if (calls !== at) return;
  process.kill(process.pid, "SIGKILL");
  // The signal is asynchronous: nothing more may happen until it arrives.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
}

function patch(object, ...names) {
  for (const name of names) {
    const original = object[name];
    object[name] = function patched(...args) {
      step();
      return original.apply(this, args);
    };
  }
}

const isWriting = (flags) =>
  typeof flags === "number"
    ? (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0
    : /[wa+]/.test(flags ?? "r");

const CHANGES = [
  "rename",
  "unlink",
  "rm",
  "rmdir",
  "mkdir",
  "link",
  "symlink",
  "writeFile",
  "appendFile",
  "copyFile",
  "truncate",
];
const writeFileSync = fs.writeFileSync;
patch(fs, ...CHANGES.map((name) => `${name}Sync`), "writeSync", "fsyncSync");
patch(fs.promises, ...CHANGES);
patch(childProcess, "spawn", "spawnSync", "execFile", "execFileSync");

const { openSync } = fs;
fs.openSync = (path, flags, ...rest) => {
  if (isWriting(flags)) step();
  return openSync(path, flags, ...rest);
};
const { open } = fs.promises;
fs.promises.open = async (path, flags, ...rest) => {
  if (isWriting(flags)) step();
  const handle = await open(path, flags, ...rest);
  if (isWriting(flags)) patch(handle, "write", "writeFile", "sync", "close");
  return handle;
};
syncBuiltinESMExports();

process.on("exit", () => {
  if (countFile) writeFileSync(countFile, String(calls));
});
