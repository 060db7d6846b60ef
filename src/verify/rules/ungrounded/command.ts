import { defineUngroundedRule } from "../../ungrounded.ts";

export const commandRule = defineUngroundedRule({
  id: "ungrounded.command",
  why: "A command that the session never showed was not seen to work.",
  example: "`terraform destroy` after a session about tests",
  kind: "command",
  what: "a command",
  hint: "Check that it works and is meant, or remove it.",
});
