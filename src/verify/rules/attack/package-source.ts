import type { Attack } from "../../content/attack.ts";
import { defineAttackRule } from "../../content/attack-rule.ts";

const INSTALL =
  "(?:npm (?:i|install|add|exec)|npx|pnpm (?:add|dlx|i|install)|yarn (?:add|dlx)|bunx?(?: add| x)?|pip[\\d.]{0,4} install|python[\\d.]{0,4} -m pip install|uv (?:pip install|add|tool install)|uvx|pipx (?:install|run)|cargo install|go install|gem install|brew (?:install|tap)|apt(?:-get)? install|dpkg -i|rpm -i|yum install|dnf install)";

/** Where packages come from unless somebody says otherwise, and what is on one's own machine. */
const USUAL_HOST =
  "(?:(?:registry\\.npmjs\\.org|(?:test\\.)?pypi\\.org|npm\\.pkg\\.github\\.com|registry\\.yarnpkg\\.com|proxy\\.golang\\.org|sum\\.golang\\.org|(?:index|static)\\.crates\\.io|download\\.pytorch\\.org|rubygems\\.org|repo\\.maven\\.apache\\.org|jsr\\.io|npm\\.jsr\\.io|localhost|127\\.0\\.0\\.1)\\b|[<{$])";

const ATTACKS: readonly Attack[] = [
  {
    pattern: new RegExp(
      `\\b${INSTALL}\\b[^\\n;|&\`]{0,120}? ["']?(?:--git |git\\+)?(?:https?|git|ssh|file):\\/\\/[^\\s"'\`]{1,200}`,
      "g",
    ),
    needles: ["://"],
    says: "installs a package from an address, not from a registry",
  },
  {
    pattern: new RegExp(
      `\\b${INSTALL}\\b[^\\n;|&\`]{0,160}?(?:--(?:extra-)?index-url|--registry|--find-links|-i|--source|--channel)[= ]["']?https?:\\/\\/(?!(?:registry\\.npmjs\\.org|pypi\\.org|registry\\.yarnpkg\\.com|download\\.pytorch\\.org|index\\.crates\\.io)\\b)[^\\s"'\`]{1,200}`,
      "g",
    ),
    needles: ["://"],
    says: "installs packages from another registry than the usual",
  },
  {
    pattern:
      /\b(?:npm config set|yarn config set|pip config set)(?: global\.)? ?[^\n;|&`]{0,60}(?:registry|index-url|extra-index-url)[ =]["']?https?:\/\/(?!registry\.npmjs\.org|pypi\.org)[^\s"'`]{1,200}|\badd-apt-repository\b|\bapt-key add\b|\bclaude mcp add\b[^\n`]{0,120}|\b(?:qwen|gemini|codex) (?:mcp|extensions) (?:add|install)\b[^\n`]{0,120}/g,
    needles: ["config set", "add-apt", "apt-key", "mcp", "extensions"],
    says: "changes where software comes from",
  },
  {
    pattern: new RegExp(
      `\\b(?:pip_(?:extra_)?index_url|uv_(?:default_|extra_)?index(?:_url)?|npm_config_registry|yarn_registry|npm_?registry_?server|goproxy|(?:extra-)?index-url|registry)["'\`]?[ \\t]{0,4}[=:][ \\t]{0,4}["'\`]?https?:\\/\\/(?!${USUAL_HOST})[^\\s"'\`]{1,200}`,
      "g",
    ),
    needles: ["://"],
    says: "changes where software comes from",
  },
  {
    pattern: new RegExp(
      `\\b(?:set|point|chang|switch|configur|replac|redirect|direct|mov|mak)(?:e|es|s|ing)?\\b(?:[^.;!?\\n]|\\.(?=\\w)){0,60}?(?:\\b(?:(?:extra[- ])?index(?:[-_ ]url)|package (?:index|registry|source|mirror)|(?:npm|pip|pypi|python|cargo|maven|gem|yarn|pnpm|go)(?:'s)? (?:registry|index|mirror|source|repository|proxy)|registry)\\b|\\.npmrc|\\.yarnrc|pip\\.(?:conf|ini))(?:[^.;!?\\n]|\\.(?=\\w)){0,60}?\\b(?:to|at|with|by|on|from)\\b[^\\w.;!?\\n]{1,4}https?:\\/\\/(?!${USUAL_HOST})[^\\s"'\`]{1,200}`,
      "g",
    ),
    needles: ["://"],
    says: "changes where software comes from",
    isProse: true,
    judge: ([text]) =>
      !/\b(?:docker|container|image|schema|model|service|windows|token|log ?in)\b/.test(text),
  },
  {
    pattern: /\burl\.["']?([^\s"']{1,200}?)["']?\.(?:push)?insteadof["']? ["']?([^\s"'`]{1,200})/g,
    needles: ["insteadof"],
    says: "has git load every repository from another place",
    // From one protocol to another one of the same host is what people use it for.
    judge: ([, to = "", from = ""]) => hostIn(to) !== hostIn(from),
  },
  {
    pattern:
      /\breplace\b[^.;!?\n]{0,80}\b(?:by|with)\b[^.;!?\n]{0,40}[\w-]{2,40}\/[\w.-]{2,60}(?:@|:)(?:main|master|latest|head|dev)\b|\b(?:install|load|add)\b[^.;!?\n]{0,60}\b(?:browser )?(?:extension|plug-?in|add-?on)s?\b[^.;!?\n]{0,60}https?:\/\/[^\s"'`]{1,200}|\.crx\b/g,
    says: "brings software from where nobody looked",
    level: "warning",
    isProse: true,
  },
  {
    pattern:
      /\b(?:always|before (?:anything|everything|each|every)|begin|each|every)\b[^.;!?\n]{0,60}\b(?:npx|uvx|bunx|pnpm dlx|yarn dlx|pipx run)\b[^\n]{0,40}@[\w./-]{2,60}|\b(?:all|every|any) (?:images?|workflows?|builds?|containers?|jobs?)\b[^.;!?\n]{0,30}\b(?:on|to|with|by|from) [`"']?(?!(?:docker\.io\/library|actions|library|gcr\.io|mcr\.microsoft\.com|public\.ecr\.aws)\/)[a-z0-9-]{2,40}\/[a-z0-9-]{2,40}[:@]/g,
    says: "brings in a program by a name that nobody checked",
    level: "warning",
    isProse: true,
  },
];

/** Of an address as git writes it, `git@github.com:` among them. */
function hostIn(address: string): string {
  return (
    address
      .replace(/^[a-z+]{2,10}:\/\//, "")
      .replace(/^[^/@]{0,100}@/, "")
      .split(/[:/]/)[0] ?? ""
  );
}

export const attackPackageSourceRule = defineAttackRule({
  id: "attack.package-source",
  level: "warning",
  why: "A package from an unusual place is a program that nobody checked.",
  example: "`pip install --extra-index-url https://host/simple tool`",
  hint: "Name the package, its version and the registry it comes from.",
  attacks: ATTACKS,
});
