import { resolve } from "node:path";
import { runHook } from "../hook/hook.ts";
import type { Call } from "./program.ts";

/** `skillpr hook` with flags; without them the door calls the hook itself. Silent, with `--json` too. */
export async function runHookCommand(call: Call): Promise<number> {
  const repo = String(call.flags["repo"]);
  await runHook({
    repo: repo === "." ? null : resolve(repo),
    cli: process.argv[1] ?? "",
    env: process.env,
  });
  return 0;
}
