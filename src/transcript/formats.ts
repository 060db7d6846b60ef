import type { TranscriptFormat } from "./adapter.ts";
import { anthropicMessages } from "./adapters/anthropic-messages.ts";
import { claudeCode } from "./adapters/claude-code.ts";
import { cline } from "./adapters/cline.ts";
import { codex } from "./adapters/codex.ts";
import { copilot } from "./adapters/copilot.ts";
import { gemini } from "./adapters/gemini.ts";
import { claudeHeadless, qwenHeadless } from "./adapters/headless.ts";
import { openaiMessages } from "./adapters/openai-messages.ts";
import { opencode } from "./adapters/opencode.ts";
import { openclaw, pi } from "./adapters/pi.ts";
import { qwenChat } from "./adapters/qwen-chat.ts";

/** The transcript formats that are read, tried in this order. */
export const FORMATS: readonly TranscriptFormat[] = [
  qwenChat,
  qwenHeadless,
  claudeHeadless,
  claudeCode,
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
