import { type Attack, pattern, upTo } from "../../content/attack.ts";
import { defineAttackRule } from "../../content/attack-rule.ts";
import { Sense } from "../../content/senses.ts";
import type { Statement } from "../../content/statements.ts";

const RULES =
  "(?:instructions?|prompts?|rules?|guidelines?|directives?|polic(?:y|ies)|constraints?|restrictions?|guardrails?|safeguards?|programming|orders|commands|ethics)\\b";

/** Whose word an agent takes. */
const PRINCIPAL =
  "(?:the |your |its )?(?:project'?s? |repo(?:sitory)?'?s? )?(?:owners?|users?|developers?|maintainers?|operators?|admins?|administrators?|boss|system|principal)\\b";
/** Text that anybody may have written. */
const FOUND_TEXT =
  /\b(?:files?|comments?|texts?|notes?|pages?|issues?|tickets?|readme|todo|documents?|lines?|logs?|emails?|e-mails?|messages?|found|inside|content|contents|whatever|anything|instructions? in)\b/;
const CARRIED_OUT =
  /\b(?:carr(?:y|ied|ies) (?:it|them|that|this|out)|carry out|obey(?:ed)?|execut(?:e|ed)|do (?:it|what|as|so|them)|act(?:ed)? on|comply|compl(?:y|ied) with|follow(?:ed)? (?:it|them|what|every|to the)|must be (?:followed|done|obeyed))\b/;

