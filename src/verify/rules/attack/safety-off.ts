import { type Attack, pattern, upTo } from "../../content/attack.ts";
import { defineAttackRule } from "../../content/attack-rule.ts";
import { Sense } from "../../content/senses.ts";
import type { Statement } from "../../content/statements.ts";

const CHECK =
  "(?:security|safety|verification|signatures?|certificates?|tls|ssl|sandbox(?:ing)?|firewall|antivirus|anti-virus|defender|gatekeeper|selinux|apparmor|authentication|authorization|permission checks?|approvals?|confirmations?|code reviews?|access controls?|audit(?:ing)?|secret scanning|sql injections?|csrf|cors|vulnerabilit(?:y|ies)|input validation|integrity checks?|branch protections?|guardrails|moderation)";

const ATTACKS: readonly Attack[] = [
  {
    pattern: pattern(
      "\\b(?:disabl(?:e|es|ing)|turn(?:s|ing)? off|deactivat(?:e|ing)|skip(?:s|ping)?|bypass(?:es|ing)?|ignor(?:e|es|ing)|suppress(?:es|ing)?|circumvent(?:s|ing)?|remov(?:e|es|ing)|weaken|relax(?:ed)?|switch(?:es|ing)? off)",
      "(?:[^a-z0-9_.;!?]{1,3}(?:all|any|the|every|its|your|these|this|of|global|existing)){0,3}",
      upTo(1),
      CHECK,
      "\\b",
    ),
    needles: [
      "disabl",
      "off",
      "deactivat",
      "skip",
      "bypass",
      "ignor",
      "suppress",
      "circumvent",
      "remov",
      "weaken",
      "relax",
    ],
    says: "turns a protection off",
    level: "warning",
    isProse: true,
  },
  {
    pattern: pattern(
      "\\b(?:do not|don't|never|no need to|not|without)[^a-z0-9.;!?]{1,3}(?:write|writing|run|running|check|checking|test|testing|perform|validate|validating|verify|verifying|scan|include|mention|flag|report|highlight)(?:[^a-z0-9_.;!?]{1,3}[a-z]{1,16}){0,6}?[^a-z0-9_.;!?]{1,3}",
      "(?:",
      CHECK,
      "|risks?|safety concerns?)\\b",
    ),
    needles: ["not", "don't", "never", "no need", "without"],
    says: "has the agent leave a check out",
    level: "warning",
    isProse: true,
  },
  {
    pattern:
      /--dangerously-[a-z-]{3,40}|--yolo\b|--approval-mode[= ]yolo|\bapproval_policy ?= ?["']?never|\bbypasspermissions\b|"defaultmode": ?"bypass|--no-sandbox\b|--privileged\b|\bsetenforce 0\b|\bufw disable\b|\bspctl --master-disable\b|\bset-mppreference -disable|\bcsrutil disable\b|\bset-executionpolicy (?:bypass|unrestricted)|\biptables -f\b|nopasswd: ?all/g,
    needles: [
      "--",
      "approval_policy",
      "bypass",
      "setenforce",
      "ufw",
      "spctl",
      "mppreference",
      "csrutil",
      "executionpolicy",
      "iptables",
      "nopasswd",
    ],
    says: "takes a safety away from the agent or the machine",
    judge: ([text]) => (/no-sandbox|privileged/.test(text) ? "warning" : "error"),
  },
  {
    pattern:
      /\bnode_tls_reject_unauthorized ?= ?["']?0|\bgit_ssl_no_verify ?=|\bhttp\.sslverify[= ]false|\bverify ?= ?false\b|\bcurl (?:[^\n;|`]{0,80} )?(?:-k|--insecure)\b|\bwget [^\n;|`]{0,80}--no-check-certificate|\bstricthostkeychecking[= ]no|--no-verify\b|--disable-web-security|--trusted-host|--allow-unauthenticated|--no-gpg-check|\bchmod (?:-\w{1,4} )?0?777\b|\bchmod a\+rwx\b|\bsudo chmod 666|--skip-(?:verify|validation|checks?|security)|\bshellcheck disable=all|\beslint-disable \*|\bnpm audit [^\n]{0,20}--force|--ignore-vulns/g,
    says: "turns a protection off",
    level: "warning",
  },
  {
    pattern:
      /\bwithout (?:asking|(?:any )?(?:confirmation|verification|approval|permission|consent|review|checking|validating)|user (?:confirmation|approval|consent))\b|\b(?:do not|don't|never) (?:ask|wait|prompt|request)(?: the user| them| anyone| for| or| to){0,4} (?:confirmation|permission|approval|consent|confirm|approve)\b|\b(?:auto-?approve|approve automatically|automatically approve)(?: all| any| every)/g,
    needles: ["without ", "not ", "don't", "never ", "approve"],
    says: "takes the decision away from the user",
    hint: "Let the agent ask before it does what can't be undone.",
    level: "warning",
    isProse: true,
    judge: ([text], { normal }) =>
      /\b(?:execut|run|delet|install|send|upload|push|merge|deploy|overwrit|remov|approv)/.test(
        normal.lower.slice(0, 2000).replace(text, ""),
      ) || false,
  },
  {
    pattern:
      /"allow": ?\[[^\]\n]{0,120}"(?:bash|write|edit|webfetch|\*)(?:\(\*?\))?"|\b(?:bash|shell|write|webfetch)\(\*(?::\*)?\)|\bgh pr merge [^\n`]{0,60}--admin\b|\bgh api [^\n`]{0,120}\/protection\b|\b(?:systemctl|service) (?:stop|disable|mask) (?:--now )?(?:auditd|firewalld|ufw|fail2ban|apparmor|clamav\S{0,10}|falco|crowdstrike|osqueryd|rsyslog|syslog)|\bservice (?:auditd|firewalld|rsyslog) stop|\bauditctl -e ?0|\bsudo_?(?:ers)? nopasswd\b|\bset [+]o history|"?(?:skip|disable|bypass)_?(?:auth|authentication|verification|validation|security)\w{0,12}"?[=:] ?(?:true|1|"true")/g,
    says: "takes a protection away",
    level: "warning",
  },
  {
    pattern:
      /\bprivileged: ?true|\bhost(?:pid|network|ipc): ?true|\bhostpath: ?\n? {0,12}path: ?\/(?=\s|$)|(?:-v|--volume|--mount)[ =]["']?\/:\/|\/var\/run\/docker\.sock\b|\b(?:mount|share)\b[^.;!?\n]{0,40}\b(?:host'?s? (?:root|file ?system)|whole (?:disk|file ?system))|--cap-add[= ](?:all|sys_admin)|\bseccomp[=:] ?unconfined/g,
    says: "takes the walls between a container and its machine away",
    level: "warning",
  },
  {
    pattern:
      /\b(?:stop|end|kill|terminate|quit|unload|uninstall|remove|disable|pause)\b[^.;!?\n]{0,40}\b(?:endpoint (?:protection|security)|anti-?virus|security (?:agents?|software|services?|tools?)|edr\b|monitoring (?:agents?|services?)|defender|crowdstrike|falcon|intrusion detection|data loss prevention|dlp\b)/g,
    needles: [
      "endpoint",
      "virus",
      "security",
      "edr",
      "monitoring",
      "defender",
      "crowdstrike",
      "falcon",
      "intrusion",
      "loss prevention",
      "dlp",
    ],
    says: "stops what protects the machine",
    level: "warning",
    isProse: true,
  },
  {
    pattern:
      /\b(?:install|add|trust|import|accept)(?:s|ing)?\b[^.;!?\n]{0,60}\b(?:root|ca|self-signed) (?:certificates?|certs?)\b|\bupdate-ca-(?:certificates|trust)\b|\/ca-certificates\/[\w.-]*|\badd-trusted-cert\b|\bcertutil [^\n]{0,20}-addstore\b/g,
    needles: ["certificate", "cert", "ca-"],
    says: "has the machine trust another authority",
    level: "warning",
  },
  {
    pattern:
      /\b(?:csrf|cors|rate[ -]limit(?:er|ing|s)?|throttl\w{1,4}|validation|sanitiz\w{1,6}|escaping|input checks?|access[ -]control-allow-origin)\b[^.;!?\n]{0,80}\b(?:leave (?:it|them) out|take (?:it|them) out|not needed|unnecessary|complicated|off|removed?|\*)|\b(?:take|leave|throw|comment)\b[^.;!?\n]{0,40}\b(?:rate[ -]limit(?:er|ing)?|csrf|cors|validation|middleware|auth\w{0,10}|sanitiz\w{1,6})\b[^.;!?\n]{0,20}\bout\b/g,
    says: "leaves a protection of the code out",
    level: "warning",
    isProse: true,
  },
  {
    pattern:
      /\b(?:second factor|two-factor|2fa|mfa|multi-factor|one-time codes?)\b[^.;!?\n]{0,60}\b(?:off|disable|skip|remove|bypass|turn|deactivate)|\baccept (?:all|every|any)\b[^.;!?\n]{0,60}\b(?:agreements?|dialogs?|terms|prompts?|permissions?|warnings?|certificates?)\b/g,
    needles: ["factor", "2fa", "mfa", "one-time", "accept"],
    says: "gives up a protection or a decision of the user",
    level: "warning",
    isProse: true,
  },
];

/** Sentences of the kind, in whatever words. */
const STATEMENTS: readonly Statement[] = [
  {
    all: [
      Sense.disable,
      Sense.protection,
      Sense.unasked | Sense.standing | Sense.all | Sense.regardless | Sense.conceal,
    ],
    none: Sense.consent,
    says: "takes a protection away",
  },
  {
    all: [Sense.disable, Sense.opinion, Sense.unasked | Sense.all | Sense.standing],
    none: Sense.consent,
    says: "approves without a look",
  },
  {
    all: [Sense.run, Sense.outside | Sense.everybody, Sense.protection],
    any: Sense.all | Sense.standing | Sense.unasked,
    none: Sense.consent,
    says: "works around a protection",
  },
];

export const attackSafetyOffRule = defineAttackRule({
  id: "attack.safety-off",
  level: "error",
  why: "Checks that are off make every other attack possible, and nobody turns them on again.",
  example: "`--dangerously-skip-permissions`",
  hint: "Leave the check on, and say what to do when it fails.",
  attacks: ATTACKS,
  statements: STATEMENTS,
});
