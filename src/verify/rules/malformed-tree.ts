import { type Detail, defineRule, EVERY_PROFILE, quoted } from "../rule.ts";

export const malformedTreeRule = defineRule({
  id: "structure.malformed-tree",
  level: "error",
  why: "Git reads many trees that it would not write, and of such a tree two readers may see different files.",
  example: "two entries named `SKILL.md`, or one named `a/SKILL.md`",
  profiles: EVERY_PROFILE,
  *check({ input }): Iterable<Detail> {
    for (const { path, problem } of input.oddities ?? []) {
      yield {
        path: path === "" ? null : path,
        message: `${path === "" ? "The root" : quoted(path)} ${problem}.`,
        hint: "Make the commit with git's own commands (`git add`, `git commit`): they write no such tree.",
      };
    }
  },
});
