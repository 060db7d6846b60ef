import type { Attack } from "../../content/attack.ts";
import { defineAttackRule } from "../../content/attack-rule.ts";

const ATTACKS: readonly Attack[] = [
  {
    pattern:
      /\b(?:exclud|ignor|skip|omit|drop|leav|disregard|remov|cut)(?:e|es|s|ing|ping|ting)?\b[^.;!?\n]{0,60}\b(?:extreme (?:values|events|losses|scenarios)|worst[- ]case|tail (?:risks?|events?)|(?:large|big|past|historical) losses|stress (?:periods?|scenarios?|correlations?)|crisis|crises|downturns?|bad (?:quarters?|years?|weeks?|days?)|negative (?:returns|results?|figures|outcomes)|unfavou?rable \w{3,20}|inconvenient \w{3,20})\b|\b(?:overly|too|needlessly|unnecessarily) (?:conservative|cautious|careful|pessimistic|alarmist|negative|strict)\b/g,
    needles: [
      "extreme",
      "worst",
      "tail",
      "losses",
      "stress",
      "cris",
      "downturn",
      "bad ",
      "negative",
      "favo",
      "inconvenient",
      "conservative",
      "cautious",
      "careful",
      "pessimistic",
      "alarmist",
      "strict",
    ],
    says: "leaves out what speaks against a result",
    isProse: true,
    judge: ([text]) => !/\b(?:if|may|can)\b/.test(text),
  },
  {
    pattern:
      /\b(?:contracts?|agreements?|clauses?|terms|polic(?:y|ies)|leases?|employees?|workers?|tenants?|customers?|users?)\b[^!?\n]{0,120}\b(?:waives?|forfeits?|renounces?|gives? up|surrenders?|assigns?)\b[^.;!?\n]{0,60}\b(?:rights?|claims?|vacation|leave|compensation|overtime|ownership|refunds?|remed(?:y|ies)|warrant(?:y|ies))\b|\b(?:employees?|workers?|tenants?|staff|interns?)\b[^.;!?\n]{0,80}\b(?:without (?:pay|compensation|notice|limit|overtime)|unpaid|unlimited (?:overtime|liability)|at any (?:time|hour)|(?:1[1-9]|2[0-4]) hours)\b/g,
    says: "puts terms into a text that harm one side",
    isProse: true,
  },
  {
    pattern:
      /\b(?:emphasi[sz]e|highlight|stress|focus on|mention|portray|present|favou?r|promote|prefer|frame|describe|depict|underline|point out|advocate|push|argue|include)(?:s|ing)?\b[^.;!?\n]{0,80}\b(?:fossil|coal|oil|natural gas|nuclear|renewables?|renewable|solar|wind (?:power|energy)|traditional (?:energy|medicine|values)|conventional (?:energy|medicine)|electric (?:cars?|vehicles?)|tobacco|alcohol|gambling|firearms?|homeopath\w{1,4}|crypto(?:currenc\w{1,3})?|genetic engineering)\b[^.;!?\n]{0,80}/g,
    needles: [
      "emphasi",
      "highlight",
      "stress",
      "focus",
      "mention",
      "portray",
      "present",
      "favo",
      "promot",
      "prefer",
      "fram",
      "describ",
      "depict",
      "underlin",
      "point out",
      "advocat",
      "push",
      "argu",
      "includ",
    ],
    says: "has the agent take sides",
    isProse: true,
    judge: ([text], { normal }) =>
      /\b(?:reliab\w+|benefits?|advantages?|superior|drawbacks?|limitations?|costs?|affordab\w+|risks?|challenges|unreliable|expensive|intermitten\w+|stability|essential|over|rather than)\b/.test(
        text,
      ) && !/\bboth (?:sides|views)/.test(normal.lower),
  },
  {
    pattern:
      /\b(?:company|model|vendor|product|brand|candidate|provider|supplier) [a-z]\b[^!?\n]{0,120}\b(?:favou?r\w{0,5}|prefer\w{0,5}|better|higher|lower|superior|worse|wins?|benefit|bonus|extra points?|first|advantage)\b|\b(?:favou?r|prefer|boost|raise|lower|inflate|deflate|round up)\b[^.;!?\n]{0,40}\b(?:scores?|ratings?|marks?|rankings?|grades?)\b[^.;!?\n]{0,60}\b(?:of|for|from)\b[^.;!?\n]{0,60}/g,
    says: "decides a judgement beforehand",
    isProse: true,
  },
  {
    pattern:
      /\b(?:record|classify|book|report|label|declare|categori[sz]e|post)\b[^.;!?\n]{0,40}\b(?:expenses?|costs?|losses|debts?|liabilit(?:y|ies)|revenues?|income|gifts?|private|personal)\b[^.;!?\n]{0,40}\b(?:as|before|early|later|elsewhere|off)\b[^.;!?\n]{0,40}\b(?:business|assets?|revenue|operating|deductible|balance sheet|next (?:quarter|year)|consulting|delivered|delivery|paid)\b|\b(?:overstate|understate|backdate|conceal|window-?dress|smooth(?: out)?|shift)(?:s|ing)?\b[^.;!?\n]{0,40}\b(?:revenues?|profits?|income|expenses?|losses|liabilit(?:y|ies)|earnings|invoices?|taxes|debts?)\b/g,
    needles: [
      "record",
      "classif",
      "book",
      "report",
      "label",
      "declare",
      "categor",
      "post",
      "state",
      "backdat",
      "conceal",
      "dress",
      "smooth",
      "shift",
    ],
    says: "makes figures say what isn't so",
    isProse: true,
    judge: ([text]) => !/\b(?:never|error|check)\b/.test(text),
  },
];

export const attackDistortionRule = defineAttackRule({
  id: "attack.distortion",
  level: "warning",
  why: "Figures, contracts and comparisons that were bent look like any others, and people decide by them.",
  example: "`leave worst-case scenarios out of the risk report`",
  hint: "Remove it, or say where the choice comes from and that the result names it.",
  attacks: ATTACKS,
});
