import type { DiskEntry } from "../change.ts";
import { type Detail, defineRule, quoted } from "../rule.ts";

const REFUSED: Readonly<Partial<Record<DiskEntry["kind"], string>>> = {
  symlink: "is a symbolic link",
  "hard-link": "is a hard link: its content may be a file outside",
  special: "is no file and no folder (a pipe, a socket or a device)",
  unreadable: "can't be read",
  oversize: "is too large to be looked at",
};
/** The three execute bits, and set-user-id, set-group-id and sticky. */
const REFUSED_PERMISSIONS = 0o7111;

export const diskKindRule = defineRule({
  id: "structure.disk-kind",
  level: "error",
  why: "A git tree doesn't show hard links, pipes and hidden execute bits, so the workspace itself is looked at.",
  example: "a hard link to a key file of the user",
  profiles: ["proposal"],
  *check({ input }): Iterable<Detail> {
    for (const { path, kind, permissions = 0 } of input.disk ?? []) {
      const isExecutable = kind === "file" && (permissions & REFUSED_PERMISSIONS) !== 0;
      const what =
        REFUSED[kind] ??
        (isExecutable ? `has the permissions ${permissions.toString(8)}` : undefined);
      if (what === undefined) continue;
      yield {
        path,
        message: `${quoted(path)} ${what}.`,
        hint: "Write a plain text file with the permissions 644 instead.",
      };
    }
  },
});
