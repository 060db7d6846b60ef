import type { Attack } from "../../content/attack.ts";
import { defineAttackRule } from "../../content/attack-rule.ts";
import { Sense } from "../../content/senses.ts";
import type { Statement } from "../../content/statements.ts";

const ATTACKS: readonly Attack[] = [
  {
    pattern:
      /\brm (?:-{1,2}[a-z-]{1,20} ){1,4}(?:--no-preserve-root )?["']?(?:\/(?:\*|(?=[\s"'`;&|)]|$)|(?:etc|usr|home|var|bin|boot|lib|opt|root)\b\/?(?:\*|(?=[\s"'`;&|)]|$)))|~\/?(?:\*|(?=[\s"'`;&|)]|$))|\$\{?home\}?\/?(?:\*|(?=[\s"'`;&|)]|$))|\*(?=[\s"'`;&|)]|$)|\.\.?\/?(?:\*)?(?=[\s"'`;&|)]|$))/g,
    says: "deletes far more than one thing",
    judge: ([text]) => (/ ["']?(?:\*|\.\.?\/?\*?)$/.test(text) ? "warning" : true),
  },
  {
    pattern:
      /\bmkfs(?:\.\w{2,8})? (?:-\S{1,12} ){0,4}\/dev\/|\bdd [^\n]{0,120}\bof=\/dev\/(?:sd|nvme|hd|vd|disk|mmc)|>\s?\/dev\/(?:sd|nvme|hd|vd)[a-z0-9]|:\(\) ?\{ ?:\|:& ?\} ?;:|\bchmod (?:-r )?(?:-r )?[0-7]{3,4} \/(?=[\s"'`;&|)]|$)|\bshred (?:-\w{1,8} ){0,4}(?:\/dev|~)|\bformat c:|\bcipher \/w|\bremove-item [^\n]{0,80}-recurse[^\n]{0,40}[a-z]:\\?(?=[\s"'`;&|)]|$)/g,
    needles: [
      "mkfs",
      "dd ",
      "/dev/",
      ":()",
      "chmod",
      "shred",
      "format c:",
      "cipher",
      "remove-item",
    ],
    says: "destroys a disk or a system",
  },
  {
    pattern:
      /\bgit reset --hard (?:head(?:~\d{1,3}|\^{1,3})|origin)|\bgit push (?:[^\n;|&]{0,80} )?(?:--force(?!-with-lease)|-f)\b|\bgit clean -[a-z]{0,4}[xd][a-z]{0,4}|\bgit (?:filter-branch|filter-repo|update-ref -d|reflog expire)\b|\bgit branch -d -f\b/g,
    needles: ["git "],
    says: "throws work away that git can't bring back",
    level: "warning",
  },
  {
    pattern:
      /\bdrop (?:database|schema|table)(?: if exists)? (?!if\b)[\w"'`.]{1,60}|\btruncate table\b|\bdelete from [\w".]{1,60} ?(?:;|$)|\bterraform (?:destroy|apply) [^\n]{0,60}-auto-approve|\bkubectl delete [^\n]{0,60}(?:--all\b|namespace |ns )|\bdocker (?:system|volume) prune [^\n]{0,40}(?:-a|--all|-f)|\baws s3 (?:rm|rb) [^\n]{0,80}(?:--recursive|--force)|\bdropdb\b|\bflushall\b/g,
    needles: [
      "drop",
      "truncate",
      "delete from",
      "terraform",
      "kubectl",
      "docker",
      "aws s3",
      "flushall",
    ],
    says: "destroys data of a running system",
    level: "warning",
  },
  {
    pattern:
      /\b(?:encrypt|lock|password[- ]protect|zip|archive)(?:s|ing)?\b[^.;!?\n]{0,120}?\b(?:delete|remove|erase|shred|overwrite|destroy)(?:s|ing)? (?:all |any |the |every |their |its )*(?:originals?|other|unencrypted|previous|source|backups?|old)|\b(?:encrypt|lock) (?:all|every|any|the user'?s?) [^.;!?\n]{0,40}\b(?:files?|documents?|data|folders?|disk)|\bransom\b|\b(?:gpg|openssl|zip|7z)\b[^\n]{0,160}(?:&&|;|\n)[^\n]{0,20}\b(?:rm|shred|del)\b/g,
    needles: ["encrypt", "lock", "password", "zip", "archive", "ransom", "gpg", "openssl", "7z"],
    says: "takes files from the user behind a password",
    level: "warning",
  },
  {
    pattern:
      /\bfind (?:\/|~|\$home|\.)[^\n|;]{0,120} (?:-delete\b|-exec (?:rm|shred)\b)|\bgit push [^\n;|&]{0,60}(?:--delete|:refs\/|--mirror --force)|\bgit stash clear\b|\bgit update-ref -d\b|\bredis-cli [^\n]{0,40}flush|\bgh repo delete\b|\bdocker (?:rm|rmi|volume rm) [^\n]{0,20}\$\(docker|\bvssadmin delete\b|\bwevtutil cl\b|\btruncate -s ?0\b|\btmutil delete\w{0,20}/g,
    says: "takes much away at once",
    level: "warning",
  },
  {
    pattern:
      /\b(?:empty|clear|purge|wipe|delete|erase|drop|shred|throw away|get rid of|remove|discard|overwrite)(?:s|ing)?\b[^.;!?\n]{0,40}\b(?:originals|original (?:files?|documents?|photos?|data|recordings?)|recycle bins?|trash|(?:previous|older|earlier|other|former) versions?|version history|only cop(?:y|ies)|all cop(?:y|ies)|safety cop(?:y|ies)|shadow cop(?:y|ies)|restore points?|time machine)\b|\b(?:older than|before|prior to|from before)\b[^.!?\n]{0,50}\b(?:dropped|deleted|removed|purged|erased|go|thrown away)\b[^.!?\n]{0,20}\bwithout\b/g,
    needles: [
      "original",
      "recycle",
      "trash",
      "version",
      "cop",
      "restore point",
      "time machine",
      "without",
    ],
    says: "takes away what can't be made again",
    level: "warning",
    isProse: true,
    judge: ([text]) => !/\b(?:test|temp|cache|never|keep)\w*\b/.test(text),
  },
  {
    pattern:
      /\b(?:mov|put|drag|throw|send|shift|transfer|drop)(?:e|es|s|ing)?\b[^.;!?\n]{1,60}\b(?:to|into|in) (?:the |its |their )?(?:trash(?: can| folder)?|bin|recycle bin|waste ?basket|rubbish(?: bin)?|deleted (?:items|messages|files)(?: folder)?)\b(?!\/|\.\w|`|[ -](?:folder|director|dir\b|path|pack))[^.!?\n]{0,40}(?:[.!?] ?[^.!?\n]{0,24})?\b(?:empt|purg|clear|flush)(?:y|ies|ied|e|es|s|ing|ying)?\b[^.!?\n]{0,20}/g,
    needles: ["trash", "bin", "basket", "rubbish", "deleted"],
    says: "takes away what can't be made again",
    level: "warning",
    isProse: true,
    judge: ([text]) => !/\b(?:test|temp|tmp|cache|build|generated|never|without)\w*\b/.test(text),
  },
];

/** Sentences of the kind, in whatever words. */
const STATEMENTS: readonly Statement[] = [
  {
    all: [Sense.destroy, Sense.destroy],
    none: Sense.consent,
    judge: (sentence) =>
      /\b(?:encrypt|lock|password-protect|scramble)/.test(sentence) &&
      /\b(?:remov|delet|destroy|overwrit|eras)/.test(sentence) &&
      /\b(?:cop(?:y|ies)|originals?|files?|documents?|data|plain)/.test(sentence),
    says: "takes files from the user behind a password",
  },
  {
    all: [Sense.destroy, Sense.precious, Sense.all | Sense.unasked | Sense.standing],
    none: Sense.consent,
    says: "takes away what can't be made again",
  },
  {
    all: [Sense.destroy, Sense.all, Sense.precious],
    none: Sense.consent,
    says: "takes away everything of a kind",
  },
  {
    all: [Sense.destroy, Sense.work, Sense.regardless | Sense.unasked | Sense.conceal],
    none: Sense.consent,
    says: "takes away what the user works with",
  },
];

export const attackDestructiveRule = defineAttackRule({
  id: "attack.destructive",
  level: "error",
  why: "An agent that follows a skill doesn't stop to think whether this time something valuable lies there.",
  example: "`rm -rf ~/`",
  hint: "Say what exactly is removed, and let the user decide at that moment.",
  attacks: ATTACKS,
  statements: STATEMENTS,
});