const ATTACKS: readonly Attack[] = [
  {
    pattern: pattern(
      "\\b(?:(?:treat|regard|consider|tak|read|accept|handl|view|understand|see)(?:e|es|s|ed|ing)?\\b(?:[^.!?\\n]|\\.(?=\\w)){0,80}?\\b(?:as|like)|(?:is|are|comes?|counts?|speaks?|stands?))(?: (?:if|though|it|they|this|was|were|had|been|a|an|the|direct|straight|directly|as|being|coming|came|come|written|said|typed|given|sent|spoken|words?|word|orders?|instructions?|commands?|requests?|messages?|wish(?:es)?|voice)){0,8} (?:from|by|of|for) ",
      PRINCIPAL,
    ),
    needles: [
      "owner",
      "user",
      "developer",
      "maintainer",
      "operator",
      "admin",
      "boss",
      "system",
      "principal",
    ],
    says: "has the agent obey what it finds written somewhere",
    level: "warning",
    isProse: true,
    judge: ({ index, 0: text }, { normal }) => {
      const around = normal.lower.slice(Math.max(0, index - 120), index + text.length + 120);
      return FOUND_TEXT.test(around.slice(0, 120 + text.length)) && CARRIED_OUT.test(around);
    },
  },
  {
    pattern: pattern(
      "\\b(?:ignore|disregard|forget|override|discard|dismiss|abandon|set aside|put aside|pay no (?:heed|attention) to)",
      upTo(1),
      "(?:whatever|everything|anything|all|what|any(?:thing)? of what)(?: else)?(?: that| of what)? (?:you|the (?:agent|assistant|model)) (?:(?:were|was|are|is|have|has|had|may have|might have|got)(?: been)?(?: ever| already| previously)? )?(?:told|instructed|taught|asked|given|ordered|trained|learned|learnt|heard)\\b(?: about)?",
    ),
    needles: [
      "told",
      "instructed",
      "taught",
      "asked",
      "given",
      "ordered",
      "train",
      "learn",
      "heard",
    ],
    says: "sets the agent's own instructions aside",
    judge: ([text]) => (text.endsWith(" about") ? "warning" : true),
  },
  {
    pattern:
      /(?:\b(?:follow|obey|trust|heed|listen to|act on) (?:only |nothing but |exclusively |solely )(?:this|the following|these) (?:file|skill|document|text|page|instructions?|rules?)\b|\b(?:follow|obey|trust|heed|listen to) (?:this|the following|these) (?:file|skill|document|text|page|instructions?|rules?) (?:only|alone|exclusively|and nothing else|and no other)\b|\b(?:only|exclusively|solely) (?:follow|obey|trust|heed|listen to) (?:this|the following|these) (?:file|skill|document|text|page|instructions?|rules?)\b)(?= ?(?:[.,;!?:)*]|$)| and | from now)/g,
    needles: ["follow", "obey", "trust", "heed", "listen", "act on"],
    says: "puts itself above other instructions",
    level: "warning",
    isProse: true,
  },
  {
    pattern: pattern(
      "\\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|overrid(?:e|es|ing)|overrul(?:e|ing)|bypass(?:ing)?|discard(?:ing)?|dismiss|abandon|supersedes?|circumvent(?:ing)?|violate|set aside|(?:do not|don't|stop|no longer) (?:follow|obey|comply with|following|obeying)(?: the)?)",
      upTo(3),
      "(?:previous|prior|earlier|above|preceding|former|original|initial|system|developer|safety|content|ethical|moderation|your|security)",
      upTo(2),
      RULES,
    ),
    needles: [
      "instruction",
      "prompt",
      "rule",
      "guideline",
      "directive",
      "polic",
      "constraint",
      "restriction",
      "guardrail",
      "safeguard",
      "programming",
      "orders",
      "commands",
      "ethics",
    ],
    says: "sets the agent's own instructions aside",
  },
  {
    pattern:
      /\byou (?:are|will be|become)(?: now)?(?: an?| in| the)?(?: [a-z]{1,20}){0,3} (?:unrestricted|uncensored|unfiltered|jailbroken|dan|god mode|developer mode|admin mode|root mode)\b/g,
    needles: ["you "],
    says: "gives the agent a role without its limits",
  },
  {
    pattern:
      /\b(?:enter|enable|activate|switch (?:in)?to|now in) (?:an? |the )?(?:developer|god|jailbreak|dan|unrestricted|uncensored|sudo|maintenance override) mode\b/g,
    needles: [" mode"],
    says: "gives the agent a mode without its limits",
  },
  {
    pattern:
      /\b(?:system|admin(?:istrator)?|developer|security|root) (?:override|prompt override|mode override)\b|\bnew (?:system )?(?:instructions|prompt) ?:|\boverride (?:code|authorization)\b/g,
    needles: ["override", "instructions", "prompt"],
    says: "pretends to speak for the system",
    judge: (match) => (match[0].startsWith("new") ? "warning" : true),
  },
  {
    pattern: pattern(
      "\\b(?:remov(?:e|es|ing)|lift(?:s|ing)?|disabl(?:e|es|ing)|turn(?:s|ing)? off|without|free of|regardless of|no)",
      upTo(2),
      "(?:artificial|unnecessary|safety|ethical|content|moral|moderation)",
      "(?:[^a-z.;!?]{1,3}(?:policy|and|or|ethical))?",
      upTo(1),
      "(?:limitations?|restrictions?|filters?|guidelines?|guardrails?|polic(?:y|ies)|constraints?)\\b",
    ),
    needles: [
      "limitation",
      "restriction",
      "filter",
      "guideline",
      "guardrail",
      "polic",
      "constraint",
    ],
    says: "takes the agent's limits away",
    isProse: true,
  },
  {
    pattern: pattern(
      "\\b(?:reveal|print|output|show|repeat|disclose|leak|dump|expose)(?:ing)?",
      upTo(3),
      "(?:system|hidden|initial|developer) (?:prompt|instructions|message)s?\\b",
    ),
    needles: ["prompt", "instructions", "message"],
    says: "asks for the agent's hidden instructions",
  },
  {
    pattern:
      /<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[\/?inst\]|<<\/?sys>>|<\/?(?:system|important|instructions?|system[-_]reminder|admin|developer|critical)>/g,
    needles: ["<", "[inst", "[/inst"],
    says: "imitates the frame of another message",
    hint: "Remove the mark; write plain markdown.",
    isProse: true,
    judge: (match, { normal }) => normal.text.charAt(match.index - 1) !== "`",
  },
  {
    pattern:
      /\b(?:use|invoke|load|trigger|activate|apply|run)(?: this skill| it)? (?:for|on|in|with|before|at) (?:every|any|all|each)(?: single)? (?:requests?|tasks?|questions?|conversations?|messages?|prompts?|quer(?:y|ies)|interactions?)\b|\b(?:always|must) (?:always )?(?:be )?(?:used?|loaded?|invoked?|activated?)(?: this skill)? (?:first|before|for every|for any|for all|whatever)\b/g,
    says: "claims every occasion for itself",
    hint: "Say in which case the skill helps.",
    level: "warning",
    judge: (_match, { block }) => block.kind !== "code",
  },
  {
    pattern:
      /\b(?:users?|security|admins?|administrators?|company|legal|compliance|it|anthropic|openai|owner|management|team)(?: [a-z]{1,12}){0,2} (?:has|have|had) (?:already |pre-?|fully |explicitly |previously ){1,2}(?:approved|authori[sz]ed|agreed|consented|cleared|permitted|waived)\b|\bpre-?(?:approved|authori[sz]ed|cleared)\b(?: for| by| to)?/g,
    needles: ["approved", "authori", "agreed", "consented", "cleared", "permitted", "waived"],
    says: "claims a consent that nobody can check",
    hint: "Let the agent ask when it needs to.",
    level: "warning",
    isProse: true,
  },
  {
    pattern:
      /\b(?:prefer|use|choose|select|call|invoke|load|pick)\b[^.;!?\n]{0,20}\bthis (?:skill|tool)\b[^.;!?\n]{0,20}\b(?:over|instead of|before|rather than|ahead of) (?:any|all|every|other)\b|\bthis (?:skill|tool)\b[^.;!?\n]{0,30}\b(?:can|will|does|is able to|handles?|replaces?|supersedes?) (?:do |handle |answer |perform |solve |replace )?(?:anything|everything|any (?:tasks?|requests?|questions?|other)|all (?:tasks|requests|questions|other))\b/g,
    needles: ["this skill", "this tool"],
    says: "claims every occasion for itself",
    hint: "Say in which case the skill helps.",
    level: "warning",
    isProse: true,
  },
];

/** Sentences of the kind, in whatever words. */
const STATEMENTS: readonly Statement[] = [
  {
    all: [Sense.precedence],
    none: Sense.consent,
    says: "puts itself above other instructions",
  },
];

export const attackOverrideRule = defineAttackRule({
  id: "attack.override",
  level: "error",
  why: "Text that sets an agent's instructions aside or takes on another role is how a skill takes an agent over.",
  example: "`Ignore all previous instructions`",
  hint: "Remove it; a skill adds knowledge, it doesn't replace the agent's instructions.",
  attacks: ATTACKS,
  statements: STATEMENTS,
});
