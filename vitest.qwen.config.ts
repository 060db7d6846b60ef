import { defineConfig } from "vitest/config";

// Not part of `npm test`: it needs the real Qwen Code (see scripts/test-qwen.mjs).
export default defineConfig({
  test: {
    include: ["test/qwen/**/*.test.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    fileParallelism: false,
  },
});
