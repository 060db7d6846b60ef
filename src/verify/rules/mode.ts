import { type Detail, defineRule, EVERY_PROFILE, quoted } from "../rule.ts";

const REGULAR = "100644";
const REFUSED: Readonly<Record<string, string>> = {
  "100755": "is executable",
  "120000": "is a symbolic link",
  "160000": "is a submodule",
};

export const modeRule = defineRule({
  id: "structure.mode",
  level: "error",
  why: "A link leads reads and writes elsewhere, a submodule is code from elsewhere, and nothing in a skill is a program.",
  example: "a symbolic link to `/etc/passwd`",
  profiles: EVERY_PROFILE,
  *check({ changes, input }): Iterable<Detail> {
    for (const { path, status, mode, oldMode } of changes) {
      if (status === "D") continue;
      if (mode !== REGULAR) {
        yield {
          path,
          message: `${quoted(path)} ${REFUSED[mode] ?? `has the mode ${quoted(mode)}`}.`,
          hint: `Make it a regular file (mode ${REGULAR}) that holds the text itself.`,
        };
      } else if (status === "M" && oldMode !== mode && input.profile === "proposal") {
        yield {
          path,
          message: `${quoted(path)} changes its mode from ${quoted(oldMode)} to ${mode}.`,
          hint: "Leave this file as it is until a person has corrected its mode.",
        };
      }
    }
  },
});
