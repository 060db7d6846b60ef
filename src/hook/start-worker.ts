import { WORKER_HEAP_MAX_MB } from "../core/limits.ts";
import type { FoundRepository } from "./find-repository.ts";
import { withBinding } from "./node-binding.ts";
import { foldersOf } from "./outside.ts";
import { workerEnvironment } from "./worker-environment.ts";

/**
 * Starts `skillpr work` in a session of its own, so that it outlives the agent and whoever kills
 * the agent's hooks. Does nothing with `SKILLPR_WORKER=off`.
 * @param cli absolute path of the built `cli.js`
 * @param onError told, in the next tick, what the system said when it can't be started
 */
export function startWorker(
  repository: FoundRepository,
  { env, cli }: { readonly env: NodeJS.ProcessEnv; readonly cli: string },
  onError: (error: Error) => void,
): void {
  if (env["SKILLPR_WORKER"] === "off") return;
  const heap = `--max-old-space-size=${WORKER_HEAP_MAX_MB}`;
  startDetached(
    {
      file: process.execPath,
      args: [heap, cli, "work", "--repo", repository.dir],
      // Not the agent's folder, which may be removed or unmounted.
      cwd: repository.commonDir,
      env: workerEnvironment(env, foldersOf(repository)),
    },
    onError,
  );
}

interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** By the handle that is below `child_process`; by that where there is none, and where an error has to be told. */
function startDetached({ file, args, cwd, env }: Program, onError: (error: Error) => void): void {
  const isStarted = withBinding("process_wrap", ({ Process }) =>
    new Process().spawn({
      file,
      args: [file, ...args],
      cwd,
      envPairs: Object.entries(env).map(([name, value]) => `${name}=${value}`),
      detached: true,
      stdio: [{ type: "ignore" }, { type: "ignore" }, { type: "ignore" }],
    }),
  );
  if (isStarted) return;
  const { spawn } = process.getBuiltinModule("node:child_process");
  const options = { cwd, detached: true, env, stdio: "ignore", windowsHide: true } as const;
  const child = spawn(file, args, options);
  child.on("error", onError);
  child.unref();
}
