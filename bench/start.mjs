// How much more than starting Node it takes to see the help.
// usage: npm run bundle && node bench/start.mjs [rounds]
import { execFileSync } from "node:child_process";
import { CLI, compared, environmentOf, inTemporaryHome, inTurns, whenMain } from "./support.mjs";

export function measure({ rounds = 40 } = {}) {
  return inTemporaryHome(async (home) => {
    const env = environmentOf(home);
    const node = (...args) => execFileSync(process.execPath, args, { cwd: home, env });
    const times = await inTurns(
      [
        { name: "node", run: () => void node("-e", "0") },
        { name: "help", run: () => void node(CLI, "--help") },
      ],
      { rounds },
    );
    return [
      compared({
        id: "help",
        what: "`skillpr --help`",
        beside: "`node -e 0`",
        unit: "ms",
        ours: times.help,
        theirs: times.node,
        bar: 1.6,
        rounds,
        how: "Whole processes, from their start to their end.",
      }),
    ];
  });
}

await whenMain(import.meta, measure);
