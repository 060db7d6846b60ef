/** Forms of secrets that are told by where they stand: what a command, a statement or a prompt is given. */
import { isWords } from "./secret-value.ts";

/** A secret that is told by what stands around it. */
export interface Form {
  readonly rule: string;
  readonly words: readonly string[];
  /** Sticky, where one of the words stands; its last group is the secret. */
  readonly pattern: RegExp;
  /** How far before the word the pattern begins: with the line, or so many characters. */
  readonly isOfLine?: boolean;
  readonly before?: number;
  readonly accepts?: (secret: string) => boolean;
}

const inBothCases = (...words: string[]) => [...words, ...words.map((word) => word.toLowerCase())];

/** What is sent may be an answer or a command: a password has digits or signs, and is no words. */
const isNoCommand = (sent: string) => /\d|[^\w.:/-]/.test(sent) && !isWords(sent);

export const TYPED_FORMS: readonly Form[] = [
  {
    rule: "password",
    words: ["IDENTIFIED "],
    pattern:
      /IDENTIFIED (?:WITH \S{1,64} )?(?:BY|AS) (?:PASSWORD )?\\{0,7}["']([^\s"'\\]{4,256})\\{0,7}["']/dy,
  },
  {
    rule: "password",
    words: ["identified "],
    pattern:
      /identified (?:with \S{1,64} )?by (?:password )?\\{0,7}["']([^\s"'\\]{4,256})\\{0,7}["']/dy,
    // Prose says so too.
    accepts: isNoCommand,
  },
  {
    rule: "password",
    words: inBothCases("WITH PASSWORD ", "ENCRYPTED PASSWORD ", "LOGIN PASSWORD "),
    pattern: /(?:WITH|ENCRYPTED|LOGIN) PASSWORD '([^\s'\\]{4,256})'/diy,
  },
  {
    rule: "password",
    words: ["htpasswd -"],
    pattern:
      /htpasswd (?=(?:-\w{1,16} ){0,8}-\w{0,16}b)(?:-(?!\w{0,16}n)\w{1,16} (?:\d{1,2} )?){1,8}[^\s-]\S{0,256} \S{1,128} \\{0,7}["']?([^\s"'$\\]{4,256})/dy,
  },
  {
    rule: "password",
    words: ["htpasswd -"],
    pattern:
      /htpasswd (?=(?:-\w{1,16} ){0,8}-\w{0,16}b)(?=(?:-\w{1,16} ){0,8}-\w{0,16}n)(?:-\w{1,16} (?:\d{1,2} )?){1,8}[^\s-]\S{0,127} \\{0,7}["']?([^\s"'$\\]{4,256})/dy,
  },
  {
    rule: "password",
    words: ["net use "],
    pattern:
      /net use [^\n]{1,200}? \/user:[^\s"']{1,128} (?!\/)\\{0,7}["']?([^\s"'$%\\*]{4,128})/diy,
  },
  {
    rule: "password",
    words: ["net use "],
    pattern:
      /net use (?:[A-Z]: |\* )?\\\\[^\s"']{1,200} \\{0,7}["']?([^\s"'$%\\*/]{4,128})\\{0,7}["']? \/user:/diy,
  },
  {
    rule: "password",
    words: ["nmcli "],
    pattern:
      /nmcli [^\n|;&]{1,200}? (?:password|(?:802-11-wireless-security|wifi-sec)\.psk) \\{0,7}["']?([^\s"'$\\]{8,64})/dy,
  },
  {
    rule: "password",
    words: ["sudo -S"],
    isOfLine: true,
    pattern:
      /(?:.{0,400}?\b(?:echo|printf)(?: -\w{1,4})?|\\{0,7}["']) \\{0,7}["']?([^\s"'$\\|]{4,128})(?:\\{1,4}n)?\\{0,7}["']? {0,4}\| {0,4}sudo -S/dy,
  },
  {
    rule: "password",
    words: ["chpasswd"],
    isOfLine: true,
    pattern:
      /.{0,400}?\b(?:echo|printf)(?: -\w{1,4})? \\{0,7}["']?[\w.-]{1,32}:([^\s"'$\\|]{4,128})(?:\\{1,4}n)?\\{0,7}["']? {0,4}\| {0,4}(?:sudo (?:-\w{1,4} )?)?chpasswd/dy,
  },
  {
    rule: "password",
    words: ['send "', 'send \\"', "send -- "],
    pattern: /send (?:-- )?\\{0,7}"([^\s"'\\$[\]{}]{6,128})\\{1,8}[rn]\\{0,7}"/dy,
    accepts: isNoCommand,
  },
  {
    rule: "assigned-secret",
    words: ["gh secret set "],
    pattern:
      /gh secret set [^\n|;&]{1,200}?(?:--body|-b)[ =]\\{0,7}["']?([^\s"'$\\<(-][^\s"'$\\]{3,1024})/dy,
  },
  {
    rule: "vendor-token",
    words: [".atlasv1."],
    before: 14,
    pattern: /([A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70})(?![\w-])/dy,
  },
];
