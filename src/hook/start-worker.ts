import { WORKER_HEAP_MAX_MB } from "../core/limits.ts";
import type { FoundRepository } from "./find-repository.ts";
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
  // Loading it takes longer than everything else that the hook does.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const heap = `--max-old-space-size=${WORKER_HEAP_MAX_MB}`;
  const worker = spawn(process.execPath, [heap, cli, "work", "--repo", repository.dir], {
    // Not the agent's folder, which may be removed or unmounted.
    cwd: repository.commonDir,
    detached: true,
    env: workerEnvironment(env, foldersOf(repository)),
    stdio: "ignore",
    windowsHide: true,
  });
  worker.on("error", onError);
  worker.unref();
}
