/** What carries data away as a name that others read: of a host, a branch, a file. Part of attack.exfiltration. */
import type { Attack } from "./attack.ts";
import { CARRIES_SECRET } from "./sources.ts";

/** Asks for the address of a host. */
const RESOLVES =
  /\b(?:dig|nslookup|host|ping|getent|resolv\w{1,5}|look(?:s|ing|ed)? up|lookups?|dns|(?:sub)?domains?|host ?names?)\b|:\/\/\$/;
const FILE_NAME =
  /\.(?:tar|t?gz|bz2|xz|zip|json|ya?ml|md|txt|log|csv|sql|js|ts|py|sh|whl|jar|deb|rpm|exe|dmg|pdf|png|html)$/;
/** What has a name that others read. */
const NAMED =
  "(?:branch(?:es)?|tags?|files?|folders?|director(?:y|ies)|commits?|commit messages?|releases?|artifacts?|images?|issues?|buckets?|repositor(?:y|ies)|containers?|sub-?domains?|pull requests?)";
const SECRET_VARIABLE =
  "(?:\\$\\{?)?\\b(?:[a-z0-9]{1,20}[_ ]){0,3}(?:tokens?|secrets?|passwords?|passphrases?|(?:api|access|private|deploy|signing|encryption|ssh|master|host|service)[_ ]?keys?|credentials?)\\b\\}?`?";

export const NAME_LEAKS: readonly Attack[] = [
  {
    pattern:
      /(?:\$\([^)\n]{1,120}\)|\$\{?\w{0,40}\}?)(?:\.[a-z0-9-]{1,40}){1,4}\.[a-z]{2,12}\b(?![\w/-])/g,
    needles: ["$"],
    says: "puts what this machine knows into the name of a host",
    judge: ([name], { normal }) =>
      CARRIES_SECRET.test(name) && !FILE_NAME.test(name) && RESOLVES.test(normal.lower),
  },
  {
    pattern:
      /\bgit (?:checkout -b|switch -c|branch|tag|stash push -m)[^\n;|&`]{0,60}?\$\{?[a-z0-9_]{0,30}(?:token|secret|passw(?:or)?d|api_?key|access_?key|private_?key|credential)\w{0,20}|\b(?:mkdir|touch|mv|cp)\b[^\n;|&`]{0,80}\/[\w.-]{0,40}\$\{?[a-z0-9_]{0,30}(?:token|secret|passw(?:or)?d|api_?key|private_?key)\b\}?/g,
    needles: ["git ", "mkdir", "touch", "mv", "cp"],
    says: "names something after the value of a secret",
  },
  {
    pattern: new RegExp(
      `\\b(?:nam|call|titl|label|renam|tag|creat)(?:e[sd]?|s|ed|l?ing)?\\b[^.;!?\\n]{0,50}\\b${NAMED}\\b[^.;!?\\n]{0,40}\\b(?:after|with|by|from|to|as|is|equals)\\b[^.;!?\\n]{0,20}\\b(?:values?|contents?) (?:of|in)\\b[^.;!?\\n]{0,30}?${SECRET_VARIABLE}|\\b(?:values?|contents?) (?:of|in) [^.;!?\\n]{0,30}?${SECRET_VARIABLE}[^.;!?\\n]{0,40}\\b(?:as|in|into|for|to)\\b(?: [a-z]{1,12}){0,3} (?:name|title|label|commit message|${NAMED})\\b`,
      "g",
    ),
    needles: ["value", "content"],
    says: "gives something the value of a secret as its name",
    isProse: true,
  },
];
