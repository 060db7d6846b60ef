import { foldPath } from "../context.ts";
import { type Detail, defineRule, EVERY_PROFILE, quoted } from "../rule.ts";

export const caseCollisionRule = defineRule({
  id: "structure.case-collision",
  level: "error",
  why: "On macOS and Windows two paths that differ in case or composition are one file, and one overwrites the other.",
  example: "`Release-Flow/SKILL.md` beside `release-flow/SKILL.md`",
  profiles: EVERY_PROFILE,
  *check({ changes, input }): Iterable<Detail> {
    const spellings = new Map<string, Set<string>>();
    for (const { path } of input.next) {
      for (const prefix of prefixesOf(path)) {
        const fold = foldPath(prefix);
        spellings.set(fold, (spellings.get(fold) ?? new Set()).add(prefix));
      }
    }
    for (const { path, status } of changes) {
      if (status === "D") continue;
      for (const prefix of prefixesOf(path)) {
        const others = [...(spellings.get(foldPath(prefix)) ?? [])];
        const other = others.find((spelling) => spelling !== prefix);
        if (other === undefined) continue;
        yield {
          path,
          message: `${quoted(prefix)} and ${quoted(other)} are the same path on some file systems.`,
          hint: "Use the spelling that exists already, or another name.",
        };
        break;
      }
    }
  },
});

/** `a/b/c` gives `a`, `a/b`, `a/b/c`: folders collide too. */
function* prefixesOf(path: string): Generator<string> {
  for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
    yield path.slice(0, end);
  }
  yield path;
}
