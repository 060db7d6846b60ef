/** The seam of the transcripts that are text: Markdown, of which a person reads each line. */
import type { AgentName } from "./session.ts";
import type { SessionBuilder } from "./session-builder.ts";

/** Reads the lines of one file into a builder. */
export interface TextAdapter {
  /** Takes the next line, without its end. Never throws for what a line holds. */
  line(line: string): void;
  /** Called once, after the last line. */
  end(): void;
}

export interface TextFormat {
  /** `aider`: stands in Session.format. */
  readonly name: string;
  readonly agent: AgentName;
  /** For people: what such a file is. */
  readonly label: string;
  /** True when files of this format may hold calls and not a single result. */
  readonly mayOmitResults?: boolean;
  /** @param head the beginning of the file, at most TEXT_HEAD_BYTES, with `\n` between the lines */
  matches(head: string): boolean;
  open(builder: SessionBuilder): TextAdapter;
}
