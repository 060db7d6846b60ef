import { PAYLOAD_MIN_CHARS } from "../../../core/limits.ts";
import { encodedRuns } from "../../../secrets/encoded-runs.ts";
import type { Attack } from "../../content/attack.ts";
import { defineAttackRule } from "../../content/attack-rule.ts";
import type { ContentDocument } from "../../content/content-document.ts";
import type { ContentDetail } from "../../content/content-rule.ts";
import { matchesOf, placeInFile } from "../../content/match.ts";
import { quoted } from "../../rule.ts";

const HINT = "Write what it does in plain text.";
const ATTACKS: readonly Attack[] = [
  {
    pattern:
      /(?:\bbase64 (?:-d|-D|--decode|-di)\b|\bbase32 -d\b|\bxxd -r\b|\bopenssl (?:enc |base64 )[^\n|]{0,60}-d\b|\bgunzip\b|\bgzip -d\w?\b|\bzcat\b|\brev\b|\btr ['"]?[a-z0-9-]{2,20}['"]? ['"]?[a-z0-9-]{2,20}['"]?)[^\n]{0,80}?\| ?(?:sudo )?(?:(?:ba|z|da)?sh|python[\d.]{0,4}|node|perl|eval|source)\b/g,
    says: "decodes something and runs it",
  },
  {
    pattern:
      /(?:\beval|\bexec|\biex|\binvoke-expression|\bnew function|\bsystem|\bpopen|\bsubprocess\.\w{1,12}|\b(?:ba)?sh -c|\bsource|\bcompile)\b[\s("'$<`[]{1,8}[^\n;]{0,80}?(?:b64decode|atob ?\(|frombase64string|base64 (?:-d|--decode)|bytes\.fromhex|unhexlify|string\.fromcharcode|codecs\.decode|rot_?13|zlib\.decompress|marshal\.loads|xxd -r|buffer\.from\([^\n)]{0,200}['"](?:base64|hex)|chr\(\d{2,3}\) ?\+|\b(?:un)?pack ?\(? ?["'][hu])/g,
    needles: [
      "eval",
      "exec",
      "iex",
      "invoke-expression",
      "function",
      "system",
      "popen",
      "subprocess",
      "sh -c",
      "source",
      "compile",
    ],
    says: "decodes something and runs it",
  },
  {
    pattern:
      /\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]{0,80}? -e(?:nc|ncodedcommand|c)? [a-z0-9+/=]{16}/g,
    needles: ["powershell", "pwsh"],
    says: "runs an encoded command",
  },
  {
    pattern:
      /\$\( ?(?:printf|echo -\w{1,3}) [^\n)]{0,20}?(?:\\x[4-7][0-9a-f]|\\0?1[0-7]{2}){2,}|(?<!\w)\$'(?:[a-z]{0,10}(?:\\x[4-7][0-9a-f]|\\1[0-7]{2})){2,}/g,
    says: "spells a command in codes",
  },
  {
    pattern: /(?:\\x[0-9a-f]{2}){12,}|(?:\\u00[0-9a-f]{2}){8,}|(?:chr\(\d{2,3}\) ?[+,.] ?){6,}/g,
    needles: ["\\x", "\\u00", "chr("],
    says: "spells text in codes",
    level: "warning",
  },
  {
    pattern:
      /\b(?:execute|run|start|launch|call|invoke)(?:s|ing)?\b [`"']?(?:bash |sh |python\d? |node )?(?:\.\/|~\/)?\.(?!venv|github|husky|yarn|nox|tox|cargo|local|nvm|pyenv|bun|deno|build)[a-z][\w-]{0,30}\/[\w./-]{1,60}|\bstring\.fromcharcode\(parseint\(|\b(?:chr\(int\(|bytes\.fromhex\()[^\n]{0,120}(?:exec|eval|system|popen)/g,
    needles: [
      "execute",
      "run",
      "start",
      "launch",
      "call",
      "invoke",
      "fromcharcode",
      "chr(",
      "fromhex",
    ],
    says: "runs what lies hidden",
    level: "warning",
  },
];

const HEX = /(?<![0-9A-Za-z])(?:[0-9a-fA-F]{2}){16,}(?![0-9A-Za-z])/g;
/** What a decoded text would do. */
const HARMFUL =
  /\b(?:curl|wget|bash|sh -c|eval|exec|import os|subprocess|powershell|nc -|rm -rf|ignore (?:all|previous|the)|instructions|do not tell|upload|exfiltrate|https?:\/\/)/i;

export const attackObfuscationRule = defineAttackRule({
  id: "attack.obfuscation",
  level: "error",
  why: "Nobody hides a command from a reader for the reader's sake.",
  example: "`echo aGVsbG8… | base64 -d | sh`",
  hint: HINT,
  attacks: ATTACKS,
  *more(document) {
    yield* payloads(document);
    yield* brokenCommands(document);
  },
});

function* payloads({ text }: ContentDocument): Iterable<ContentDetail> {
  for (const { index: start, text: run } of encodedRuns(text)) {
    const place = { start, end: start + run.length };
    const decoded = decodedText(run);
    if (decoded !== null && HARMFUL.test(decoded)) {
      yield {
        ...place,
        shown: quoted(decoded),
        says: "stands there in an encoded form",
        hint: HINT,
      };
    } else if (run.length >= PAYLOAD_MIN_CHARS && /\d/.test(run) && !/[_/-]/.test(run)) {
      yield {
        ...place,
        says: "is a long block that nobody can read",
        hint: "Say what it is, or leave it out.",
        level: "warning",
      };
    }
  }
}

/** A word of a shell's with quotes or backslashes in it, which the shell takes out: `c""url`. */
const BROKEN =
  /(?<![\w"'\\$])[a-z]{1,9}(?:(?:""|''|\\|\$@)[a-z]{1,9}|"[a-z]{1,9}"[a-z]{0,9}|'[a-z]{1,9}'[a-z]{0,9}){1,6}(?![\w"'])/g;
const COMMANDS = new Set(
  "bash zsh dash curl wget eval exec source python perl ruby node netcat ncat base64 chmod sudo crontab printenv powershell pwsh".split(
    " ",
  ),
);
/** So short that other languages spell them so, too: only where a shell reads it. */
const SHORT_COMMANDS = new Set("sh ash nc rm dd cat ssh scp env".split(" "));
const SHELL = /^(?:sh|shell|bash|zsh|console|terminal)$/;

function* brokenCommands({ passages }: ContentDocument): Iterable<ContentDetail> {
  for (const passage of passages) {
    const { block, normal, ticks } = passage;
    if (block.kind !== "code" && ticks.length === 0) continue;
    for (const match of matchesOf(BROKEN, normal.lower)) {
      const word = match[0].replace(/["'\\]|\$@/g, "");
      const isCommand =
        COMMANDS.has(word) || (SHELL.test(block.language) && SHORT_COMMANDS.has(word));
      if (!isCommand) continue;
      yield {
        ...placeInFile(passage, match.index, match.index + match[0].length),
        says: `is \`${word}\`, written so that no search finds it`,
        hint: "Write the command itself.",
      };
    }
  }
}

/** Of base64 (also URL-safe) or hex: the text, where it is printable ASCII. */
function decodedText(run: string): string | null {
  HEX.lastIndex = 0;
  const isHex = HEX.test(run);
  const text = Buffer.from(run, isHex ? "hex" : "base64").toString("latin1");
  return text.length >= 12 && /^[\t\n\r -~]+$/.test(text) ? text : null;
}
