/**
 * The door of the command line. Built as CommonJS, because that starts faster. An agent waits for
 * `skillpr hook`, so that word alone leads to a small file of its own; everything else is parsed,
 * and loaded when it is needed.
 */
const [, cli = "", ...words] = process.argv;

if (words.length === 1 && words[0] === "hook") {
  import("./hook/hook.ts").then(({ runHook }) => runHook({ repo: null, cli, env: process.env }));
} else {
  import("./cli/command-line.ts").then(({ runCommandLine }) => runCommandLine());
}
