import type { Call } from "./program.ts";
import type { Terminal } from "./terminal.ts";
export async function runAdopt(_call: Call, _terminal: Terminal): Promise<number> {
  return 0;
}
