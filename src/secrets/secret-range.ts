/** A secret in a text. */
export interface SecretRange {
  /** What it is: `github-token`, `private-key`, `credential`, … */
  readonly rule: string;
  /** In UTF-16 units. */
  readonly start: number;
  /** Behind the last. */
  readonly end: number;
  /** The secret itself, where the text spells it otherwise: escaped, wrapped, encoded. */
  readonly value?: string;
}

/** A range that says what the secret is, however the text spells it. */
export type FoundSecret = Required<SecretRange>;
