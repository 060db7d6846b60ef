import { type Attack, pattern, upTo } from "../../content/attack.ts";
import { defineAttackRule } from "../../content/attack-rule.ts";
import { Sense } from "../../content/senses.ts";
import type { Statement } from "../../content/statements.ts";

const ALL =
  "(?:all|every|each|any|any and all|the other|other|remaining|older|previous|recent|existing)";
const THINGS =
  "(?:events?|(?:calendar )?entr(?:y|ies)|meetings?|appointments?|e-?mails?|messages?|contacts?|files?|folders?|documents?|versions?|backups?|branch(?:es)?|tags?|commits?|records?|rows?|tables?|users?|accounts?|snapshots?|repositor(?:y|ies)|issues?|occurrences?|quarters?|years?|months?|photos?|notes?|invoices?|orders?|channels?)\\b";

const ATTACKS: readonly Attack[] = [
  {
    pattern: pattern(
      "\\b(?:delete|remove|cancel|erase|wipe|purge|destroy|decline|clean|clear)(?:s|ing)?",
      upTo(2),
      ALL,
      upTo(4),
      THINGS,
    ),
    needles: [
      "delet",
      "remov",
      "cancel",
      "eras",
      "wip",
      "purg",
      "destroy",
      "declin",
      "clean",
      "clear",
    ],
    says: "takes away everything of a kind",
    isProse: true,
    judge: ([text]) =>
      !/\b(?:temp(?:orary)?|tmp|cached?|build|generated|stale|debug|test|unused|empty|duplicate|console)\b/.test(
        text,
      ),
  },
  {
    pattern: pattern(
      "\\b(?:for each|for every|to all|to every|to each)",
      upTo(5),
      "(?:contacts?|mails?|e-?mails?|recipients?|customers?|colleagues?|employees?|followers?|subscribers?|friends?|members?|people|contacts\\.txt)\\b[^.;!?\\n]{0,60}",
    ),
    needles: ["for each", "for every", "to all", "to every", "to each"],
    says: "writes to everybody",
    isProse: true,
    judge: ([text], { normal }) =>
      /\b(?:send|mail|e-?mail|message|forward|post|reply)\b/.test(
        `${normal.lower.slice(0, 2000)} ${text}`,
      ),
  },
  {
    pattern:
      /\b(?:for \w{1,12} in range\(\d{3,9}\)|for \(\(\w{1,4} ?= ?\d; ?\w{1,4} ?<=? ?\d{3,9}|while (?:true|1|:)\b|seq (?:1 )?\d{3,9}|xargs -p ?\d{2,4})[^\n]{0,80}(?:\n[^\n]{0,120}){0,2}?(?:\n[^\n]{0,40})?\b(?:requests?\.|curl|wget|fetch\(|httpx|socket|axios|ping )/g,
    needles: ["range(", "for ((", "while", "seq ", "xargs"],
    says: "floods a server with requests",
    hint: "Ask once, or say why so many requests are needed.",
  },
  {
    pattern:
      /\bsend(?: [a-z]{1,12}){0,3} (?:e-?mails?|messages?|invitations?|dms?|sms)(?: [a-z]{1,12}){0,2} (?:saying|telling|claiming|asking|with the text|that (?:says|asks))/g,
    needles: ["send"],
    says: "has the agent write to people in the user's name",
    hint: "Leave what is written in the user's name to the user.",
    isProse: true,
  },
  {
    pattern:
      /\b(?:hundreds?|thousands?|millions?|\d{3,})(?: of)? (?:tabs|requests|windows|processes|threads|accounts|messages|e-?mails|copies|connections|downloads|logins|tickets)\b[^.;!?\n]{0,60}|\b(?:on|to|from|in) every (?:printer|host|machine|device|server|computer|account)\b|\b(?:another|different|rotating|changing|random) (?:user[- ]agents?|prox(?:y|ies)|ips?|ip addresses)\b|\bcaptchas?\b[^.;!?\n]{0,40}\b(?:solve[ds]?|bypass\w{0,3}|service)/g,
    says: "does something so often, or so widely, that it harms others",
    level: "warning",
    isProse: true,
    judge: ([text]) => !/\b(?:at most|up to|below|less than|limit)/.test(text),
  },
  {
    pattern:
      /\b(?:signed-off-by|co-authored-by|reviewed-by|approved-by): ?[\w .]{1,60}<[^>\n]{3,80}>/g,
    needles: ["signed-off", "co-authored", "reviewed-by", "approved-by"],
    says: "signs in the name of somebody",
    level: "warning",
  },
];

/** Sentences of the kind, in whatever words. */
const STATEMENTS: readonly Statement[] = [
  {
    all: [Sense.send],
    none: Sense.consent,
    judge: (sentence) =>
      /\b(?:user'?s?|their|my|your) (?:own )?(?:social (?:accounts?|media)|twitter|linkedin|facebook|mastodon|instagram|x account|email account|mail account)\b/.test(
        sentence,
      ),
    says: "writes in the user's name",
    hint: "Leave what is written in the user's name to the user.",
  },
  {
    all: [Sense.send, Sense.people, Sense.all],
    none: Sense.consent,
    says: "writes to everybody",
  },
  {
    all: [Sense.send, Sense.people, Sense.unasked],
    none: Sense.consent,
    says: "writes to people without being asked",
  },
];

export const attackBulkActionRule = defineAttackRule({
  id: "attack.bulk-action",
  level: "warning",
  why: "What is done to everything at once can rarely be undone, and is rarely what one session taught.",
  example: "`remove all events from the calendar`",
  hint: "Name what is meant, and have the agent ask before it acts on all of it.",
  attacks: ATTACKS,
  statements: STATEMENTS,
});
