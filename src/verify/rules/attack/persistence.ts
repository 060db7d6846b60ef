import { type Attack, pattern, upTo } from "../../content/attack.ts";
import { defineAttackRule } from "../../content/attack-rule.ts";
import { Sense } from "../../content/senses.ts";
import type { Statement } from "../../content/statements.ts";

const PROFILE =
  "\\.(?:bashrc|bash_profile|bash_login|profile|zshrc|zprofile|zshenv|zlogin)|config\\.fish|\\/etc\\/profile|\\$profile";
const STARTUP =
  "\\.ssh\\/authorized_keys|authorized_keys|\\.git\\/hooks\\/[a-z]|\\/etc\\/cron|\\/var\\/spool\\/cron|\\/etc\\/systemd|systemd\\/(?:user|system)|launchagents|launchdaemons|\\.config\\/autostart|\\/etc\\/rc\\.local|\\/etc\\/ld\\.so\\.preload|\\/etc\\/sudoers|start menu\\\\programs\\\\startup";
const AGENT =
  "\\b(?:claude|agents|qwen|gemini|copilot-instructions|memory|soul|crush|codex)\\.md|\\.cursorrules|\\.windsurfrules|\\.clinerules|\\.(?:claude|qwen|gemini|cursor|codex|continue|aider)(?:\\/|\\.conf)[\\w./-]{0,60}(?:settings|config|hooks|rules|mcp|agents|commands)|\\.mcp\\.json|mcp_config\\.json|claude_desktop_config";
const AGENT_NEEDLES = [
  ".md",
  "rules",
  ".claude",
  ".qwen",
  ".gemini",
  ".cursor",
  ".codex",
  ".continue",
  ".aider",
  "mcp",
  "claude_desktop",
];
const REDIRECT =
  "(?:>>? ?|\\btee (?:-a |--append )?|\\b(?:cp|mv|ln|install|sed -i)\\b[^\\n;|&]{1,120}? |add-content [^\\n]{0,80}|\\.write\\([^\\n]{0,100}|open\\()[\"'(]?(?:[~$\\w{}%./\\\\-]{0,80}[/\\\\])?";
const WRITE =
  "\\b(?:add|append|write|put|install|insert|inject|edit|modify|update|save|store|register|persist|include|change)(?:s|ing)?";

/** Git's hooks that few projects have, and all of them. */
const OTHER_HOOK =
  "\\b(?:post-(?:merge|checkout|rewrite|commit|receive|update|applypatch|index-change)|pre-(?:rebase|receive|auto-gc|merge-commit|applypatch)|applypatch-msg|reference-transaction|fsmonitor-watchman|sendemail-validate)\\b";
const HOOK = `(?:${OTHER_HOOK}|\\b(?:pre-commit|pre-push|commit-msg|prepare-commit-msg)\\b)`;

