/** What the worker has used today, so that a runaway can't run up a bill: `usage.json`. */
import { writeFileAtomically } from "../core/atomic-file.ts";
import { jsonOrNull } from "../core/json-or-null.ts";
import { z } from "../core/schema.ts";
import { readQueueFile } from "./queue.ts";
import type { QueueFolders } from "./queue-files.ts";

export interface DailyUsage {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  /** Reviews in which a reviewer was asked, failed ones too. */
  readonly reviews: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

const schema = z.object({
  day: z.string(),
  reviews: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
});

/** Today's; of another day (also of one to come: clocks jump) or damaged, it counts as nothing. */
export function readUsage(folders: QueueFolders, nowMs: number): DailyUsage {
  const day = new Date(nowMs).toISOString().slice(0, 10);
  const none = { day, reviews: 0, inputTokens: 0, outputTokens: 0 };
  const text = readQueueFile(folders.usage);
  if (text === null) return none;
  const usage = schema.safeParse(jsonOrNull(text)).data;
  return usage?.day === day ? usage : none;
}

/** Adds to today's. Only the worker that holds the lock calls this. */
export async function addUsage(
  folders: QueueFolders,
  added: Omit<DailyUsage, "day">,
  nowMs: number,
): Promise<void> {
  const { day, ...today } = readUsage(folders, nowMs);
  const sum: DailyUsage = {
    day,
    reviews: today.reviews + added.reviews,
    inputTokens: today.inputTokens + added.inputTokens,
    outputTokens: today.outputTokens + added.outputTokens,
  };
  await writeFileAtomically(folders.usage, `${JSON.stringify(sum)}\n`);
}
