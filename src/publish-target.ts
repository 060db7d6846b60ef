import type { Config } from "./core/config.ts";
import { SkillprError } from "./core/errors.ts";

/** @throws SkillprError `usage` for a target that this version doesn't have */
export function requirePublishTarget({ publish }: Pick<Config, "publish">): void {
  if (publish !== "pr") return;
  throw new SkillprError(
    "usage",
    "publishing as a pull request is not in this version",
    "use --publish branch (or `publish: branch` in your config), then push the branch",
  );
}
