import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import type { QueueFolders } from "./queue-files.ts";

/**
 * Why nothing may be put into a queue or taken out of it: something else lies where one of its
 * folders belongs. A repository that was unpacked from an archive brings its git folder along, and a
 * link in it could lead private files out, or make the worker tidy up somebody's documents.
 * @returns a sentence for people; null when each folder is one, or isn't there yet
 */
export function queueProblem(folders: QueueFolders): string | null {
  const { queue, captured, transcripts, records, announced, retries, damaged } = folders;
  const own = [captured, transcripts, records, announced, retries, damaged];
  const locks = [dirname(folders.workerLock), folders.workerLock];
  for (const folder of [dirname(queue), queue, ...own, ...locks]) {
    const info = lstatSync(folder, { throwIfNoEntry: false });
    if (info !== undefined && !info.isDirectory()) return `${folder} is no folder`;
  }
  return null;
}
