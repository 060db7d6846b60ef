import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // Real git and whole processes: the built program under load takes a while on two cores.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: "rooms",
          include: ["test/**/*.test.ts"],
          exclude: ["test/e2e/**", "test/cases/**", "test/qwen/**"],
          // It imports JSON in a way that Node itself refuses.
          server: { deps: { inline: ["@actions/workflow-parser"] } },
        },
      },
      // The built command line; `npm test` builds first.
      { extends: true, test: { name: "e2e", include: ["test/e2e/**/*.test.ts"] } },
      // Suites over real sessions and skills, where that folder is there.
      { extends: true, test: { name: "cases", include: ["test/cases/**/*.test.ts"] } },
    ],
  },
});
