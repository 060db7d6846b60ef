import type { Attack } from "../../content/attack.ts";
import { defineAttackRule } from "../../content/attack-rule.ts";

/** In a program: all of the environment, or the places where credentials and private things are kept. */
const READS_PRIVATE =
  /\b(?:dict\(os\.environ|os\.environ\.(?:items|copy)\(|json\.dumps\([^\n)]{0,30}os\.environ\b(?!\[|\.get)|json\.stringify\(process\.env\)|object\.entries\(process\.env\)|pyperclip\.paste|imagegrab\b|keyring\.get_password|os\.walk\(os\.path\.expanduser|path\.home\(\)\.(?:rglob|glob))|\.\.\.process\.env\b|["'/~](?:\.ssh|\.aws|\.netrc|\.gnupg|\.kube|\.git-credentials|\.npmrc)\b|\bid_(?:rsa|ed25519)\b|\/etc\/(?:passwd|shadow)|login data|cookies\.sqlite/;

const ATTACKS: readonly Attack[] = [
  {
    pattern:
      /\b(?:requests\.(?:post|put|request)|httpx\.(?:post|put)|urlopen|axios\.(?:post|put)|fetch ?\(|https?\.request|smtplib|sendmail|websocket|socket\.(?:connect|send\w{0,4})|ftplib|paramiko)\b[^\n]{0,120}/g,
    needles: [
      "requests.",
      "httpx.",
      "urlopen",
      "axios.",
      "fetch",
      "http",
      "smtplib",
      "sendmail",
      "websocket",
      "socket",
      "ftplib",
      "paramiko",
    ],
    says: "sends something in a program that reads credentials or what is private",
    judge: (_match, { block, normal }) => block.kind === "code" && READS_PRIVATE.test(normal.lower),
  },
];

export const attackProgramRule = defineAttackRule({
  id: "attack.program",
  level: "error",
  why: "A program that reads credentials and talks to a server in the same breath steals, wherever its lines stand.",
  example: "`json.dumps(dict(os.environ))`, and `urlopen` two lines below",
  hint: "Remove it; a program that reads these has no reason to talk to a server.",
  attacks: ATTACKS,
});
