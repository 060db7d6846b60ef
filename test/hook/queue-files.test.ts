import { describe, expect, test } from "vitest";
import { jobId } from "../../src/hook/queue-files.ts";

describe("jobId", () => {
  test("is the same for a session wherever its transcript lies", () => {
    expect(jobId("s-1", "/a")).toBe(jobId("s-1", "/b"));
    expect(jobId("s-1", "/a")).toMatch(/^[0-9a-f]{16}$/);
  });

  test("a path stands in for a missing session id, and is not taken for one", () => {
    expect(jobId("", "/a")).not.toBe(jobId("", "/b"));
    expect(jobId("", "/a")).not.toBe(jobId("/a", "/a"));
  });

  test("10,000 sessions whose ids differ in one place have 10,000 ids", () => {
    const ids = Array.from({ length: 10_000 }, (_, n) =>
      jobId(`00000000-0000-4000-8000-${String(n).padStart(12, "0")}`, ""),
    );
    expect(new Set(ids).size).toBe(10_000);
  });
});
