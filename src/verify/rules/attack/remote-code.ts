import { type Attack, attackFinder } from "../../content/attack.ts";
import { defineContentRule } from "../../content/content-rule.ts";
import { EVERY_PROFILE } from "../../rule.ts";

const HINT =
  "Name the package or the file, its version and its source, and let the user install it.";
const SAYS = "runs code from elsewhere that nobody has read";
/** Installers that their projects document in this form: a person must look, and it may be what is meant. */
const INSTALLER =
  /\bhttps?:\/\/(?:sh\.rustup\.rs|astral\.sh\/|get\.docker\.com|deb\.nodesource\.com|bun\.sh\/|deno\.land\/|get\.pnpm\.io|install\.python-poetry\.org|raw\.githubusercontent\.com\/(?:nvm-sh\/nvm|homebrew\/install)\/|get\.sdkman\.io|get\.helm\.sh|cli\.github\.com)/;
const LOADERS = ["curl", "wget", "iwr", "irm", "invoke-webrequest", "invoke-restmethod"];
const INTERPRETER =
  "(?:sudo (?:-\\w{1,10} )?|env (?:\\w{1,30}=\\S{0,60} ){0,3}|command )?(?:\\/[\\w./-]{1,40}\\/)?(?:(?:ba|z|da|k|fi|c|tc)?sh\\b(?!\\.)|(?:python[\\d.]{0,4}|node|perl|ruby|php|deno run)(?= ?(?:$|[`'\")\\n;&|]|- ?(?:$|[\\s`'\"])))|iex\\b|invoke-expression\\b|(?:pwsh|powershell)\\b|xargs [^\\n|]{0,40}(?:ba)?sh\\b)";

/** The names under which a download may lie on the disk afterwards. */
const SAVED_AS =
  /(?:-o|--output|-outfile|--output-document|>) ?["']?([\w./~-]{1,80})|https?:\/\/[^\s"'`<>|;&]{1,200}\/([\w.-]{1,80})/g;

const ATTACKS: readonly Attack[] = [
  {
    pattern: new RegExp(
      `\\b(?:curl|wget|fetch|iwr|irm|invoke-webrequest|invoke-restmethod)\\b(?:(?!\\b(?:curl|wget)\\b)[^\\n]){0,300}?\\| ?(?:tee [^\\n|]{0,60}\\| ?)?${INTERPRETER}`,
      "g",
    ),
    needles: ["|"],
    says: SAYS,
    hint: HINT,
    judge: levelOf,
  },
  {
    pattern:
      /(?:\b(?:ba|z|da|k)?sh|\bsource|\beval|\bexec|(?<![\w/])\.|\bpython[\d.]{0,4}|\bnode|\bperl)(?: -\w{1,4}){0,2} {0,2}["']?(?:<\(|\$\(|`) ?(?:curl|wget)\b[^\n]{0,200}/g,
    needles: LOADERS,
    says: SAYS,
    hint: HINT,
    judge: levelOf,
  },
  {
    pattern: /\b(?:curl|wget|iwr|invoke-webrequest)\b[^\n]{1,300}(?:\n[^\n]{0,200}){0,4}/g,
    needles: LOADERS,
    says: "downloads a program and runs it",
    hint: HINT,
    judge: (match) => runsDownload(match[0]) && levelOf(match),
  },
  {
    pattern:
      /\b(?:exec|eval|iex|invoke-expression|new function|compile)\b ?\(? ?[^\n;]{0,80}?(?:urlopen|requests\.get|httpx\.get|urllib|fetch ?\(|downloadstring|axios\.get|invoke-webrequest|iwr |irm |curl )[^\n]{0,100}/g,
    needles: ["exec", "eval", "iex", "invoke-expression", "function", "compile"],
    says: SAYS,
    hint: HINT,
  },
  {
    pattern:
      /\b(?:download|fetch|pull|get|retrieve)\b[^.;!?\n]{0,80}?\b(?:scripts?|payload|binary|executable|program|installer|updates?|patch)\b[^;!?\n]{0,120}?\b(?:and|then|to) (?:run|execute|launch|source|evaluate)\b/g,
    needles: ["run", "execute", "launch", "source", "evaluate"],
    says: "has the agent run what it downloads",
    hint: HINT,
    level: "warning",
    isProse: true,
  },
];

function levelOf([text]: RegExpExecArray): true | "warning" {
  return INSTALLER.test(text) ? "warning" : true;
}

function runsDownload(text: string): boolean {
  for (const [, saved, fromUrl] of text.matchAll(SAVED_AS)) {
    const name = (saved ?? fromUrl ?? "")
      .split("/")
      .at(-1)
      ?.replace(/[.^$*+?()[\]{}|\\]/g, "\\$&");
    if (name === undefined || name.length < 2) continue;
    const run = new RegExp(
      `(?:\\b(?:(?:ba|z|da|k)?sh|source|python[\\d.]{0,4}|node|perl|ruby|exec|sudo|chmod (?:\\+x|[0-7]{3,4}|a\\+x|u\\+x)) (?:-\\w{1,6} )?|(?:&&|;|\\n|\\$) ?)(?:\\./|[~/][\\w/.-]{0,80}/)?${name}(?![\\w.-])`,
    );
    if (run.test(text)) return true;
  }
  return false;
}

export const attackRemoteCodeRule = defineContentRule({
  id: "attack.remote-code",
  level: "error",
  why: "A download that goes straight into a shell runs whatever lies there on that day, with the user's rights.",
  example: "`curl -s https://host/setup | sh`",
  profiles: EVERY_PROFILE,
  find: attackFinder(ATTACKS),
});
