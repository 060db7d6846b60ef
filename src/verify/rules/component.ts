import { SKILL_PATH_MAX_DEPTH } from "../../core/limits.ts";
import { componentProblem } from "../../skills/path-component.ts";
import { type Detail, defineRule, EVERY_PROFILE, quoted } from "../rule.ts";

export const componentRule = defineRule({
  id: "structure.component",
  level: "error",
  why: "A name that is harmless on one system is `.git`, a device or another file on the next, or looks like another name.",
  example: "`.g\\u{200c}it`, `aux.md`, `a:b.md`",
  profiles: EVERY_PROFILE,
  *check({ changes, input, skillsRoot }): Iterable<Detail> {
    const paths = new Set(
      [...changes.filter(({ status }) => status !== "D"), ...(input.disk ?? [])].map(
        ({ path }) => path,
      ),
    );
    for (const path of paths) {
      if (!path.startsWith(`${skillsRoot}/`)) continue;
      const names = path.slice(skillsRoot.length + 1).split("/");
      for (const name of new Set(names)) {
        const problem = componentProblem(name);
        if (!problem) continue;
        yield {
          path,
          message: `The name ${quoted(name)} ${problem}.`,
          hint: "Use ASCII letters, digits, hyphens, dots and underscores.",
        };
      }
      // The skill's folder and the file itself are no levels between them.
      if (names.length - 2 > SKILL_PATH_MAX_DEPTH) {
        yield {
          path,
          message: `${quoted(path)} lies deeper than ${SKILL_PATH_MAX_DEPTH} folders below its skill.`,
          hint: "Move it up; references are found more easily one level deep.",
        };
      }
    }
  },
});
