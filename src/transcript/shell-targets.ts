/** What the usual commands that change files write, from their operands. */

/** Words that run the command behind them, or open a block; their own options go with them. */
const WRAPPERS = new Set(
  "sudo doas env command builtin exec time nohup nice stdbuf timeout xargs export local declare readonly then do else elif if while until ! {".split(
    " ",
  ),
);

/**
 * The words from the command's name on: assignments before it (noted in `variables`), wrappers
 * such as `sudo` and `env`, and the words of control structures are taken off.
 */
export function unwrapped(words: readonly string[], variables: Map<string, string>): string[] {
  let start = 0;
  while (start < words.length) {
    const end = takenOff(words, start, variables);
    if (end === start) break;
    start = end;
  }
  const rest = words.slice(start);
  // PowerShell's `$name = value`.
  if (rest[1] === "=" && rest[0]?.startsWith("$")) variables.set(rest[0].slice(1), rest[2] ?? "");
  return rest;
}

/** Index behind an assignment, or a wrapper with its options, at `start`; `start` when it is neither. */
function takenOff(words: readonly string[], start: number, variables: Map<string, string>): number {
  const word = words[start] ?? "";
  const assignment = /^\$?(\w+)\+?=(.*)$/s.exec(word);
  if (assignment !== null) {
    variables.set(assignment[1] ?? "", assignment[2] ?? "");
    return start + 1;
  }
  if (!WRAPPERS.has(word.toLowerCase())) return start;
  let end = start + 1;
  while (/^(?:-|\{\}$|\d+[smh]?$)/.test(words[end] ?? "")) end += 1;
  return end;
}

type Targets = (operands: readonly string[]) => string[];

/** Operands that are no options; after `--` everything. */
function plain(operands: readonly string[]): string[] {
  const end = operands.indexOf("--");
  const before = end === -1 ? operands : operands.slice(0, end);
  const after = end === -1 ? [] : operands.slice(end + 1);
  return [...before.filter((operand) => !operand.startsWith("-")), ...after];
}

/** The word behind one of the options (`-t DIR`, `--output=FILE`), or undefined. */
function option(operands: readonly string[], names: RegExp): string | undefined {
  for (const [index, operand] of operands.entries()) {
    const [name = "", value] = operand.split(/=(.*)/s, 2);
    if (names.test(name)) return value ?? operands[index + 1];
  }
  return undefined;
}

function listed(...paths: (string | undefined)[]): string[] {
  return paths.filter((path) => path !== undefined && path !== "") as string[];
}

const everyOperand: Targets = plain;
const firstOperand: Targets = (operands) => plain(operands).slice(0, 1);

/** With its content: a name without an extension may be a folder. */
function whole(path: string): string {
  return /[^/\\]\.\w+$/.test(path) ? path : `${path.replace(/[/\\]$/, "")}/**`;
}

function isRecursive(operands: readonly string[]): boolean {
  return operands.some((operand) => /^-[a-zA-Z]*[rRa]|^--(?:recursive|archive)/.test(operand));
}

const removed: Targets = (operands) =>
  isRecursive(operands) ? plain(operands).map(whole) : plain(operands);
const removedWhole: Targets = (operands) => plain(operands).map(whole);

/** A folder that is copied to a folder lands inside it under its own name. */
function landingPlaces(target: string, sources: readonly string[]): string[] {
  const names = sources.map(
    (source) => source.split(/[/\\]/).findLast((part) => part !== "") ?? "",
  );
  return names.filter((name) => !name.includes(".")).map((name) => `${target}/${name}`);
}

const copyTarget: Targets = (operands) => {
  const paths = plain(operands);
  const folder = option(operands, /^(?:-t|--target-directory)$/);
  const target = folder ?? paths.at(-1);
  if (target === undefined) return [];
  const sources = paths.filter((path) => path !== target);
  return [target, ...(isRecursive(operands) ? landingPlaces(target, sources) : [])];
};

const moveTargets: Targets = (operands) => {
  const [target, ...sources] = [...plain(operands)].reverse();
  if (target === undefined) return [];
  return [...sources.reverse().map(whole), target, ...landingPlaces(target, sources)];
};

