import { type Detail, defineRule, EVERY_PROFILE, quoted } from "../rule.ts";

const REFUSED: Readonly<Record<string, string>> = {
  D: "is deleted",
  R: "is renamed",
  C: "is a copy with a history of its own",
  T: "changes its type",
};

export const operationRule = defineRule({
  id: "structure.operation",
  level: "error",
  why: "Reviewers add and improve; taking something away is a person's decision.",
  example: "a deleted skill",
  profiles: EVERY_PROFILE,
  *check({ changes, input }): Iterable<Detail> {
    for (const { path, status } of changes) {
      if (status === "A" || status === "M") continue;
      if (status === "D" && input.profile === "pull-request") continue;
      const what = REFUSED[status.charAt(0)] ?? `has the unknown status ${quoted(status)}`;
      yield {
        path,
        message: `${quoted(path)} ${what}; only new and modified files are allowed.`,
        hint: "Restore the file as it was; a person can remove or rename it by hand.",
      };
    }
  },
});
