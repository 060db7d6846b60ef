/** A queue in a temporary folder, and sessions to put into it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Payload } from "../../src/hook/payload.ts";
import { type QueueFolders, queueFolders } from "../../src/hook/queue-files.ts";

export interface TemporaryQueue extends Disposable {
  /** Holds everything; also the folder that the sessions worked in. */
  readonly home: string;
  /** A git common dir. */
  readonly commonDir: string;
  readonly folders: QueueFolders;
  /** Writes `<id>.jsonl` and gives the message of a session that it belongs to. */
  session(id: string, transcript: string): Payload;
}

export function temporaryQueue(): TemporaryQueue {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "skillpr-test-")));
  const commonDir = join(home, ".git");
  mkdirSync(commonDir);
  return {
    home,
    commonDir,
    folders: queueFolders(join(commonDir, "skillpr")),
    session: (id, transcript) => {
      const transcriptPath = join(home, `${id}.jsonl`);
      writeFileSync(transcriptPath, transcript);
      return { event: "Stop", sessionId: id, transcriptPath, cwd: home, isSubagent: false };
    },
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }),
  };
}
