import { type Attack, pattern, upTo } from "../../content/attack.ts";
import { defineAttackRule } from "../../content/attack-rule.ts";
import { Sense } from "../../content/senses.ts";
import type { Statement } from "../../content/statements.ts";

const ATTACKS: readonly Attack[] = [
  {
    pattern:
      /\b(?:giv|hand|shar|expos|lend|pass|publish|relay|offer|leav|open|mak)(?:e|es|s|ing)?\b[^.;!?\n]{0,60}(?:\bssh[- ]agents?(?:'s)?(?: socket)?\b|\bagent socket\b|\bssh_auth_sock\b)|\b(?:socat|nc|ncat|chmod|chown|setfacl)\b[^\n]{0,80}\bssh_auth_sock\b|\bhost \*\s{1,10}forwardagent yes\b/g,
    needles: ["ssh", "agent socket", "forwardagent"],
    says: "hands over the keys that the SSH agent holds",
  },
  {
    pattern:
      /\b(?:nc|ncat|netcat)\b(?=[^\n]{0,60} -{1,2}l)[^\n]{0,80} (?:-[a-z]{0,4}[ec]|--(?:sh-)?exec)[ =]["']?[\w/]{0,20}sh\b|\bsocat\b(?=[^\n]{0,120}listen)[^\n]{0,120}\b(?:exec|system):["']?[\w/]{0,20}sh\b|\bmkfifo\b[^\n]{0,80}\bsh\b[^\n]{0,60}\b(?:nc|ncat|netcat) [^\n]{0,20}-[a-z]{0,4}l/g,
    needles: ["nc", "ncat", "netcat", "socat", "mkfifo"],
    says: "leaves a shell open to whoever connects",
    level: "error",
  },
  {
    pattern:
      /\b(?:port|listener|listening socket)\b[^.;!?\n]{0,60}\b(?:behind|answer|serv|hand|offer|giv|connect|attach|back|wait|gets?|wir|lead|drop)(?:s|e|es|ed|ing)?\b[^.;!?\n]{0,40}\b(?:shell|bash|\/bin\/(?:ba|z)?sh|command (?:line|prompt))\b|\b(?:shell|bash|\/bin\/(?:ba|z)?sh|command (?:line|prompt))\b[^.;!?\n]{0,40}\b(?:behind|on|to|at|through)\b[^.;!?\n]{0,20}\b(?:open|listening|spare|free|high|local|tcp|that) (?:[a-z]{2,8} )?port\b|\bport\b[^.;!?\n]{0,50}\bshell behind\b/g,
    needles: ["port", "listen"],
    says: "has a shell answer at a port",
    isProse: true,
  },
  {
    pattern: pattern(
      "\\b(?:add|invite|grant|give|assign|include|set|register)(?:s|ing)?",
      upTo(7),
      "(?:collaborators?|co-?owners?|as an? (?:admin|administrator|owner|maintainer|superuser)|maintainer (?:role|access)|(?:admin|administrator|root|owner|write|full|public|read|unrestricted|guest|service) (?:access|rights|role|privileges|permissions?|accounts?)|(?:b?cc|recipients?|forwarding address(?:es)?|deploy keys?|access to (?:all|any|every)(?:one|body)?))\\b",
    ),
    says: "gives somebody access to what is the user's",
    isProse: true,
  },
  {
    pattern:
      /\b(?:b?cc|forward(?:ing)?|copy|reply-to|redirect)\b[^.;!?\n]{0,60}?[\w.+-]{1,40}@[\w-]{1,40}(?:\.[\w-]{1,20}){1,3}/g,
    needles: ["@"],
    says: "sends a copy to an address of somebody else",
  },
  {
    pattern: pattern(
      "\\b(?:make|set|mark|leave|expose|configure|create|publish|switch)(?:s|ing)?",
      upTo(6),
      "(?:public(?:ly)?|world[- ](?:readable|writable)|0\\.0\\.0\\.0|accessible (?:to|from) (?:any|every|all|the internet)\\w{0,8}|open to (?:any|every)(?:one|body)|visible to (?:any|every)(?:one|body)|(?:shared )?with (?:any|every)(?:one|body))(?! (?:api|interface|method|class|member|function|key|domain|docs?|documentation|export))\\b",
    ),
    needles: [
      "public",
      "world",
      "0.0.0.0",
      "accessible",
      "open to",
      "visible to",
      "with any",
      "with every",
    ],
    says: "opens something to everybody",
    isProse: true,
  },
  {
    pattern: pattern(
      "\\b(?:replace|change|redirect|update|set|use|insert|swap|substitute|transfer|pay|send|wire|route)(?:s|ing)?",
      upTo(8),
      "(?:bank (?:account|details)|account numbers?|iban|routing numbers?|wallet(?: address)?|payment (?:details|address|link|recipient)|payout|beneficiary|bitcoin|btc|ethereum|crypto(?:currency)?|gift cards?)\\b",
    ),
    needles: [
      "bank",
      "account",
      "iban",
      "routing",
      "wallet",
      "payment",
      "payout",
      "beneficiary",
      "bitcoin",
      "btc",
      "ethereum",
      "crypto",
      "gift",
    ],
    says: "decides where money goes",
    isProse: true,
  },
  {
    pattern:
      /\bgit remote (?:add|set-url)\b(?! (?:origin|upstream|<)[^\n]{0,10}<)[^\n;|&`]{1,160}(?:https?:\/\/|git@|ssh:\/\/)[^\s`"']{1,160}|\bgit push (?:--mirror |--all )?["']?(?:https?:\/\/|git@)[^\s`"']{1,160}|\bgh (?:repo (?:create [^\n]{0,80}--public|edit [^\n]{0,80}--visibility[= ]public)|api [^\n]{0,80}\/collaborators\/)|\bngrok (?:http|tcp)\b|\bcloudflared tunnel\b|\bssh (?:-[a-z]{1,4} (?:\S{1,40} )?){0,4}-[a-z]{0,4}r ?\d|\bssh-copy-id\b|\baws s3api put-bucket-acl [^\n]{0,80}public|\b--acl[= ]public-read/g,
    says: "opens a way to the user's work",
  },
  {
    pattern: pattern(
      "\\b(?:push|mirror|commit|clone|copy|sync|configure|add|set up|create|place|put|keep|leave)(?:s|ing|es)?",
      upTo(6),
      "(?:(?:backup|secondary|second|additional|mirror|another|extra|other|external) (?:remote|origin|repositor(?:y|ies)|repo|endpoint|server|branch on)|(?:second|another|additional|further|extra) copy (?:on|to|at|into))\\b",
    ),
    needles: [
      "backup",
      "second",
      "additional",
      "mirror",
      "another",
      "extra",
      "further",
      "other",
      "external",
    ],
    says: "copies the user's work to another place",
    isProse: true,
  },
  {
    pattern:
      /\b(?:admin:(?:org|repo_hook|public_key|gpg_key|enterprise)|delete_repo|site_admin)\b|"(?:notaction|action)s?": ?\[?"\*?"|access-control-allow-origin\W{1,4}[^.;!?\n]{0,30}\bcredentials|\bcreate clusterrolebinding [^\n]{0,120}cluster-admin|\b(?:useradd|adduser|net user|usermod)\b[^\n]{0,80}(?:-o -u 0|\/add\b|-ag (?:sudo|wheel|docker|admin))|\bnet localgroup administrators\b|\bchmod (?:u\+s|[24]7\d\d)\b|\bgrant all privileges\b[^\n;]{0,120}/g,
    says: "gives more rights than a procedure needs",
    judge: ([text]) => !/(?:_test|test_|local)/.test(text),
  },
  {
    pattern:
      /\b(?:buy|order|purchase|pay|subscribe|upgrade|donate|checkout|book)\b[^.;!?\n]{0,80}\b(?:credit card|(?:stored|saved) (?:card|payment)|card on file|gift cards?|company card|user's (?:card|account|wallet))\b/g,
    needles: ["card", "payment", "user's "],
    says: "spends the user's money",
    isProse: true,
  },
  {
    pattern:
      /\b(?:npm|gem|cargo|yarn npm|poetry) (?:owner|access) (?:add|grant|--add)\b[^\n`]{0,60}|\b(?:transfer|hand over|move|give|pass)\b[^.;!?\n]{0,60}\b(?:ownership|owner role|the repository|repo)\b[^.;!?\n]{0,60}\bto\b[^.;!?\n]{0,60}|\bunsubscrib\w{1,3}\b[^.;!?\n]{0,60}\b(?:security|alerts?|all)\b|\bregister (?:this|the) (?:machine|computer|host) (?:as|with)\b[^.;!?\n]{0,60}/g,
    needles: [
      "owner",
      "access",
      "transfer",
      "hand over",
      "move",
      "give",
      "pass",
      "unsubscrib",
      "register",
    ],
    says: "gives something of the user's out of hand",
    level: "warning",
    judge: ([text]) => /owner|access|\b(?:to|unsubscrib|register)/.test(text),
  },
  {
    pattern:
      /\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}[ \t]{1,8}[\w-]{1,40}\.(?:[\w-]{1,40}\.){0,3}(?:com|org|net|io|dev)\b|\b(?:point|set|change|switch)\b[^.;!?\n]{0,40}\b(?:resolver|dns|name ?servers?|gateway|base url|api endpoint|proxy)\b[^.;!?\n]{0,60}(?:https?:\/\/|\d{1,3}\.\d{1,3}\.)|\/etc\/(?:hosts|resolv\.conf)\b|\bbase url\b[^.;!?\n]{0,60}\b(?:agent|settings|model)\b|\b(?:all|every) (?:model|api|llm)? ?(?:calls?|requests?|traffic)\b[^.;!?\n]{0,40}\b(?:through|via|over|to) https?:\/\//g,
    needles: [
      ".",
      "/etc/",
      "https://",
      "resolver",
      "dns",
      "server",
      "gateway",
      "base url",
      "endpoint",
      "proxy",
    ],
    says: "leads traffic another way",
    level: "warning",
    judge: ([text]) =>
      !/^(?:127\.|0\.|10\.|192\.168|172\.)|127\.0\.0\.1/.test(text) && text !== "/etc/hosts",
  },
  {
    pattern:
      /\b(?:second|another|additional|extra|spare|hidden|backup|new|permanent|shadow|emergency)(?: [a-z]{2,14})? (?:administrators?|admins?|superusers?|root users?|owners?|super-?admins?|(?:admin|root|owner|service) (?:accounts?|users?|logins?))\b[^.;!?\n]{0,60}|\b(?:accounts?|tokens?|keys?|users?|invitations?|certificates?)\b[^.!?\n]{0,40}\b(?:no expir\w{1,4}|never expires?|without (?:an )?expir\w{1,4}|doesn't expire|not expire)\b/g,
    says: "gives somebody access that stays",
    level: "warning",
    isProse: true,
    judge: ([text]) => !/^new(?: [a-z]+)? owners?\b/.test(text),
  },
  {
    pattern:
      /\b(?:any(?:one|body)|every(?:one|body)|whoever)\b[^.;!?\n]{0,30}\b(?:with (?:the|a) (?:link|url|address)|on the (?:internet|web)|(?:has|knows|holds|gets) the (?:link|url|address))\b[^.;!?\n]{0,30}/g,
    needles: ["any", "every", "whoever"],
    says: "opens something to everybody",
    level: "warning",
    isProse: true,
  },
  {
    pattern:
      /\b(?:plac(?:e|es|ing)|mak(?:e|es|ing)|submit(?:s|ting)?|issu(?:e|es|ing)|send(?:s|ing)?) (?:an? |the |another |its )?(?:[a-z]{2,12} )?(?:order|purchase|booking|payment|bank transfer|wire transfer|bid|trade|donation|bet)s?\b[^.;!?\n]{0,80}|\b(?:settl|pay|remit|wir|transfer)(?:e|es|s|ing)?\b(?: [a-z]{1,12}){0,3} (?:from|with|out of|off) (?:the )?(?:company|user|customer|team|saved|stored|main|business|savings)(?:'s)?\b[^.;!?\n]{0,40}|\b(?:booked|credited|transferred|paid|moved|sent|routed|deposited|wired|diverted|go|goes|added)\b[^.;!?\n]{0,16}\b(?:to|into|onto) (?:the |an? |our |this )(?:[a-z]{2,12} )?(?:account|wallet)\b[^.;!?\n]{0,60}/g,
    says: "spends or moves money by itself",
    level: "warning",
    isProse: true,
    judge: ([text]) =>
      !/\b(?:test|sandbox|staging|fixture|mock|api|endpoint|form|in order|in the order|github|service|dev)\b/.test(
        text,
      ),
  },
];

/** Sentences of the kind, in whatever words. */
const STATEMENTS: readonly Statement[] = [
  {
    all: [Sense.grant, Sense.everybody],
    any: Sense.work | Sense.credential | Sense.precious | Sense.all | Sense.grant | Sense.outside,
    none: Sense.own | Sense.consent,
    says: "opens something to everybody",
  },
  {
    all: [
      Sense.grant,
      Sense.outside | Sense.address,
      Sense.credential | Sense.all | Sense.precious,
    ],
    none: Sense.own | Sense.consent,
    says: "gives somebody else access",
  },
  {
    all: [Sense.plant | Sense.send, Sense.money],
    any: Sense.regardless | Sense.all | Sense.standing | Sense.unasked | Sense.outside,
    none: Sense.consent,
    says: "decides where money goes",
  },
];

export const attackAccessRule = defineAttackRule({
  id: "attack.access",
  level: "warning",
  why: "Access, recipients, remotes and accounts are changed once and work for somebody else from then on.",
  example: "`add backup@host as a collaborator of every repository`",
  hint: "Remove it; who has access, and where things go, is for the user to decide each time.",
  attacks: ATTACKS,
  statements: STATEMENTS,
});
