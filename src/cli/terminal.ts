/** The terminal: colour and a progress line for people, plain text for pipes, `NO_COLOR` and `CI`. */
import spinner, { type Spinner } from "yocto-spinner";
import colors from "yoctocolors";
import { safeBlock, safeJson, safeLine } from "../core/text.ts";

export interface Terminal {
  /** One line of the result, on stdout. */
  readonly line: (text?: string) => void;
  /** The one object that `--json` promises, on stdout. */
  readonly json: (value: unknown) => void;
  /** A warning or a note, on stderr. */
  readonly note: (text: string) => void;
  /** What is happening; the last one replaces the one before, and finish() clears it. */
  readonly step: (text: string) => void;
  readonly finish: () => void;
  readonly paint: Paint;
}

type Colour = (text: string) => string;
export interface Paint {
  readonly bold: Colour;
  readonly dim: Colour;
  readonly green: Colour;
  readonly yellow: Colour;
  readonly red: Colour;
}

const plain: Colour = (text) => text;
const PLAIN: Paint = { bold: plain, dim: plain, green: plain, yellow: plain, red: plain };

export function openTerminal(env: NodeJS.ProcessEnv): Terminal {
  const isPlain = Boolean(env["NO_COLOR"]) || Boolean(env["CI"]) || env["TERM"] === "dumb";
  const hasProgress = process.stderr.isTTY === true && !isPlain;
  const { bold, dim, green, yellow, red } = colors;
  const paint = process.stdout.isTTY && !isPlain ? { bold, dim, green, yellow, red } : PLAIN;
  let progress: Spinner | null = null;
  const finish = () => {
    progress?.stop();
    progress = null;
  };
  const line = (text = "") => {
    finish();
    process.stdout.write(`${text}\n`);
  };
  return {
    line,
    json: (value) => line(safeJson(value)),
    note: (text) => {
      finish();
      process.stderr.write(`${text}\n`);
    },
    step: (text) => {
      if (!hasProgress) return;
      progress ??= spinner({ stream: process.stderr }).start();
      progress.text = safeLine(text);
    },
    finish,
    paint,
  };
}

/** A unified diff with its added and removed lines in colour; foreign text, so escaped first. */
export function paintDiff(diff: string, paint: Paint): string {
  return safeBlock(diff)
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => {
      if (line.startsWith("+")) return paint.green(line);
      if (line.startsWith("-")) return paint.red(line);
      return line.startsWith("@@") || line.startsWith("diff ") ? paint.dim(line) : line;
    })
    .join("\n");
}
