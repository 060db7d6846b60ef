/** A secret in a text. */
export interface SecretRange {
  /** What it is: `github-token`, `private-key`, `credential`, … */
  readonly rule: string;
  /** In UTF-16 units. */
  readonly start: number;
  /** Behind the last. */
  readonly end: number;
}
