import type { TranscriptFormat } from "./adapter.ts";
import { aider } from "./adapters/aider.ts";
import { anthropicMessages } from "./adapters/anthropic-messages.ts";
import { atif } from "./adapters/atif.ts";
import { claudeCode } from "./adapters/claude-code.ts";
import { cline } from "./adapters/cline.ts";
import { codex } from "./adapters/codex.ts";
import { copilot } from "./adapters/copilot.ts";
import { gemini } from "./adapters/gemini.ts";
import { claudeHeadless, qwenHeadless } from "./adapters/headless.ts";
import { hermes } from "./adapters/hermes.ts";
import { openaiMessages } from "./adapters/openai-messages.ts";
import { opencode } from "./adapters/opencode.ts";
import { openhands } from "./adapters/openhands.ts";
import { openclaw, pi } from "./adapters/pi.ts";
import { qwenChat } from "./adapters/qwen-chat.ts";
import { specstory } from "./adapters/specstory.ts";
import { sweAgent } from "./adapters/swe-agent.ts";
import type { TextFormat } from "./text-format.ts";

/** The transcript formats that are read, tried in this order. */
export const FORMATS: readonly TranscriptFormat[] = [
  qwenChat,
  qwenHeadless,
  claudeHeadless,
  claudeCode,
  atif,
  sweAgent,
  openhands,
  hermes,
  codex,
  gemini,
  opencode,
  copilot,
  openclaw,
  pi,
  cline,
  anthropicMessages,
  openaiMessages,
];

/** Those that are text. */
export const TEXT_FORMATS: readonly TextFormat[] = [aider, specstory];

/**
 * The text format that a file begins like, or null; then it is read as JSON.
 * @param head at most TEXT_HEAD_BYTES of it, with `\n` between the lines
 */
export function textFormatOf(head: string): TextFormat | null {
  // A record may quote a history; it doesn't begin with one.
  if (/^\s*[[{]/.test(head)) return null;
  return TEXT_FORMATS.find((format) => format.matches(head)) ?? null;
}
