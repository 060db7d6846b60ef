import { defineConfig } from "vitest/config";

// Not part of `npm test`: it needs the real Qwen Code (see scripts/test-qwen.mjs).
export default defineConfig({
  test: {
    include: ["test/qwen/**/*.test.ts"],
    // Steps have their own, shorter patience and say what they waited for.
    testTimeout: 1_800_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
