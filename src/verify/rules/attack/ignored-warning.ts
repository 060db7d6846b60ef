import type { Attack } from "../../content/attack.ts";
import { defineAttackRule } from "../../content/attack-rule.ts";

const ATTACKS: readonly Attack[] = [
  {
    pattern:
      /\b(?:hit|press|type|answer|say|choose|click|enter|pick|select|reply)(?: [a-z]{1,8}){0,2} ["'`]?(?:yes|y|ok|okay|allow|accept|agree|always allow|continue)["'`]?\b[^.;!?\n]{0,40}\b(?:every|all|any|each|whenever|always)\b[^.;!?\n]{0,40}|\b(?:every|all|any|each)\b[^.;!?\n]{0,40}\b(?:prompts?|dialogs?|questions?|warnings?|confirmations?)\b[^.;!?\n]{0,40}\b(?:with|is|are|gets?) ["'`]?(?:yes|y|ok|allow|accept(?:ed)?|confirmed|approved|dismissed|closed)\b|\b(?:skip|drop|forget|do without|get rid of|jump over)\b[^.;!?\n]{0,30}\b(?:confirmation|permission|approval|warning|consent|safety|security)s?(?: dialogs?| prompts?| questions?| steps?| screens?)\b/g,
    says: "takes the decision away from the user",
    isProse: true,
  },
  {
    pattern:
      /\b(?:checksums?|hash(?:es)?|signatures?|certificates?|fingerprints?|host keys?|warnings?|browsers?|scanners?|complaints?|objections?|alarms?|requests? (?:for )?changes|reviewers?)\b[^!?\n]{0,80}\b(?:carry on|go(?:es)? (?:on|in|ahead)|continue|proceed|click (?:through|past|away)|anyway|all the same|regardless|nevertheless|can be ignored|is (?:fine|harmless|normal|expected)|are (?:fine|harmless|normal|expected))\b/g,
    needles: [
      "checksum",
      "hash",
      "signature",
      "certificate",
      "fingerprint",
      "host key",
      "warning",
      "browser",
      "scanner",
      "complaint",
      "objection",
      "alarm",
      "change",
      "reviewer",
    ],
    says: "has the agent go on past a warning",
    isProse: true,
    judge: ([text]) =>
      /\b(?:carry on|click|anyway|all the same|regardless|nevertheless|ignored|goes in|harmless)\b|differ|mismatch|fail|invalid/.test(
        text,
      ),
  },
  {
    pattern:
      /\b(?:quality|coverage|security|severity|audit|risk|spam|fraud|alert|approval|lint)(?: [a-z]{2,12}){0,2} (?:gates?|thresholds?|limits?|levels?|checks?|scores?)\b[^.;!?\n]{0,20}(?:[;,][^.;!?\n]{0,30})?\b(?:to |at )?(?:zero|0(?! ?[%.\d])|off|nothing|lowered|the (?:lowest|minimum|maximum)|nuisance|removed)\b|\b(?:lower|reduce|loosen|relax|drop|zero|raise)\b[^.;!?\n]{0,30}\b(?:quality|coverage|security|severity|audit|fraud|alert|approval)(?: [a-z]{2,12}){0,2} (?:gates?|thresholds?|limits?|levels?|checks?)\b[^.;!?\n]{0,60}\b(?:pass|green|quiet|zero|through|until)/g,
    says: "takes a bar away that something had to pass",
    isProse: true,
  },
  {
    pattern:
      /\b(?:exceptions?|exclusions?|exempt\w{0,5}|allow-?list(?:ed)?|white-?list(?:ed)?|trusted)\b[^.;!?\n]{0,60}\b(?:virus|malware|scanners?|defender|firewall|spam filter|proxy|endpoint protection|security (?:tool|software|policy))\b|\b(?:virus|malware|scanner|defender|firewall|spam filter|endpoint protection)\b[^.;!?\n]{0,60}\b(?:exceptions?|exclusions?|exempt\w{0,5}|allow-?list|white-?list)\b/g,
    needles: ["exception", "exclusion", "exempt", "list", "trusted"],
    says: "hides something from what protects the machine",
    isProse: true,
  },
  {
    pattern:
      /\b(?:tests?|assertions?|checks?|specs?|pipelines?|builds?|ci)\b[^!?\n]{0,60}\b(?:red|fail\w{0,4}|break\w{0,1}|complains?|doesn't pass)\b[^!?\n]{0,40}\b(?:turn (?:it|them) (?:round|around|off)|invert|flip|delete (?:it|them)|remove (?:it|them)|comment (?:it|them) out|loosen|change the expect\w{3,6}|adjust the expect\w{3,6}|hard-?code|until (?:it|they) (?:is|are) green)\b/g,
    says: "makes a check pass instead of what it checks",
    isProse: true,
  },
];

export const attackIgnoredWarningRule = defineAttackRule({
  id: "attack.ignored-warning",
  level: "warning",
  why: "A warning, a red test and a question are where harm would be noticed: who clicks them away notices nothing.",
  example: "`answer every prompt with yes`",
  hint: "Say what the warning means and what to do about it, or that the agent stops and asks.",
  attacks: ATTACKS,
});
