/** The inside of a thread that checks files of a change: verify-threads.ts starts it, and gives it its work once. */
import { parentPort } from "node:worker_threads";
import { createFileContext } from "../verify/context.ts";
import { createFileCheck } from "../verify/file-check.ts";
import type { Finding } from "../verify/finding.ts";
import { FileShares } from "./file-shares.ts";
import type { FileWork } from "./file-work.ts";

parentPort?.once("message", ({ input, places, bytes, shares, thread }: FileWork) => {
  const all = new Uint8Array(bytes);
  const blob = (id: string) => {
    const place = places.get(id);
    return place && all.subarray(place.start, place.end);
  };
  const files = createFileCheck(createFileContext({ ...input, blob }));
  const found = new Map<number, Finding[]>();
  for (const file of FileShares.open(files.count, shares).take(thread))
    found.set(file, files.check(file));
  parentPort?.postMessage(found);
});
