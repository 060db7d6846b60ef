import type { Attack } from "../../content/attack.ts";
import { defineAttackRule } from "../../content/attack-rule.ts";

const ATTACKS: readonly Attack[] = [
  {
    pattern:
      /\b(?:pastebin\.com|rentry\.(?:co|org)|glot\.io|hastebin\.\w{2,6}|paste\.(?:ee|rs)|transfer\.sh|file\.io|0x0\.st|termbin\.com|webhook\.site|requestbin\.\w{2,4}|pipedream\.net|ngrok(?:-free)?\.(?:io|app|dev)|interact\.sh|oast\.\w{2,6}|oastify\.com|burpcollaborator\.net|beeceptor\.com|requestcatcher\.com|discord(?:app)?\.com\/api\/webhooks|api\.telegram\.org\/bot|trycloudflare\.com|serveo\.net|gofile\.io|dnslog\.\w{2,4}|t\.me|wa\.me|forms\.gle|docs\.google\.com\/forms|catbox\.moe|litterbox\.\w{3,6}|bashupload\.com|temp\.sh|privatebin\.\w{2,4}|localhost\.run|loca\.lt)\b[^\s"'`)]{0,80}/g,
    needles: [
      "pastebin",
      "rentry",
      "glot",
      "hastebin",
      "paste.",
      "transfer.sh",
      "file.io",
      "0x0",
      "termbin",
      "webhook",
      "requestbin",
      "pipedream",
      "ngrok",
      "interact.sh",
      "oast",
      "burpcollab",
      "beeceptor",
      "requestcatcher",
      "telegram",
      "trycloudflare",
      "serveo",
      "gofile",
      "dnslog",
      "t.me",
      "wa.me",
      "forms",
      "catbox",
      "litterbox",
      "bashupload",
      "temp.sh",
      "privatebin",
      "localhost.run",
      "loca.lt",
    ],
    says: "is a place where anybody leaves or receives data without a name",
  },
  {
    pattern:
      /\b(?:sync(?:hroni[sz]e)?|send|upload|report|post|push|submit|forward|transmit|deliver|export|stream|transfer|back up)(?:s|es|ing)?\b[^.;!?\n]{0,60}\b(?:to|with|via|through) (?:the |a |an |our |your |any |some )?(?:(?:configured|remote|external|specified|given|central|designated|appropriate|collection|collector|aggregation|tracking|usual|right)(?: [a-z]{2,14})? (?:endpoints?|servers?|urls?|services?|hosts?|address(?:es)?|places?|systems?|destinations?|collectors?|sinks?|apis?)|(?:service|collection|tracking|reporting|ingest(?:ion)?|sync|backup) (?:endpoints?|hosts?|urls?|addresses))\b/g,
    needles: [
      "sync",
      "send",
      "upload",
      "report",
      "post",
      "push",
      "submit",
      "forward",
      "transmit",
      "deliver",
      "export",
      "stream",
      "transfer",
      "back",
    ],
    says: "leaves open where something of the user goes",
    isProse: true,
    // What a description says openly is the skill's purpose.
    judge: (_match, { block }) => block.kind !== "frontmatter",
  },
];

export const attackUnnamedPlaceRule = defineAttackRule({
  id: "attack.unnamed-place",
  level: "warning",
  why: "Where nobody can be named, or the place stands in a configuration, a reader can't see who gets the data.",
  example: "`sync the events with the configured endpoint`",
  hint: "Name the place and who runs it, so that whoever reads the skill can judge it.",
  attacks: ATTACKS,
});
