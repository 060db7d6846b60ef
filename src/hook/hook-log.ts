import type { FoundRepository } from "./find-repository.ts";
import { foldersOf } from "./outside.ts";
import { queueFolders } from "./queue-files.ts";
import { type LogPlace, userLogFile, writeLog } from "./queue-log.ts";

/** The log of one hook: in the queue once the repository is known, in the user's state folder until then. */
export class HookLog {
  readonly #env: NodeJS.ProcessEnv;
  #event = "";
  #repository: FoundRepository | null = null;

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  isAbout(event: string, repository: FoundRepository | null): void {
    this.#event = event;
    this.#repository = repository;
  }

  /** Adds a line; where none can be written there is nobody left to tell, so it never throws. */
  add(message: string): void {
    const repository = this.#repository?.commonDir ?? null;
    const entry = { time: new Date().toISOString(), event: this.#event, message, repository };
    try {
      writeLog(this.#place(), entry);
    } catch {
      // Whatever it is: the only way left to tell it would be to disturb the agent.
    }
  }

  #place(): LogPlace {
    const repository = this.#repository;
    if (repository === null) return { queueLog: null, userLog: userLogFile(this.#env) };
    const userLog = userLogFile(this.#env, foldersOf(repository));
    return { queueLog: queueFolders(repository.stateDir).log, userLog };
  }
}
