import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import { EVERY_PROFILE } from "../../rule.ts";

/** A path in somebody's home or in a system's own temporary folders, up to its first blank. */
const MACHINE_PATH =
  /(?<![\w.$~}/\\-])(?:(?:\/(?:home|Users)\/|[A-Za-z]:[\\/]Users[\\/])([\w.-]{1,64})[\\/][\w.-][^\s"'`)<>\]]{0,200}|\/root\/[\w.-][^\s"'`)<>\]]{0,200}|\/private\/var\/folders\/[^\s"'`)<>\]]{1,200})/g;
/** Names by which documentation means everybody. */
const ANYBODY =
  /^(?:users?|username|user-name|name|you|your[-_]?(?:name|user|username)|me|myself|someone|somebody|example|node|runner|app|vscode|ubuntu|jovyan|public|shared)$/i;

export const machinePathRule = defineContentRule({
  id: "quality.machine-path",
  level: "warning",
  why: "A path of the author's machine leads nowhere on another one.",
  example: "`/home/user/work/parcels/src`",
  profiles: EVERY_PROFILE,
  *find({ text }): Iterable<ContentDetail> {
    for (const match of text.matchAll(MACHINE_PATH)) {
      if (ANYBODY.test(match[1] ?? "")) continue;
      yield {
        start: match.index,
        end: match.index + match[0].length,
        says: "is a path of the author's machine",
        hint: "Write it relative to the project's root.",
      };
    }
  },
});
