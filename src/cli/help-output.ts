/** Where help is written: a stream of Node's loads all of its network first, a fifth of what `--help` takes. */
import { fstatSync, writeSync } from "node:fs";

const STDOUT = 1;
/** What commander takes where nobody tells it. */
const COLUMNS = 80;

/** In commander's words. */
export interface HelpOutput {
  readonly writeOut: (text: string) => void;
  readonly getOutHelpWidth?: () => number;
  readonly getOutHasColors?: () => boolean;
}

/** @param stdout opens Node's stream, for a terminal and for what can't be written at once */
export function helpOutput(stdout: () => NodeJS.WriteStream): HelpOutput {
  const viaStream = (text: string | Buffer) => void stdout().write(text);
  if (!isFileOrPipe()) return { writeOut: viaStream };
  const writeOut = (text: string) => {
    let rest = Buffer.from(text);
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(STDOUT, rest));
    } catch {
      // A full pipe that doesn't block is waited for there; any other failure comes again, and is told.
      viaStream(rest);
    }
  };
  return { writeOut, getOutHelpWidth: () => COLUMNS, getOutHasColors: () => false };
}

function isFileOrPipe(): boolean {
  try {
    const info = fstatSync(STDOUT);
    return info.isFIFO() || info.isFile();
  } catch {
    // It is closed: the stream knows what to do.
    return false;
  }
}
