/** The table of rules. A new rule is one file in rules/, one line here and one test. */
import type { Rule } from "./rule.ts";
import { attackAccessRule } from "./rules/attack/access.ts";
import { attackBulkActionRule } from "./rules/attack/bulk-action.ts";
import { attackConcealmentRule } from "./rules/attack/concealment.ts";
import { attackCredentialReadRule } from "./rules/attack/credential-read.ts";
import { attackDestructiveRule } from "./rules/attack/destructive.ts";
import { attackDistortionRule } from "./rules/attack/distortion.ts";
import { attackExfiltrationRule } from "./rules/attack/exfiltration.ts";
import { attackIgnoredWarningRule } from "./rules/attack/ignored-warning.ts";
import { attackImpersonationRule } from "./rules/attack/impersonation.ts";
import { attackObfuscationRule } from "./rules/attack/obfuscation.ts";
import { attackOffPurposeRule } from "./rules/attack/off-purpose.ts";
import { attackOverrideRule } from "./rules/attack/override.ts";
import { attackPackageSourceRule } from "./rules/attack/package-source.ts";
import { attackPersistenceRule } from "./rules/attack/persistence.ts";
import { attackPrivateDataRule } from "./rules/attack/private-data.ts";
import { attackProgramRule } from "./rules/attack/program.ts";
import { attackPromotionRule } from "./rules/attack/promotion.ts";
import { attackRemoteCodeRule } from "./rules/attack/remote-code.ts";
import { attackResourcesRule } from "./rules/attack/resources.ts";
import { attackSafetyOffRule } from "./rules/attack/safety-off.ts";
import { attackStandingOrderRule } from "./rules/attack/standing-order.ts";
import { attackSteeringRule } from "./rules/attack/steering.ts";
import { attackUnexplainedScriptRule } from "./rules/attack/unexplained-script.ts";
import { attackUnnamedPlaceRule } from "./rules/attack/unnamed-place.ts";
import { attackWeaknessRule } from "./rules/attack/weakness.ts";
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
import { hiddenCommentRule } from "./rules/hidden/comment.ts";
import { hiddenEntitiesRule } from "./rules/hidden/entities.ts";
import { hiddenEscapeRule } from "./rules/hidden/escape.ts";
import { hiddenHostRule } from "./rules/hidden/host.ts";
import { hiddenInvisibleRule } from "./rules/hidden/invisible.ts";
import { hiddenLinkTextRule } from "./rules/hidden/link-text.ts";
import { hiddenMarkupRule } from "./rules/hidden/markup.ts";
import { hiddenMixedScriptRule } from "./rules/hidden/mixed-script.ts";
import { hiddenTagsRule } from "./rules/hidden/tags.ts";
import { hiddenVariationSelectorsRule } from "./rules/hidden/variation-selectors.ts";
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
import { secretDisguisedRule } from "./rules/secret/disguised.ts";
import { secretPersonalDataRule } from "./rules/secret/personal-data.ts";
import { secretValueRule } from "./rules/secret/value.ts";
import { shadowRule } from "./rules/shadow.ts";
import { sizeRule } from "./rules/size.ts";
import { skillFileRule } from "./rules/skill-file.ts";
import { skillbookRule } from "./rules/skillbook.ts";
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
  skillbookRule,
  hiddenBidiRule,
  hiddenCommentRule,
  hiddenEntitiesRule,
  hiddenEscapeRule,
  hiddenHostRule,
  hiddenInvisibleRule,
  hiddenLinkTextRule,
  hiddenMarkupRule,
  hiddenMixedScriptRule,
  hiddenTagsRule,
  hiddenVariationSelectorsRule,
  attackConcealmentRule,
  attackDestructiveRule,
  attackObfuscationRule,
  attackOverrideRule,
  attackRemoteCodeRule,
  attackCredentialReadRule,
  attackExfiltrationRule,
  attackProgramRule,
  attackPersistenceRule,
  attackPrivateDataRule,
  attackSafetyOffRule,
  attackIgnoredWarningRule,
  attackResourcesRule,
  attackBulkActionRule,
  attackOffPurposeRule,
  attackPackageSourceRule,
  attackStandingOrderRule,
  attackSteeringRule,
  attackDistortionRule,
  attackPromotionRule,
  attackImpersonationRule,
  attackUnexplainedScriptRule,
  attackUnnamedPlaceRule,
  attackAccessRule,
  attackWeaknessRule,
  secretDisguisedRule,
  secretPersonalDataRule,
  secretValueRule,
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
