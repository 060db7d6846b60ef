/** The inside of a thread that checks files: verify-threads.ts starts it, and gives it its work once. */
import { parentPort } from "node:worker_threads";
import { createFileContext } from "../verify/context.ts";
import { createFileCheck, prepareFileChecks } from "../verify/file-check.ts";
import type { Finding } from "../verify/finding.ts";
import { FileShares } from "./file-shares.ts";
import type { FileWork } from "./file-work.ts";

// The program's first thread has this in its one file too, and is asked for nothing.
if (parentPort !== null) {
  const port = parentPort;
  port.once("message", (work: FileWork) => port.postMessage(checkShare(work)));
  // While the first thread still reads the objects.
  prepareFileChecks();
}

function checkShare({ input, places, bytes, shares, thread }: FileWork): Map<number, Finding[]> {
  const all = new Uint8Array(bytes);
  const blob = (id: string) => {
    const place = places.get(id);
    return place && all.subarray(place.start, place.end);
  };
  const files = createFileCheck(createFileContext({ ...input, blob }));
  const found = new Map<number, Finding[]>();
  for (const file of FileShares.open(files.count, shares).take(thread))
    found.set(file, files.check(file));
  return found;
}
