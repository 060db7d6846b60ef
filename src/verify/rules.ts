/** The table of rules. A new rule is one file in rules/, one line here and one test. */
import type { Rule } from "./rule.ts";
import { caseCollisionRule } from "./rules/case-collision.ts";
import { componentRule } from "./rules/component.ts";
import { countRule } from "./rules/count.ts";
import { descriptionRule } from "./rules/description.ts";
import { diskKindRule } from "./rules/disk-kind.ts";
import { duplicateSkillRule } from "./rules/duplicate/skill.ts";
import { emptyFolderRule } from "./rules/empty-folder.ts";
import { extraFolderRule } from "./rules/extra-folder.ts";
import { frontmatterRule } from "./rules/frontmatter.ts";
import { hiddenBidiRule } from "./rules/hidden/bidi.ts";
import { malformedTreeRule } from "./rules/malformed-tree.ts";
import { markerRule } from "./rules/marker.ts";
import { modeRule } from "./rules/mode.ts";
import { nameRule } from "./rules/name.ts";
import { operationRule } from "./rules/operation.ts";
import { pathRule } from "./rules/path.ts";
import { emptyStepRule } from "./rules/quality/empty-step.ts";
import { leftoverRule } from "./rules/quality/leftover.ts";
import { machinePathRule } from "./rules/quality/machine-path.ts";
import { placeholderRule } from "./rules/quality/placeholder.ts";
import { unresolvedRule } from "./rules/quality/unresolved.ts";
import { whenRule } from "./rules/quality/when.ts";
import { shadowRule } from "./rules/shadow.ts";
import { sizeRule } from "./rules/size.ts";
import { skillFileRule } from "./rules/skill-file.ts";
import { skillsRootRule } from "./rules/skills-root.ts";
import { textRule } from "./rules/text.ts";
import { treeRule } from "./rules/tree.ts";
import { commandRule } from "./rules/ungrounded/command.ts";
import { packageRule } from "./rules/ungrounded/package.ts";
import { urlRule } from "./rules/ungrounded/url.ts";

/** From the outside in: where, what kind, what name, what form; then what the text says. */
export const RULES: readonly Rule[] = [
  skillsRootRule,
  pathRule,
  operationRule,
  modeRule,
  malformedTreeRule,
  treeRule,
  diskKindRule,
  emptyFolderRule,
  extraFolderRule,
  componentRule,
  caseCollisionRule,
  skillFileRule,
  markerRule,
  frontmatterRule,
  nameRule,
  shadowRule,
  descriptionRule,
  sizeRule,
  textRule,
  countRule,
  hiddenBidiRule,
  urlRule,
  packageRule,
  commandRule,
  duplicateSkillRule,
  whenRule,
  emptyStepRule,
  leftoverRule,
  placeholderRule,
  machinePathRule,
  unresolvedRule,
];
