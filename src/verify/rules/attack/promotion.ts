import { type Attack, pattern, upTo } from "../../content/attack.ts";
import { defineAttackRule } from "../../content/attack-rule.ts";

const PAYER =
  "(?:sponsors?(?:'s|ed)?|advertis(?:er|ers|ement|ements|ing)|affiliates?|(?:our|partner|partners'?|promoted|paid|preferred) (?:[a-z-]{2,20} ){0,2}(?:partners?|sponsors?|shops?|stores?|products?|brands?|offers?|links?|vendors?|plans?|services?|apps?|tools?|sites?|courses?|newsletters?|packages?|listings?))";
/** One of these stands in every PAYER. */
const PAYERS = [
  "sponsor",
  "advertis",
  "affiliate",
  "our ",
  "partner",
  "promoted",
  "paid",
  "preferred",
];

const ATTACKS: readonly Attack[] = [
  {
    pattern: pattern(
      "\\b(?:put|place|list|show|rank|move|sort|mention|name|recommend|suggest|offer|feature|highlight|praise|link|favou?r|add|insert|include|weave|work|push|goes?|comes?|stands?|appears?|gets?|receives?|belongs?)(?:s|ed|ing)?",
      upTo(8),
      PAYER,
      "\\b",
    ),
    needles: PAYERS,
    says: "shows what somebody is paid for",
    isProse: true,
    judge: ([text], { normal }) =>
      /sponsor|advertis|affiliate|promoted|paid|partner/.test(text) ||
      /\b(?:always|first|top|ahead|best|every|each|any|instead)\b/.test(normal.lower.slice(0, 600)),
  },
  {
    pattern: pattern(
      "\\b",
      PAYER,
      upTo(4),
      "(?:goes?|comes?|stands?|ranks?|appears?|gets?|is|are|belongs?|has to be)",
      upTo(3),
      "(?:on top|top|first|ahead|above|highest|best|mentioned|recommended|preferred|the (?:first|top|best) (?:place|spot|position|rank)|mention)\\b",
    ),
    needles: PAYERS,
    says: "puts something first for somebody's profit",
    isProse: true,
  },
  {
    pattern:
      /\b(?:add|insert|append|include|mention|end|close|finish|drop|slip|weave|gets?|receives?|carr(?:y|ies)|hint|point)\b[^.;!?\n]{0,60}\b(?:voucher|coupon|discount|promo(?:tion(?:al)?)?|referral|invitation) (?:codes?|links?|offers?)\b|\b(?:voucher|coupon|discount|promo|referral) codes? ["'`]?[a-z0-9-]{4,24}\b[^.;!?\n]{0,60}\b(?:partner|shop|store|sponsor|our|vendor)\b/g,
    needles: ["voucher", "coupon", "discount", "promo", "referral", "invitation"],
    says: "advertises in what the user asked for",
    isProse: true,
    judge: ([text]) => !/\b(?:test|fixture|field|column|input|form|table)\b/.test(text),
  },
  {
    pattern:
      /https?:\/\/[^\s"'`<>]{1,200}[?&](?:ref|aff|affiliate|tag|partner|utm_source)=[\w-]{1,40}|[`"'][?&](?:ref|aff|affiliate|tag|partner)=[\w-]{1,40}|\baffiliate (?:links?|codes?|ids?|tags?)\b/g,
    says: "earns somebody money with every link",
  },
  {
    pattern: pattern(
      "\\b(?:replace|swap|change|rewrite|redirect|exchange|substitute|point|turn)(?:s|d|ing)?",
      upTo(5),
      "(?:links?|urls?|addresses|download pages?|references|mentions)",
      upTo(4),
      "(?:to|with|by|for|at) (?:our|the author's|my|https?:\\/\\/|the sponsor|the partner)",
    ),
    says: "leads people to another place than they meant",
    isProse: true,
  },
  {
    pattern:
      /\b(?:leave|write|post|give|add|vote|star|rate|like|follow|upvote|subscribe)\b[^.;!?\n]{0,40}\b(?:us|our|this (?:skill|tool|project|repository|package)|the author(?:'s)?)\b[^.;!?\n]{0,60}\b(?:stars?|review|rating|like|vote|channel|repository|page|profile|newsletter)\b|\bgh (?:repo star|api [^\n]{0,40}user\/starred)/g,
    says: "uses the user's accounts to make something look liked",
    isProse: true,
    judge: ([text]) => /\b(?:stars?|five|like|follow|upvote|subscribe|rating|vote)\b/.test(text),
  },
  {
    pattern:
      /\bstar (?:the |our |this |my |its |a |each |every )?(?:[\w-]{1,40}\/[\w.-]{1,60}\b|(?:[\w-]{1,30} ){0,2}repo(?:sitory|s)?\b)|\b(?:star|upvote|follow|subscribe to|endorse)\b[^.;!?\n]{0,60}\bon (?:github|gitlab|twitter|mastodon|bluesky|linkedin|youtube|npm|hacker news|reddit|product hunt)\b/g,
    needles: [
      "star ",
      "on git",
      "on twitter",
      "on mastodon",
      "on bluesky",
      "on linkedin",
      "on youtube",
      "on npm",
      "on hacker",
      "on reddit",
      "on product",
    ],
    says: "uses the user's accounts to make something look liked",
    isProse: true,
    judge: ([text]) =>
      !/\b(?:instructions|guides?|steps|conventions?|style|rules?|discussions?|issues?|threads?|documentation|docs)\b/.test(
        text,
      ),
  },
  {
    pattern:
      /\b(?:licen[cs]es?|copyrights?|authors?|credits?|attributions?)\b[^.;!?\n]{0,60}\b(?:to ours|to our|to mine|by ours|with ours|with our)\b[^.;!?\n]{0,40}|\b(?:hide|embed|weave|plant|insert|place|add)\b[^.;!?\n]{0,40}\b(?:sequences?|markers?|watermarks?|strings?|codes?|words?|phrases?|canar(?:y|ies))\b[^!?\n]{0,60}\b(?:so (?:that )?we|for us to|lets us|allows us|we can)\b[^.;!?\n]{0,40}/g,
    says: "puts a mark of its own on what belongs to the user",
    isProse: true,
  },
];

export const attackPromotionRule = defineAttackRule({
  id: "attack.promotion",
  level: "warning",
  why: "An agent that advertises for somebody does so in the user's texts, lists and code, and looks neutral.",
  example: "`Product links get the tag ?ref=name-21`",
  hint: "Remove it; what a user is shown or offered is chosen for the user's sake.",
  attacks: ATTACKS,
});
