import { mkdirSync } from "node:fs";

/** Makes folders of one name one in the other, also deeper than a path can be long. */
export function nestFolders(folder: string, levels: number, name = "dddddddddd"): void {
  const before = process.cwd();
  process.chdir(folder);
  for (let level = 0; level < levels; level += 1) {
    mkdirSync(name);
    process.chdir(name);
  }
  process.chdir(before);
}
