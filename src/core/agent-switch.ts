import { fieldOf } from "./json-with-comments.ts";

/** True when Qwen Code's settings switch its own reviewer off. */
export function saysOff(settings: unknown): boolean {
  return fieldOf(fieldOf(settings, "memory"), "enableAutoSkill") === false;
}
