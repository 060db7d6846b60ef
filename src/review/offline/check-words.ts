/** What counts as a check, by the words of a command. */

const OUTPUT_FLAG =
  /^(?:-q|-qq|-v|-vv|-vvv|-s|-x|--quiet|--verbose|--silent|--no-colors?|--colors?(?:=.*)?|--reporters?=.*|--tb=.*|--bail(?:=.*)?|--maxfail=.*|--no-header|--pretty(?:=.*)?|--full-trace|--nocapture|--)$/;

const PACKAGE_MANAGERS = new Set(["npm", "pnpm", "yarn", "bun"]);
/** Scripts that don't end, or that change things instead of checking them. */
const NOT_A_CHECK_SCRIPT =
  /^(?:dev|start|serve|preview|watch|format|fix|install|prepare|release|publish|deploy|clean|migrate|seed)|[:.-](?:watch|fix|dev)$/;
const CHANGES_OR_NEVER_ENDS =
  /^(?:--watch(?:All)?|-w|--fix|--write|--init|--version|--help|-h|-u|--updateSnapshot|--update-snapshots?)$/;
const WRAPPER_SCRIPTS: Readonly<Record<string, string>> = {
  gradlew: "gradle",
  "./gradlew": "gradle",
  "./mvnw": "mvn",
};
const RUNS_BY_ITSELF =
  /^(?:pytest|py\.test|tox|nox|unittest|vitest|jest|mocha|ava|tap|jasmine|tsc|vue-tsc|eslint|flake8|pylint|mypy|pyright|shellcheck|hadolint|yamllint|rspec|phpunit|ctest|make|gmake|ninja|rubocop|golangci-lint|nextest)$/;
/** Interpreters check when they run a file of the project (`node -e`, `python -c` only look). */
const INTERPRETERS: Readonly<Record<string, RegExp>> = {
  node: /^(?:--test|--run(?:=.*)?|[^-].*\.[cm]?[jt]s)$/,
  tsx: /\.[cm]?tsx?$/,
  python: /\.py$/,
  python3: /\.py$/,
  ruby: /\.rb$/,
  php: /\.php$/,
  bash: /\.sh$/,
  sh: /\.sh$/,
};
/** Tools that check only with these words behind them. */
const TOOLS: Readonly<Record<string, RegExp>> = {
  deno: /^(?:test|check|lint|run)$/,
  go: /^(?:test|build|vet|run)$/,
  cargo: /^(?:test|build|check|clippy|run|nextest)$/,
  ruff: /^check$/,
  biome: /^(?:check|ci|lint)$/,
  playwright: /^test$/,
  cypress: /^run$/,
  mvn: /^(?:test|verify|package|compile)$/,
  gradle: /^(?:.*:)?(?:test|build|check|assemble)$/,
  dotnet: /^(?:test|build)$/,
  swift: /^(?:test|build|run)$/,
  bazel: /^(?:test|build)$/,
  zig: /^(?:test|build)$/,
  mix: /^(?:test|compile)$/,
  cabal: /^(?:test|build)$/,
  stack: /^(?:test|build)$/,
  sbt: /^(?:test|compile)$/,
  cmake: /^--build$/,
  rake: /^(?:test|spec)/,
  terraform: /^(?:validate|plan)$/,
  docker: /^build$/,
  helm: /^(?:lint|template)$/,
};

/** `npm run test`, `npm t` → `npm test`; the words of a package manager's check, null for none. */
function packageScript(words: readonly string[]): string[] | null {
  const [program = "", ...args] = words;
  const rest = args.filter((word) => !OUTPUT_FLAG.test(word));
  const first = rest[0] ?? "";
  const script =
    first === "run" || first === "run-script"
      ? rest[1]
      : first === "t" || first === "tst"
        ? "test"
        : first;
  const isRun = first === "run" || first === "run-script";
  const known =
    isRun ||
    /^(?:test|build|lint|check|typecheck|tsc|verify|e2e|jest|vitest|eslint)/.test(script ?? "");
  if (script === undefined || !known || NOT_A_CHECK_SCRIPT.test(script)) return null;
  const name = isRun && script !== "test" ? ["run", script] : [script];
  return [program, ...name, ...rest.slice(isRun ? 2 : 1)];
}

function isCheck(name: string, args: readonly string[]): boolean {
  if (/^\.{1,2}\/.*(?:\.(?:sh|py|[cm]?js|ts|rb)|test|check|build|lint)$/.test(name)) return true;
  const plain = args.find((word) => !word.startsWith("-")) ?? "";
  if (RUNS_BY_ITSELF.test(name)) return !/make$/.test(name) || !NOT_A_CHECK_SCRIPT.test(plain);
  const file = INTERPRETERS[name];
  if (file !== undefined) {
    return !args.some((word) => /^-[cep]$/.test(word)) && args.some((word) => file.test(word));
  }
  const verb = TOOLS[name];
  return verb !== undefined && (verb.test(plain) || verb.test(args[0] ?? ""));
}

/**
 * The words that name a check, output flags dropped; null when the command isn't one.
 *
 * @param words program first, runners and variables dropped
 */
export function checkWords(words: readonly string[]): string[] | null {
  const [program = "", ...args] = words;
  if (args.some((word) => CHANGES_OR_NEVER_ENDS.test(word))) return null;
  if (PACKAGE_MANAGERS.has(program)) return packageScript(words);
  const name = WRAPPER_SCRIPTS[program] ?? program;
  return isCheck(name, args) ? [name, ...args.filter((word) => !OUTPUT_FLAG.test(word))] : null;
}