/** `sed` without `-i` only prints; its first plain operand is the script. */
const editedInPlace: Targets = (operands) => {
  if (!operands.some((operand) => /^-[a-zA-Z]*i|^--in-place/.test(operand))) return [];
  const isScriptOption = (word = "") => /^(?:-[a-zA-Z]*[ef]|--expression|--file)$/.test(word);
  const files = operands.filter((_, at) => !isScriptOption(operands[at - 1]));
  return plain(files).slice(operands.some(isScriptOption) ? 0 : 1);
};

const foundAndChanged: Targets = (operands) => {
  const acts = /^-(?:delete|fprint)/;
  const runs = operands.findIndex((operand) => /^-(?:exec|execdir|ok)$/.test(operand));
  const changes =
    runs !== -1 && /^(?:rm|mv|sed|tee|cp|touch|truncate)$/.test(operands[runs + 1] ?? "");
  if (!changes && !operands.some((operand) => acts.test(operand))) return [];
  const end = operands.findIndex((operand) => operand.startsWith("-"));
  return operands.slice(0, end === -1 ? undefined : end).map(whole);
};

const gitTargets: Targets = (operands) => {
  const folder = option(operands, /^-C$/);
  const words = folder === undefined ? operands : operands.slice(operands.indexOf("-C") + 2);
  const [verb = "", ...rest] = words.filter((word) => !/^(?:-c|-\w\w+=)/.test(word));
  const prefix = (path: string) => (folder === undefined ? path : `${folder}/${path}`);
  if (verb === "checkout" && !rest.includes("--")) return [];
  if (verb === "checkout")
    return rest.slice(rest.indexOf("--") + 1).map((path) => whole(prefix(path)));
  if (verb === "restore" || verb === "rm" || verb === "clean") {
    return plain(rest).map((path) => whole(prefix(path)));
  }
  return verb === "mv" ? moveTargets(rest).map(prefix) : [];
};

/** PowerShell's cmdlets name their paths, or take them as the first plain operands. */
const cmdletPath: Targets = (operands) =>
  listed(option(operands, /^-(?:Path|LiteralPath|FilePath)$/i) ?? plain(operands)[0]);
const cmdletDestination: Targets = (operands) =>
  listed(option(operands, /^-Destination$/i) ?? plain(operands)[1]);
const cmdletMove: Targets = (operands) => [
  ...cmdletPath(operands).map(whole),
  ...cmdletDestination(operands),
];
const cmdletRemove: Targets = (operands) => cmdletPath(operands).map(whole);

const TABLE: readonly (readonly [string, Targets])[] = [
  ["tee touch mkdir truncate shred sponge md ni chmod unlink", everyOperand],
  ["rm", removed],
  ["rmdir rd del erase trash", removedWhole],
  ["cp ln install rsync scp copy xcopy robocopy link", copyTarget],
  ["mv move ren rename", moveTargets],
  ["sed gsed", editedInPlace],
  ["find", foundAndChanged],
  ["git", gitTargets],
  ["dd", (operands) => listed(option(operands, /^of$/))],
  ["curl", (operands) => listed(option(operands, /^(?:-\w*o|--output|--output-dir)$/))],
  [
    "wget",
    (operands) => listed(option(operands, /^(?:-O|--output-document|-P|--directory-prefix)$/)),
  ],
  ["tar bsdtar", (operands) => listed(option(operands, /^(?:-C|--directory)$/))],
  ["unzip", (operands) => listed(option(operands, /^-d$/))],
  ["set-content add-content out-file clear-content new-item tee-object", cmdletPath],
  ["ac sc", firstOperand],
  ["remove-item ri", cmdletRemove],
  ["copy-item ci cpi", cmdletDestination],
  ["move-item rename-item mi", cmdletMove],
];

const TARGETS: ReadonlyMap<string, Targets> = new Map(
  TABLE.flatMap(([names, targets]) => names.split(" ").map((name) => [name, targets] as const)),
);

/** The paths that a command would write; none when it only reads or isn't known. */
export function commandTargets(name: string, operands: readonly string[]): string[] {
  return TARGETS.get(name)?.(operands) ?? [];
}
