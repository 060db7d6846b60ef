import { defineUngroundedRule } from "../../ungrounded.ts";

export const urlRule = defineUngroundedRule({
  id: "ungrounded.url",
  why: "An address that no one met in the session may be a model's invention, or somebody's trap.",
  example: "`https://install.example.net` in a skill of a session that never went there",
  kind: "url",
  what: "an address",
  hint: "Check that it is right and meant, or remove it.",
});
