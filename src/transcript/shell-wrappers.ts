/** Words in front of a command that run it, or that open a block. */

const WRAPPERS = new Set(
  "sudo doas env command builtin exec time nohup nice ionice setsid stdbuf timeout xargs busybox toybox export local declare readonly then do else elif if while until ! {".split(
    " ",
  ),
);

/** Their options that take the next word. */
const VALUED: Readonly<Record<string, RegExp>> = {
  sudo: /^(?:-[ugpCDRTrth]|--(?:user|group|prompt|chdir|chroot|role|type|host))$/,
  doas: /^-[uC]$/,
  env: /^(?:-[uC]|--(?:unset|chdir))$/,
  exec: /^-a$/,
  nice: /^(?:-n|--adjustment)$/,
  ionice: /^-[cn]$/,
  stdbuf: /^(?:-[ioe]|--(?:input|output|error))$/,
  timeout: /^(?:-[sk]|--(?:signal|kill-after))$/,
  xargs: /^(?:-[IJLPRSadEns]|--(?:max-args|max-procs|max-lines|arg-file|delimiter|replace))$/,
};

/** Those that change the folder of the command: `env -C DIR`, `sudo --chdir=DIR`. */
const CHANGES_FOLDER: Readonly<Record<string, RegExp>> = {
  env: /^(?:-C|--chdir)$/,
  sudo: /^(?:-D|--chdir)$/,
};

export interface Unwrapped {
  /** From the command's name on. */
  readonly words: readonly string[];
  /** The folder that a wrapper runs the command in; null when it runs where the line does. */
  readonly folder: string | null;
  /** Its operands go on with what it reads (`xargs`). */
  readonly takesInput: boolean;
}

/**
 * The words from the command's name on: assignments before it (noted in `variables`), wrappers
 * such as `sudo` and `env`, and the words of control structures are taken off.
 */
export function unwrapped(words: readonly string[], variables: Map<string, string>): Unwrapped {
  let start = 0;
  let folder: string | null = null;
  let takesInput = false;
  while (start < words.length) {
    const taken = takenOff(words, start, variables);
    if (taken.end === start) break;
    folder = taken.folder ?? folder;
    takesInput ||= words[start]?.toLowerCase() === "xargs";
    start = taken.end;
  }
  const rest = words.slice(start);
  // PowerShell's `$name = value`.
  if (rest[1] === "=" && rest[0]?.startsWith("$")) variables.set(rest[0].slice(1), rest[2] ?? "");
  return { words: rest, folder, takesInput };
}

/** Index behind an assignment, or a wrapper with its options, at `start`; `start` when it is neither. */
function takenOff(
  words: readonly string[],
  start: number,
  variables: Map<string, string>,
): { end: number; folder: string | null } {
  const word = words[start] ?? "";
  const assignment = /^\$?(\w+)\+?=(.*)$/s.exec(word);
  if (assignment !== null) {
    variables.set(assignment[1] ?? "", assignment[2] ?? "");
    return { end: start + 1, folder: null };
  }
  const name = (word.split("/").at(-1) ?? "").toLowerCase();
  if (!WRAPPERS.has(name)) return { end: start, folder: null };
  let folder: string | null = null;
  let end = start + 1;
  while (/^(?:-|\{\}$|\d+(?:\.\d+)?[smhd]?$)/.test(words[end] ?? "")) {
    const [option = "", attached] = (words[end] ?? "").split(/=(.*)/s, 2);
    const takesNext = attached === undefined && VALUED[name]?.test(option) === true;
    if (CHANGES_FOLDER[name]?.test(option) === true) folder = attached ?? words[end + 1] ?? null;
    end += takesNext ? 2 : 1;
  }
  return { end: Math.min(end, words.length), folder };
}
