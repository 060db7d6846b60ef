import { WORKER_HEAP_MAX_MB } from "../core/limits.ts";
import type { FoundRepository } from "./find-repository.ts";
import { foldersOf } from "./outside.ts";
import { workerEnvironment } from "./worker-environment.ts";

/**
 * Prepares `skillpr work` in a session of its own, so that it outlives the agent and whoever kills
 * the agent's hooks: what takes time can be done while the disk works.
 * @param cli absolute path of the built `cli.js`
 * @param onError told what the system said when it can't be started
 * @returns starts it, once; does nothing with `SKILLPR_WORKER=off`
 */
export function prepareWorker(
  repository: FoundRepository,
  call: { readonly env: NodeJS.ProcessEnv; readonly cli: string },
  onError: (error: Error) => void,
): () => void {
  if (call.env["SKILLPR_WORKER"] === "off") return () => {};
  // Loading it takes longer than everything else that the hook does.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const heap = `--max-old-space-size=${WORKER_HEAP_MAX_MB}`;
  const options = {
    // Not the agent's folder, which may be removed or unmounted.
    cwd: repository.commonDir,
    detached: true,
    env: workerEnvironment(call.env, foldersOf(repository)),
    stdio: "ignore",
    windowsHide: true,
  } as const;
  let isStarted = false;
  return () => {
    if (isStarted) return;
    isStarted = true;
    const worker = spawn(
      process.execPath,
      [heap, call.cli, "work", "--repo", repository.dir],
      options,
    );
    worker.on("error", onError);
    worker.unref();
  };
}
