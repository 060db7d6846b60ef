import { type Attack, pattern, upTo } from "../../content/attack.ts";
import { defineAttackRule } from "../../content/attack-rule.ts";
import { Sense } from "../../content/senses.ts";
import type { Statement } from "../../content/statements.ts";

const ATTACKS: readonly Attack[] = [
  {
    pattern:
      /\b(?:pbpaste|xclip -o|xsel (?:-o|-b|--output)|wl-paste|get-clipboard|pyperclip\.paste|navigator\.clipboard\.read\w{0,4})\b/g,
    needles: ["pbpaste", "xclip", "xsel", "wl-paste", "clipboard", "pyperclip"],
    says: "reads the user's clipboard",
  },
  {
    pattern: pattern(
      "\\b(?:corelocation|cllocationmanager|navigator\\.geolocation|ipinfo\\.io|ip-api\\.com|ipapi\\.co|ifconfig\\.me|icanhazip|api\\.ipify|whereami|(?:fetch|get|track|record|determine|obtain|include|collect|log)(?:s|ing)?",
      upTo(4),
      "(?:current |precise |exact |gps |physical |user'?s? |geo)(?:location|coordinates|position|whereabouts)(?: data)?|location data)\\b",
    ),
    needles: [
      "location",
      "coordinates",
      "position",
      "whereabouts",
      "ipinfo",
      "ip-api",
      "ipapi",
      "ifconfig.me",
      "icanhazip",
      "ipify",
      "whereami",
    ],
    says: "finds out where the user is",
  },
  {
    pattern:
      /\b(?:screencapture|imagegrab\.grab|pyautogui\.screenshot|mss\.mss|gnome-screenshot|scrot\b|pynput|keylog\w{0,6}|cv2\.videocapture\(0\)|arecord\b|sounddevice\.rec|ffmpeg [^\n]{0,60}-f (?:avfoundation|x11grab|pulse|alsa))/g,
    needles: [
      "screen",
      "imagegrab",
      "pyautogui",
      "mss",
      "scrot",
      "pynput",
      "keylog",
      "cv2",
      "arecord",
      "sounddevice",
      "ffmpeg",
    ],
    says: "watches or listens to the user",
  },
  {
    pattern:
      /(?:google-chrome|chrome|chromium|firefox|safari|brave|edge)[\w/. -]{0,60}\/(?:history|cookies|places\.sqlite|bookmarks)\b|\b(?:read|get|collect|extract|export|scan)(?:s|ing)?(?: [a-z']{1,12}){0,4} (?:browser (?:history|cookies|passwords|bookmarks)|browsing history|address book|all contacts|contact list|private messages|chat history|conversation history)/g,
    needles: [
      "history",
      "cookies",
      "places.sqlite",
      "bookmarks",
      "passwords",
      "address book",
      "contact",
      "messages",
    ],
    says: "reads what is private to the user",
  },
  {
    pattern:
      /\b(?:card|cvv|cvc|credit card|payment|iban|ssn|passport)[\w ()[\].,'"=]{0,40}(?:\.txt|\.log|\.csv)\b|\bopen\(["'][\w./-]{0,40}(?:card|payment|customer|patient|password|secret|token)\w{0,30}\.(?:txt|log|csv|json)["'], ?["'][aw]/g,
    says: "keeps private data in a plain file",
  },
  {
    pattern:
      /\b(?:profile|picture|dossier|record|file|notes?) (?:of|on|about) (?:the|each|every|this) (?:users?|customers?|person|people|colleagues?)\b|\b(?:interests|habits|mood|political views|religion|health|salary|relationships?|weaknesses)\b[^.;!?\n]{0,60}\b(?:user|colleagues?|person|people|customer|employee)s?\b|\b(?:read|extract|take|get|list)\b[^.;!?\n]{0,40}\bcoordinates\b[^.;!?\n]{0,60}\b(?:pictures?|photos?|images?|person|people)\b|\b(?:leave|keep)\b[^.;!?\n]{0,20}\b(?:names|personal data|identifiers)\b[^.;!?\n]{0,20}\bin\b/g,
    needles: [
      "profile",
      "picture",
      "dossier",
      "record",
      "file",
      "note",
      "interests",
      "habits",
      "mood",
      "political",
      "religion",
      "health",
      "salary",
      "relationship",
      "weakness",
      "coordinates",
      "names",
      "personal data",
      "identifiers",
    ],
    says: "gathers what is private to people",
    level: "warning",
    isProse: true,
  },
  {
    pattern:
      /\b(?:turn|switch|activat|enabl|start|open|us|leav|keep)(?:e|es|s|ing)?(?: on)?\b[^.;!?\n]{0,30}\b(?:microphones?|webcams?|(?:the |user's )cameras?|screen recordings?|key ?loggers?|voice recorders?)\b|\b(?:listen|eavesdrop|spy|snoop)(?:s|ing)? (?:in|on|to)\b[^.;!?\n]{0,40}\b(?:calls?|meetings?|conversations?|room|users?|colleagues?)\b|\b(?:who (?:meets|talks to|works with|reports to|knows) whom?|what (?:they|he|she|the users?) (?:says?|earns?|thinks?|buys?|types?|likes?)|is said)\b[^.;!?\n]{0,60}/g,
    needles: [
      "microphone",
      "webcam",
      "camera",
      "screen recording",
      "logger",
      "recorder",
      "listen",
      "eavesdrop",
      "spy",
      "snoop",
      "who ",
      "what ",
      "is said",
    ],
    says: "watches or listens to people",
    level: "warning",
    isProse: true,
    judge: ([text]) =>
      !/^(?:what|is said)/.test(text) ||
      /\b(?:to|into|for|in) (?:the |an? |our )?(?:partner|vendor|author|archive|log|file|server|sheet|sponsor)/.test(
        text,
      ),
  },
  {
    pattern:
      /\bclipboard\b[^.;!?\n]{0,60}\b(?:every|each|poll\w{0,3}|loop|continuous\w{0,2}|log|watch\w{0,3}|monitor\w{0,3})\b|\b(?:poll\w{0,3}|loop|watch\w{0,3}|monitor\w{0,3}|log(?:s|ging)?)\b[^.;!?\n]{0,30}\bclipboard\b/g,
    needles: ["clipboard"],
    says: "reads the user's clipboard",
    level: "warning",
    isProse: true,
  },
  {
    pattern:
      /\b(?:log|save|store|record|append|keep)(?:s|ing)?\b[^.;!?\n]{0,30}\b(?:all|every|each|any|full|entire|complete|whole)\b[^.;!?\n]{0,40}\b(?:user (?:quer(?:y|ies)|inputs?|prompts?|messages?|requests?)|prompts?|conversations?|interactions?|chats?|card|payments?|patients?|personal)\b[^.;!?\n]{0,60}\b(?:to|in|into|at|under)\b/g,
    needles: ["log", "save", "saving", "store", "storing", "record", "append", "keep"],
    says: "keeps what is private to people",
    level: "warning",
    isProse: true,
  },
];

/** Sentences of the kind, in whatever words. */
const STATEMENTS: readonly Statement[] = [
  {
    all: [Sense.collect, Sense.personal, Sense.plant],
    any:
      Sense.all | Sense.standing | Sense.regardless | Sense.unasked | Sense.conceal | Sense.people,
    none: Sense.consent,
    says: "keeps what is private to people",
  },
  {
    all: [Sense.collect, Sense.personal, Sense.all | Sense.standing | Sense.unasked],
    none: Sense.consent,
    says: "gathers what is private to people",
  },
];

export const attackPrivateDataRule = defineAttackRule({
  id: "attack.private-data",
  level: "warning",
  why: "Clipboard, location, camera, contacts and payments are no part of a developer's procedure, and an attacker's favourite.",
  example: "`pbpaste > cp.txt`",
  hint: "Remove it unless the skill is about just that; then say what for.",
  attacks: ATTACKS,
  statements: STATEMENTS,
});
