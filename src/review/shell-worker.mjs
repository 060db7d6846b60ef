// The inside of the shell: one command line in a thread of its own, which shell.ts starts and ends.
// Plain JavaScript, because a thread's file must run as it lies there, in the sources too. It has no
// environment, and knows no file: what its file system and its git are asked goes out as a message.
import { posix } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { Bash } from "just-bash";

const { command, cwd, limits, commands, refusedCommands } = workerData;

/** Questions without an answer yet, by number. */
const open = new Map();
let asked = 0;

function ask(what, ...args) {
  return new Promise((resolve, reject) => {
    asked += 1;
    open.set(asked, { resolve, reject });
    parentPort.postMessage({ kind: "question", id: asked, what, args });
  });
}

parentPort.on("message", ({ id, value, error }) => {
  const { resolve, reject } = open.get(id);
  open.delete(id);
  if (error === undefined) resolve(value);
  else reject(Object.assign(new Error(error.message), { code: error.code }));
});

const questions = ["exists", "stat", "lstat", "readdir", "readdirWithFileTypes", "readlink"];
const more = ["realpath", "readFileBuffer", "writeFile", "appendFile"];
const fs = {
  ...Object.fromEntries([...questions, ...more].map((what) => [what, (path) => ask(what, path)])),
  resolvePath: (base, path) => posix.resolve(base, path),
  getAllPaths: () => [],
};

// What `<(…)` hands over lies in this thread, and nowhere else.
const pipes = new Map();
const isPipe = (path) => path.startsWith("/dev/fd/");
const { exists, readFileBuffer, writeFile } = fs;
fs.exists = async (path) => pipes.has(path) || exists(path);
fs.readFileBuffer = async (path) => pipes.get(path) ?? readFileBuffer(path);
fs.writeFile = async (path, content, options) => {
  if (!isPipe(path)) return writeFile(path);
  const encoding = typeof options === "string" ? options : (options?.encoding ?? "utf8");
  pipes.set(path, Buffer.from(content, encoding));
};
fs.readFile = async (path, options) => {
  const encoding = typeof options === "string" ? options : (options?.encoding ?? "utf8");
  return Buffer.from(await fs.readFileBuffer(path)).toString(encoding);
};
fs.rm = async (path) => pipes.delete(path) || ask("change", path);
fs.readFileBytes = async (path) => Buffer.from(await fs.readFileBuffer(path)).toString("latin1");

for (const name of ["mkdir", "chmod", "utimes"]) fs[name] = (path) => ask("change", path);
for (const name of ["cp", "mv", "symlink", "link"]) fs[name] = (_, path) => ask("change", path);

const git = { name: "git", execute: (args, context) => ask("git", args, context.cwd) };

/** Tells which files the model has seen whole. */
const cat = {
  name: "cat",
  async execute(args, context) {
    const result = await context.origCommand(args);
    const paths = args.filter((arg) => !arg.startsWith("-"));
    for (const path of result.exitCode === 0 ? paths : [])
      await ask("shown", posix.resolve(context.cwd, path));
    return result;
  },
};

const refused = refusedCommands.map((name) => ({
  name,
  execute: async () => {
    const stderr = `${name}: not possible here: the shell only reads\n`;
    return { stdout: "", stderr, exitCode: 126 };
  },
}));

const bash = new Bash({
  fs,
  cwd,
  commands,
  customCommands: [git, cat, ...refused],
  executionLimits: limits,
  env: {},
});
try {
  const { stdout, stderr, exitCode } = await bash.exec(command);
  parentPort.postMessage({ kind: "result", stdout, stderr, exitCode });
} catch (error) {
  const stderr = `shell: ${error instanceof Error ? error.message : String(error)}\n`;
  parentPort.postMessage({ kind: "result", stdout: "", stderr, exitCode: 126 });
}
