/** What a verifier rule says about one place. */
export interface Finding {
  /** Namespaced id: `structure.marker`, `secret.env-value`, `review.incomplete`. */
  readonly rule: string;
  /** `error` refuses the whole review; `warning` is shown to the reviewer. */
  readonly level: "error" | "warning";
  /** Path from the repository's root, as text; null when it is about no single file. */
  readonly path: string | null;
  /** 1-based; null when it is about the whole file. */
  readonly line: number | null;
  /** 1-based, in UTF-16 units; only where a rule knows it. */
  readonly column?: number | undefined;
  /** What is wrong, one sentence. Foreign text in it is cut and escaped. */
  readonly message: string;
  /** What to do, one sentence. */
  readonly hint: string;
}

export function hasError(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.level === "error");
}
