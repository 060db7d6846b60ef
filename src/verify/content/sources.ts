/** What an attacker wants, and where it would go: parts of patterns over lower-case levelled text. */

/** Opens doors. */
export const CREDENTIALS =
  "(?:\\.env\\b[\\w.]{0,20}|env(?:ironment)? (?:files?|variables?|vars)|\\.ssh\\b|id_(?:rsa|ed25519|ecdsa)|ssh (?:keys?|files?)|private keys?|(?:api|access|secret|signing|encryption) ?keys?|\\b[a-z]{2,20}_(?:token|key|secret)\\b|tokens?|secrets?|passwords?|passphrases?|credentials?|session cookies?|cookies|keychain|wallets?|seed phrases?|\\.aws\\b|\\.netrc|\\.npmrc|kubeconfig|\\.kube\\b)";

/** Belongs to the user or to people the user works with. */
export const PRIVATE =
  "(?:clipboard|contacts?|inbox|mailbox|e-?mails?|messages|conversations?|chat (?:history|logs?)|browser history|browsing data|(?:gps |precise |current )?location(?: data)?|coordinates|ip address(?:es)?|system[ _]info(?:rmation)?|host ?names?|user ?names?|screenshots?|recordings?|(?:the |all |any )?(?:documents?|files?|data|records?|rows?|reports?|datasets?|repositor(?:y|ies)|source code|code ?base|spreadsheets?|models?|results?|quer(?:y|ies)|prompts?|transcripts?|logs?)|(?:patient|customer|financial|medical|payment|card|personal|user) (?:data|information|records?|details|numbers?)|information)";

/** Leaves the machine. */
export const SEND =
  "(?:send(?:s|ing)?|upload(?:s|ing)?|post(?:s|ing)?|forward(?:s|ing)?|transmit(?:s|ting)?|exfiltrat(?:e|es|ing)|submit(?:s|ting)?|sync(?:s|ing|ed)?|back(?:s|ing|ed)? ?up|backups?|mail|e-?mail|share|push|report|leak|transfer(?:s|ring)?|deliver|publish|copy|ship|stream)";

/** Where it would go. */
export const SINK =
  "(?:https?:\\/\\/|(?:our|the|a|an|your|my|this|external|remote|central|internal|intranet|third[- ]party|public|backup|attacker'?s?|[a-z]{2,12}ops)(?: [a-z]{2,14}){0,3} (?:servers?|endpoints?|collectors?|webhooks?|hosts?|buckets?|apis?|services?|systems?|channels?|websites?|drives?|address)|webhook|pastebin|gist\\b|s3:\\/\\/|ftp:\\/\\/|dropbox|discord|telegram|[\\w.-]{1,40}@[\\w-]{1,40}\\.[a-z]{2,10})";

/** Hosts that are this machine, or stand for one that the reader fills in. */
export const OWN_HOST =
  /^(?:localhost|127\.[\d.]+|0\.0\.0\.0|\[?::1\]?|10\.[\d.]+|192\.168\.[\d.]+|host\.docker\.internal|\$.*|<.*|\{.*|[\w-]{1,40})(?::\d{1,5})?$/;

/** What a command carries when it knows something of this machine or its user, in lower case. */
export const CARRIES_SECRET = new RegExp(
  `${CREDENTIALS}|\\$\\((?:env|printenv|cat|set|whoami|hostname|uname|id|base64|pbpaste)\\b|\\$\\{?(?:\\w{0,30}_)?(?:token|secret|key|password)\\w{0,20}|\\/etc\\/(?:passwd|shadow)|os\\.environ|process\\.env`,
);