const ATTACKS: readonly Attack[] = [
  {
    pattern: pattern(REDIRECT, "(?:", STARTUP, ")"),
    says: "installs something that runs again without being asked",
  },
  {
    pattern: pattern(REDIRECT, "(?:", PROFILE, ")"),
    needles: ["profile", "rc", "zshenv", "zlogin", ".fish", "bash_login"],
    says: "changes what every shell of the user does first",
    judge: (match) =>
      /curl|wget|\beval\b|base64|\bnc\b|\/dev\/tcp|python|nohup|&\s?['"]?$/.test(before(match))
        ? "error"
        : "warning",
  },
  {
    pattern: pattern(REDIRECT, "(?:", AGENT, ")"),
    needles: AGENT_NEEDLES,
    says: "writes into what agents read and obey at every start",
  },
  {
    pattern: pattern(WRITE, upTo(10), "(?:", AGENT, ")"),
    needles: AGENT_NEEDLES,
    says: "has the agent change what agents read and obey at every start",
    level: "warning",
    isProse: true,
  },
  {
    pattern: pattern(
      WRITE,
      upTo(10),
      "(?:",
      PROFILE,
      "|",
      STARTUP,
      "|cron ?jobs?\\b|crontab\\b|startup (?:scripts?|items?|folder)|login items?|git hooks?\\b|scheduled tasks?)",
    ),
    says: "has the agent install something that runs again without being asked",
    level: "warning",
    isProse: true,
  },
  {
    // `post-merge` also says when something is done; the hooks before a commit are a project's own more often than not.
    pattern: pattern(
      WRITE,
      upTo(10),
      "(?:",
      OTHER_HOOK,
      "(?=[^a-z0-9]{0,3}(?:(?:git )?(?:hooks?|scripts?)\\b|$|[.,;:)](?:\\s|$)| (?:so|that|which|and|to|in|of|under|for|with)\\b))",
      "|hooks\\/",
      HOOK,
      ")",
    ),
    says: "has the agent install something that runs again without being asked",
    level: "warning",
    isProse: true,
  },
  {
    pattern: pattern(
      "\\b(?:lines?|commands?|calls?|entry|snippets?|one-?liners?|invocations?|copy)\\b(?:[^.;!?\\n]|\\.(?=\\w)){0,60}?\\b(?:to|into|in|onto|inside|of|behind)\\b",
      "(?:[^a-z0-9.;!?]{1,3}(?:the|its|their|an?|every|each|all|any|repo(?:sitory)?(?:'s)?|project(?:'s)?|user(?:'s)?|local|existing|git)){0,4}",
      "[^a-z0-9.;!?]{1,3}(?:",
      HOOK,
      "|git)[^a-z0-9.;!?]{1,3}hooks?\\b",
    ),
    needles: ["hook"],
    says: "has the agent install something that runs again without being asked",
    level: "warning",
    isProse: true,
    // A line in a hook is also where something fails.
    judge: ([text], { normal }) =>
      new RegExp(WRITE).test(normal.lower.slice(0, normal.lower.indexOf(text) + text.length)),
  },
  {
    pattern: pattern(">{1,2} ?[^\\n;|&]{0,100}hooks\\)?[\"']?\\/", HOOK),
    needles: ["hooks"],
    says: "installs something that runs again without being asked",
  },
  {
    pattern:
      /\|\s?crontab\b(?: -)?|\bcrontab (?:-|[\w./~]{1,60}\.(?:txt|cron))(?=[\s`'"]|$)|\bschtasks (?:\/create|-create)|\bsystemctl (?:--user )?enable\b|\blaunchctl (?:load|bootstrap)\b|\breg add [^\n]{0,100}\\run\b|\bnew-scheduledtask|\bregister-scheduledtask|\bat now \+|\bgit config (?:--global |--system )[^\n]{0,40}(?:core\.hookspath|init\.templatedir|core\.fsmonitor|core\.sshcommand|core\.pager|alias\.\w{1,30} ["']?!|credential\.helper)/g,
    needles: [
      "crontab",
      "schtasks",
      "systemctl",
      "launchctl",
      "reg add",
      "scheduledtask",
      "at now",
      "git config",
    ],
    says: "installs something that runs again without being asked",
    judge: ([text]) => (/systemctl|launchctl|credential/.test(text) ? "warning" : "error"),
  },
  {
    pattern: pattern(
      "\\b(?:remember|memorize|save to (?:your )?memory|store in (?:your )?(?:long-term )?memory|add to your memory)",
      "[^.;!?\\n]{0,80}?",
      "\\b(?:always|never|from now on|in (?:all )?future (?:sessions?|conversations?)|permanently|forever)\\b",
    ),
    needles: ["remember", "memor"],
    says: "plants a rule for sessions to come",
    isProse: true,
    level: "warning",
  },
  {
    pattern:
      /(?:\bnohup |\bsetsid |\()?[\w~$/.-]{0,80}\/\.[\w.-]{1,30}(?:\/[\w.-]{1,40}){0,4}[^\n;|]{0,40}(?:>|&>) ?\/dev\/null[^\n]{0,12}&|\b(?:nohup|setsid) [^\n;|]{0,60}\/\.?[\w./-]{1,60}[^\n;|]{0,60}&|"runon": ?"folderopen"|"postcreatecommand"|"poststartcommand"|\bsitecustomize\.py|\busercustomize\.py|\bprompt_command=|\bld_preload=/g,
    needles: ["/dev/null", "nohup", "setsid", "runon", "command", "customize", "ld_preload"],
    says: "starts by itself or stays behind, out of sight",
    level: "warning",
  },
  {
    pattern:
      /\b(?:wakes?(?: up)?|starts? (?:itself|again|over|by itself)|restarts?|comes back|returns|runs? (?:again|by itself|on its own)|keeps? (?:itself )?(?:running|alive)|stays? (?:resident|alive|running|active))\b[^.;!?\n]{0,80}\b(?:scheduler|timer|log-?in|boot|reboot|start-?up|at night|each (?:hour|day|night|morning)|every (?:\w{1,10} )?(?:minutes?|hours?|day|night|morning)|after the session|the session ends|in the background)\b/g,
    says: "stays at work after its task",
    level: "warning",
    isProse: true,
    judge: ([text]) => !/\b(?:job|workflow|service|container|pipeline|server)s?\b/.test(text),
  },
  {
    pattern:
      /\b(?:add|append|write|put|insert|place|leave|keep|lines?|entry|entries|alias(?:es)?|command)\b[^.;!?\n]{0,60}\b(?:zsh|bash|fish|shell|powershell|login)(?:'s)? (?:config(?:uration)?|profile|start-?up|rc|init|settings)\b[^.;!?\n]{0,80}/g,
    needles: ["zsh", "bash", "fish", "shell", "login"],
    says: "changes what every shell of the user does first",
    level: "warning",
    isProse: true,
  },
];

/** A skill's own text, and places beyond it. */
const SPREADS =
  /\b(?:this (?:skill(?:\.md)?|file|text|paragraph|section|instruction|block|line)s?(?: above)?|paragraph above|these instructions|itself)\b.{0,60}\b(?:in|into|to|across|among)\b.{0,30}\b(?:every|all|other|each|any|readme|templates)\b|\bso that (?:other|all|every) (?:agents?|assistants?|skills?)\b/;

/** Sentences of the kind, in whatever words. */
const STATEMENTS: readonly Statement[] = [
  {
    all: [Sense.plant, Sense.autorun, Sense.autorun],
    none: Sense.consent,
    says: "leaves something that runs again",
  },
  {
    all: [
      Sense.plant | Sense.run,
      Sense.autorun,
      Sense.standing | Sense.outside | Sense.address | Sense.conceal | Sense.all,
    ],
    none: Sense.consent,
    says: "leaves something that runs again",
  },
  {
    all: [
      Sense.plant,
      Sense.agent,
      Sense.all | Sense.standing | Sense.unasked | Sense.conceal | Sense.self,
    ],
    none: Sense.consent,
    says: "changes what agents obey from then on",
  },
  {
    all: [Sense.plant | Sense.send],
    none: Sense.consent,
    judge: (sentence) => SPREADS.test(sentence),
    says: "spreads itself",
  },
];

function before({ input, index, 0: text }: RegExpExecArray): string {
  return input.slice(Math.max(0, input.lastIndexOf("\n", index), index - 300), index + text.length);
}

export const attackPersistenceRule = defineAttackRule({
  id: "attack.persistence",
  level: "error",
  why: "What a skill leaves in a shell's, a scheduler's or an agent's own files outlives the skill and its review.",
  example: "`echo '…' >> ~/.bashrc`, or a rule added to `CLAUDE.md`",
  hint: "Say in the text what the user may want to set up, and leave it to them.",
  attacks: ATTACKS,
  statements: STATEMENTS,
});
