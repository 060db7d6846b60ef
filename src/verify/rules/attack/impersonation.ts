import { type Attack, pattern, upTo } from "../../content/attack.ts";
import { defineAttackRule } from "../../content/attack-rule.ts";

const SAID =
  "(?:write|send|post|reply|answer|sign|speak|act|mail|e-?mail|message|call|comment|approve|publish|submit|order|confirm|agree|accept|vote|apply|commit|request|ask|log|go|shop|pay)(?:s|d|ed|ing)?";
const SOMEBODY =
  "(?:the |a |an |our |their |its |your )?(?:[a-z-]{2,20} )?(?:users?|director|manager|boss|ceo|cfo|chief|head|maintainers?|administrators?|admin|owner|lawyer|attorney|doctor|bank|police|authorit(?:y|ies)|support(?: team)?|help ?desk|it department|hr|colleagues?|customers?|teacher|government|security team|company|employer|reviewers?|person|humans?)";

const ATTACKS: readonly Attack[] = [
  {
    pattern: pattern(
      "\\b",
      SAID,
      upTo(6),
      "(?:in (?:the )?name of|under (?:the )?name of|as if (?:you were|it (?:came|comes|were)|they were|he|she)|as though (?:you were|it (?:came|comes|were)|they were)|posing as|masquerading as|pretending to be|claiming to be|in (?:their|his|her|somebody else's|someone else's|another person's) name)",
      "\\b[^.;!?\\n]{0,60}",
    ),
    needles: ["name", "as if", "as though", "posing", "masquerading", "pretending", "claiming"],
    says: "has the agent speak as somebody else",
    isProse: true,
    judge: ([text]) => !/\bfirst name|file ?name|user ?name/.test(text),
  },
  {
    pattern: pattern(
      "\\b(?:impersonat(?:e|es|ing)|pos(?:e|es|ing) as|masquerad(?:e|es|ing) as|introduce yourself as|claim to be|sign(?:s|ed|ing)? (?:it |them |the mails? |as )?(?:as|for|with the (?:name|signature) of)|say (?:that )?you are|speak as|identify (?:yourself )?as|sound(?:s|ing)? like)",
      upTo(1),
      SOMEBODY,
      "\\b",
    ),
    says: "has the agent speak as somebody else",
    isProse: true,
  },
  {
    pattern: pattern(
      "\\b(?:commits?|author|committer|tags?|releases?|changes?|reviews?|comments?|signatures?)",
      upTo(6),
      "(?:(?:name|identity|address|e-?mail|account|key|signature) of (?:the |a |an )?(?:[a-z-]{2,20} ){0,2}(?:maintainer|colleague|owner|developer|author|employee|admin|administrator|person|reviewer|manager|lead|contributor|member)|look(?:s|ing)? (?:as if|like) (?:they|it|he|she|the|a)\\b)",
    ),
    needles: ["name", "identity", "address", "mail", "account", "key", "signature", "look"],
    says: "lets another person answer for what the agent did",
    isProse: true,
  },
  {
    pattern:
      /\bgit config (?:--\w{1,10} )?user\.(?:name|email) ["'][^"'\n$<{]{2,60}["']|\b--author[= ]["'][^"'\n$<{]{2,60}</g,
    needles: ["git config", "--author"],
    says: "signs commits in the name of somebody",
    judge: ([text]) => !/\b(?:bot|ci|github-actions|actions|your|you|test|example)\b/.test(text),
  },
  {
    pattern:
      /\b(?:borrow|reuse|ride on|use|take over|piggyback on|hijack)\b[^.;!?\n]{0,40}\b(?:users?'?s?|their|his|her|somebody's|existing|open|live|active|logged[- ]in|signed[- ]in|browser)\b[^.;!?\n]{0,20}\b(?:sessions?|log-?ins?|sign-?ins?|cookies|identity)\b[^.;!?\n]{0,80}\b(?:to|and|for|from|in)\b/g,
    needles: ["session", "login", "log-in", "sign-in", "signin", "cookies", "identity"],
    says: "acts with what the user signed in for",
    isProse: true,
    judge: ([text]) => !/\b(?:test|fixture|database|db|tmux|debug|http)\b/.test(text),
  },
  {
    pattern:
      /\b(?:password|account|login|pin) (?:resets?|recovery)\b[^!?\n]{0,80}\b(?:their|owner'?s?|user'?s?|his|her)\b[^.;!?\n]{0,30}\b(?:mailbox|inbox|e-?mails?|phone|messages?)\b/g,
    needles: ["reset", "recovery"],
    says: "takes over an account",
    isProse: true,
  },
];

export const attackImpersonationRule = defineAttackRule({
  id: "attack.impersonation",
  level: "warning",
  why: "Who reads a message, an order or a commit believes the name on it, and that person has to answer for it.",
  example: "`write to accounting as if you were the director`",
  hint: "Leave what is said and signed in a person's name to that person.",
  attacks: ATTACKS,
});
