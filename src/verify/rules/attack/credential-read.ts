import { type Attack, pattern, upTo } from "../../content/attack.ts";
import { defineAttackRule } from "../../content/attack-rule.ts";
import { Sense } from "../../content/senses.ts";
import { CREDENTIALS } from "../../content/sources.ts";
import type { Statement } from "../../content/statements.ts";

const STORE =
  "(?:\\.ssh\\/(?:id_\\w{2,12}|\\*|[\\w-]{1,20}_key)(?!\\.pub)|\\.aws\\/credentials|\\.netrc|\\.git-credentials|\\.docker\\/config\\.json|\\.kube\\/config|\\.gnupg|\\.config\\/(?:gcloud|gh\\/hosts)|\\/etc\\/shadow|\\/proc\\/(?:self|\\d{1,7}|\\*)\\/environ|login data|cookies\\.sqlite|key4\\.db|logins\\.json|wallet\\.dat|login\\.keychain)";

/** A shell's variable that holds one. */
const VARIABLE =
  "\\$(?:env:)?\\{?\\w{0,40}(?:token|secret|passw(?:or)?d|passphrase|api_?key|private_key|credentials?)(?!\\w)";

const ATTACKS: readonly Attack[] = [
  {
    pattern: pattern(
      "(?:\\b(?:cat|less|more|head|tail|grep|base64|cp|scp|strings|xxd|od|tar|zip|type|get-content|read(?:s|ing)?|copy|collect|extract|open|awk|sed|source)\\b|open\\(|read_text|readfile\\w{0,4}\\()",
      "[^\\n|;]{0,100}?",
      STORE,
    ),
    needles: [
      ".ssh",
      ".aws",
      ".netrc",
      ".git-credentials",
      "config",
      ".gnupg",
      "shadow",
      "environ",
      "login",
      "cookies",
      "key4",
      "wallet",
    ],
    says: "reads where credentials are kept",
  },
  {
    pattern:
      /\bsecurity (?:find-generic-password|find-internet-password|dump-keychain)|\bsecret-tool (?:lookup|search)|\bcmdkey \/list|\bmimikatz\b|\bgh auth token\b|\bgcloud auth print-\w{1,12}-token|\baws configure get\b|\bgit credential fill\b|\bop (?:read|item get)\b/g,
    needles: [
      "security ",
      "secret-tool",
      "cmdkey",
      "mimikatz",
      "auth",
      "aws configure",
      "git credential",
      "op ",
    ],
    says: "takes a credential out of its store",
    level: "warning",
  },
  {
    pattern:
      /(?:^|[\n;&|`(]) ?(?:sudo )?(?:env|printenv|export -p|set) ?(?:\||>|\) )|\bprintenv\b(?! \w)|json\.dumps\((?:dict\()?os\.environ|print\((?:dict\()?os\.environ\)|console\.log\(process\.env\)|json\.stringify\(process\.env|\b(?:dump|list|print|collect|capture)(?:s|ing)?(?: [a-z]{1,12}){0,3} environment variables/g,
    needles: ["env", "set", "export"],
    says: "reads every variable of the environment, credentials among them",
    level: "warning",
  },
  {
    pattern: pattern(
      "\\b(?:collect|gather|harvest|scan|search|find|extract|dump|locate|enumerate|steal|grab|look|read|upload|get)(?:s|ing)?",
      upTo(8),
      CREDENTIALS,
    ),
    needles: [
      "collect",
      "gather",
      "harvest",
      "scan",
      "search",
      "find",
      "extract",
      "dump",
      "locate",
      "enumerate",
      "steal",
      "grab",
      "look",
      "read",
      "upload",
      "get",
    ],
    says: "has the agent look for credentials",
    level: "warning",
    isProse: true,
    judge: ([text]) =>
      /\b(?:harvest|steal|grab|dump)/.test(text) ||
      (/\b(?:collect|gather|scan|search|find|extract|locate|enumerate|upload|look)/.test(text) &&
        /\.env\b|\.ssh|ssh|private key|password|credential|keychain|wallet|\.aws|cookies/.test(
          text,
        ) &&
        !/\blook at\b|\bleak|\bcommitted\b/.test(text) &&
        "warning"),
  },
  {
    pattern: pattern(
      "\\b(?:print|log|echo|output|display|expose|write|include|commit|paste|hard-?code|embed|dump|save)(?:s|ing)?",
      upTo(4),
      CREDENTIALS,
      upTo(3),
      "(?:logs?|console|stdout|output|terminal|files?|commits?|issues?|comments?|code|response|repository|debugging)\\b",
    ),
    needles: [
      "print",
      "log",
      "echo",
      "output",
      "display",
      "expose",
      "write",
      "include",
      "commit",
      "paste",
      "code",
      "embed",
      "dump",
      "save",
    ],
    says: "puts a credential where others read it",
    level: "warning",
    isProse: true,
  },
  {
    pattern:
      /\b169\.254\.169\.254\b[^\s"'`]{0,100}|\bmetadata\.google\.internal\b[^\s"'`]{0,100}|\b100\.100\.100\.200\b[^\s"'`]{0,100}/g,
    needles: ["169.254", "metadata.google", "100.100"],
    says: "asks a cloud's metadata service, which gives out the machine's credentials",
    level: "warning",
  },
  {
    pattern:
      /\b(?:include|put|add|write|keep|store|list|save|paste|commit|note|mention|hard-?code|post|publish|open|attach|share)(?:s|ing)?\b[^.;!?\n]{0,40}\b(?:(?:real|working|actual|valid|live|production|all) (?:api |access |secret )?(?:keys?|tokens?|passwords?|credentials?|secrets?)|passwords|connection strings?)\b/g,
    says: "writes credentials down where others read them",
    level: "warning",
    isProse: true,
  },
  {
    pattern:
      /\bkubectl [^\n]{0,80}?\bget secrets?\b[^\n]{0,200}?(?:\bbase64\b|-o[= ]?(?:json|yaml|go-template|custom))|\bsecretsmanager get-secret-value\b|\bgcloud secrets versions access\b|\bkeyvault secret show\b|\bssm get-parameters?\b[^\n]{0,120}--with-decryption|\bvault (?:kv get|read) /g,
    needles: ["secret", "ssm get", "vault "],
    says: "takes a credential out of its store",
    level: "warning",
  },
  {
    pattern: pattern(
      "\\b(?:echo|printf|write-host|write-output) (?:-\\w{1,3} )?[\"']?[^\\n|>$`]{0,60}",
      VARIABLE,
      "(?!:\\+)[^\\n`]{0,80}",
    ),
    needles: ["echo ", "printf ", "write-host", "write-output"],
    says: "puts a credential where others read it",
    level: "warning",
    // Into another program or a file it goes unseen.
    judge: ([text]) => !/[|>]|::add-mask::/.test(text),
  },
  {
    pattern: pattern(
      "\\b(?:print|echo|show|display|output|log|dump|reveal|disclose|quote|repeat|state|read out)(?:s|ing)?",
      upTo(3),
      "(?:values?|contents?) of",
      upTo(3),
      "[^\\w$.;!?]{0,3}(?:",
      VARIABLE,
      "|\\w{1,30}_(?:token|secret|password|key)\\b|(?:access |api |secret |private ){1,2}(?:tokens?|keys?)\\b|(?:passwords?|credentials?)\\b)",
    ),
    needles: ["value of", "values of", "content of", "contents of"],
    says: "puts a credential where others read it",
    level: "warning",
    isProse: true,
  },
  {
    pattern:
      /\btojson\(secrets\)|\$\{\{ ?secrets\.\w{1,60} ?\}\}[^\n]{0,80}\| ?(?:base64|rev|xxd)|\becho [^\n]{0,60}\$\{\{ ?secrets\./g,
    needles: ["secrets"],
    says: "shows the secrets of a workflow",
    level: "warning",
  },
];
/** Sentences of the kind, in whatever words. */
const STATEMENTS: readonly Statement[] = [
  {
    all: [Sense.collect, Sense.credential],
    none: Sense.consent,
    judge: (sentence) =>
      /\b(?:chrome|firefox|safari|edge|browser|keychain|home (?:folder|directory)|1password|bitwarden|credential manager)\b|~\//.test(
        sentence,
      ),
    says: "takes credentials from where the user keeps them",
  },
  {
    all: [Sense.collect, Sense.credential, Sense.plant | Sense.all | Sense.standing],
    none: Sense.consent | Sense.own,
    says: "gathers credentials",
  },
  {
    all: [Sense.collect, Sense.credential, Sense.send],
    none: Sense.consent | Sense.own,
    says: "gathers credentials",
  },
];

export const attackCredentialReadRule = defineAttackRule({
  id: "attack.credential-read",
  level: "error",
  why: "A procedure needs the name of a credential, never its value; reading it is the first half of a theft.",
  example: "`cat ~/.ssh/id_ed25519`",
  hint: "Remove it; a procedure names a credential by its variable and never looks at it.",
  attacks: ATTACKS,
  statements: STATEMENTS,
});
