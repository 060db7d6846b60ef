import { defineUngroundedRule } from "../../ungrounded.ts";

export const packageRule = defineUngroundedRule({
  id: "ungrounded.package",
  why: "A package that a model invented is one that an attacker can register.",
  example: "`npm install left-pad-pro`, which the session never named",
  kind: "package",
  what: "a package",
  hint: "Check that it exists and is the one that is meant, or remove it.",
});
