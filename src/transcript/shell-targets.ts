/** What the usual commands that change files write, from their operands. */

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

/** The value of a one-letter option that stands right behind it (`-O.qwen/a`), when it is plainly a path. */
function attached(operands: readonly string[], letter: string): string | undefined {
  const pattern = new RegExp(`^-[A-Za-z]*?${letter}([./~$\\\\].*)$`, "s");
  for (const operand of operands) {
    const value = pattern.exec(operand)?.[1];
    if (value !== undefined) return value;
  }
  return undefined;
}

function listed(...paths: (string | undefined)[]): string[] {
  return paths.filter((path) => path !== undefined && path !== "") as string[];
}

const everyOperand: Targets = plain;
const firstOperand: Targets = (operands) => plain(operands).slice(0, 1);

/** With its content: a name without an extension may be a folder. */
export function whole(path: string): string {
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
  if (!isRecursive(operands)) return [target];
  const sources = paths.filter((path) => path !== target);
  // The content of a folder, and a hidden folder with its content, may be anything.
  const isOpen = sources.some((source) => /(?:^|[/\\])(?:\.{0,2}|\*)$/.test(source));
  const hidden = sources.flatMap(
    (source) => /(?:^|[/\\])(\.\w[^/\\]*)[/\\]*$/.exec(source)?.[1] ?? [],
  );
  return [
    isOpen ? whole(target) : target,
    ...landingPlaces(target, sources),
    ...hidden.map((name) => `${target}/${name}/**`),
  ];
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
  const wholes = (paths: readonly string[]) => paths.map((path) => whole(prefix(path)));
  if (verb === "checkout") return wholes(checkedOut(rest));
  if (verb === "clone") return wholes(clonedTo(rest));
  if (verb === "worktree" && rest[0] === "add") return wholes(plain(rest.slice(1)).slice(0, 1));
  if (verb === "restore" || verb === "rm" || verb === "clean") return wholes(plain(rest));
  return verb === "mv" ? moveTargets(rest).map(prefix) : [];
};

/** What `git checkout` overwrites: behind `--`; else what isn't the branch or commit before it. */
function checkedOut(operands: readonly string[]): readonly string[] {
  const end = operands.indexOf("--");
  if (end !== -1) return operands.slice(end + 1);
  if (operands.some((operand) => /^(?:-[bBt]|--(?:orphan|track|detach))$/.test(operand))) return [];
  const [first = "", ...others] = plain(operands);
  return /^\.|\/\.|[*]/.test(first) ? [first, ...others] : others;
}

function clonedTo(operands: readonly string[]): string[] {
  const last = plain(operands).at(-1) ?? "";
  const isAddress = /:\/\/|^[\w.-]+@[\w.-]+:/.test(last);
  const name = last.split(/[/:]/).findLast((part) => part !== "") ?? "";
  return listed(isAddress ? name.replace(/\.git$/, "") : last);
}

/** awk's own redirections: `print > "file"`. With `-i inplace` it edits its files. */
const awkTargets: Targets = (operands) => {
  const printed = operands.flatMap((operand) =>
    [...operand.matchAll(/>[ \t]*"([^"\n]+)"/g)].map((match) => match[1]),
  );
  return listed(...printed, ...(operands.includes("inplace") ? plain(operands) : []));
};

const patchTargets: Targets = (operands) => {
  const folder = option(operands, /^(?:-d|--directory)$/);
  return listed(
    plain(operands)[0],
    option(operands, /^(?:-o|--output)$/),
    folder === undefined ? undefined : whole(folder),
  );
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
  ["tee touch mkdir truncate shred sponge md ni chmod unlink ed ex vi vim nvim", everyOperand],
  ["rm", removed],
  ["rmdir rd del erase trash", removedWhole],
  ["cp ln install rsync scp copy xcopy robocopy link", copyTarget],
  ["mv move ren rename", moveTargets],
  ["sed gsed", editedInPlace],
  ["find", foundAndChanged],
  ["git", gitTargets],
  ["dd", (operands) => listed(option(operands, /^of$/))],
  [
    "curl",
    (operands) =>
      listed(
        option(operands, /^(?:-\w*o|--output)$/),
        option(operands, /^--output-dir$/),
        attached(operands, "o"),
      ),
  ],
  [
    "wget",
    (operands) =>
      listed(
        option(operands, /^(?:-\w*O|--output-document)$/),
        option(operands, /^(?:-\w*P|--directory-prefix)$/),
        attached(operands, "[OP]"),
      ),
  ],
  ["sort", (operands) => listed(option(operands, /^(?:-\w*o|--output)$/), attached(operands, "o"))],
  ["split csplit", (operands) => plain(operands).slice(1)],
  ["awk gawk mawk nawk", awkTargets],
  ["patch", patchTargets],
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
