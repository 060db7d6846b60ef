/** Our own rules: what the scanner library misses, and what needs more context than it looks at. */
import { addressSecrets, commandSecrets, parameterSecrets } from "./address-secrets.ts";
import { namedSecrets } from "./named-secrets.ts";
import { pemBlocks } from "./pem-blocks.ts";
import { personalData } from "./personal-data.ts";
import { awsSecrets, providerTokens } from "./provider-tokens.ts";
import type { SecretRange } from "./secret-range.ts";

const NOBODY = () => {};

/**
 * Every match of our own rules in a text; they may overlap. Where they do, the first one bears the
 * better name: a value that is known by its own form comes before one that its name gives away.
 * @param onSuspect is told the places where something looked like the beginning of a secret
 */
export function ownFindings(text: string, onSuspect: (at: number) => void = NOBODY): SecretRange[] {
  return [
    ...pemBlocks(text),
    ...providerTokens(text, onSuspect),
    ...addressSecrets(text, onSuspect),
    ...parameterSecrets(text),
    ...commandSecrets(text),
    ...namedSecrets(text, onSuspect),
    ...awsSecrets(text),
    ...personalData(text),
  ];
}
