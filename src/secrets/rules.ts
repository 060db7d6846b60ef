/** Our own rules: what the scanner library misses, and what needs more context than it looks at. */
import {
  ADDRESS_WORDS,
  addressSecrets,
  commandSecrets,
  parameterSecrets,
} from "./address-secrets.ts";
import { anchorSearch } from "./anchors.ts";
import { NAME_WORDS, namedSecrets } from "./named-secrets.ts";
import { pemBlocks } from "./pem-blocks.ts";
import { PERSONAL_WORDS, personalData } from "./personal-data.ts";
import { awsSecrets, providerTokens, TOKEN_WORDS } from "./provider-tokens.ts";
import type { SecretRange } from "./secret-range.ts";

const NOBODY = () => {};

/** Where rules look: each adds its own words. */
const WORDS = {
  ...TOKEN_WORDS,
  ...ADDRESS_WORDS,
  ...NAME_WORDS,
  ...PERSONAL_WORDS,
  privateKey: ["private key"],
} as const;
const anchorsIn = anchorSearch(WORDS);

/**
 * Every match of our own rules in a text; they may overlap. Where they do, the first one bears the
 * better name: a value that is known by its own form comes before one that its name gives away.
 * @param onSuspect is told the places where something looked like the beginning of a secret
 */
export function ownFindings(text: string, onSuspect: (at: number) => void = NOBODY): SecretRange[] {
  const anchors = anchorsIn(text);
  return [
    ...(anchors.privateKey.length > 0 ? pemBlocks(text) : []),
    ...providerTokens(text, anchors, onSuspect),
    ...addressSecrets(text, anchors, onSuspect),
    ...parameterSecrets(text, anchors),
    ...commandSecrets(text, anchors),
    ...namedSecrets(text, anchors, onSuspect),
    ...awsSecrets(text, anchors),
    ...personalData(text, anchors),
  ];
}
