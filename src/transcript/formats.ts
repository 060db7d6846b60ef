import type { TranscriptFormat } from "./adapter.ts";
import { claudeCode } from "./adapters/claude-code.ts";
import { claudeHeadless, qwenHeadless } from "./adapters/headless.ts";
import { openaiMessages } from "./adapters/openai-messages.ts";
import { qwenChat } from "./adapters/qwen-chat.ts";

/** The transcript formats that are read, tried in this order. */
export const FORMATS: readonly TranscriptFormat[] = [
  qwenChat,
  qwenHeadless,
  claudeHeadless,
  claudeCode,
  openaiMessages,
];
