/** Our own rules: what the scanner library misses, and what needs more context than it looks at. */
import {
  ADDRESS_ANCHORS,
  addressSecrets,
  commandSecrets,
  LOGIN_ANCHORS,
  loginSecrets,
  OPTION_ANCHORS,
  PARAMETER_ANCHORS,
  parameterSecrets,
} from "./address-secrets.ts";
import { type Anchors, type AnchorTables, anchorTables } from "./anchor-tables.ts";
import { AWS_ANCHORS, awsSecrets } from "./aws-secrets.ts";
import { continuedTokens, continuedUnprefixed } from "./continued-tokens.ts";
import { HOME_ANCHORS, type HomeSights, homeUsers } from "./home-users.ts";
import { NAMES } from "./named-secrets.ts";
import { PEM_ANCHORS, pemBlocks } from "./pem-blocks.ts";
import { emails, PRIVATE_IP_ANCHORS, privateAddresses } from "./personal-data.ts";
import {
  PREFIX_ANCHORS,
  providerTokens,
  UNPREFIXED_ANCHORS,
  unprefixedTokens,
} from "./provider-tokens.ts";
import type { SecretRange } from "./secret-range.ts";
import { STORED_ANCHORS, storedSecrets } from "./stored-secrets.ts";
import { TextScanner } from "./text-scanner.ts";

/** What a text says beside its own secrets. */
export interface Sights {
  /** Places where something looked like the beginning of a secret. */
  readonly suspects: number[];
  readonly homes: HomeSights;
  /** Where ids of AWS may be, whose secret may stand in a text beside it. */
  readonly awsIds: number[];
}

export function noSights(names = new Set<string>()): Sights {
  return { suspects: [], homes: { names, bare: [] }, awsIds: [] };
}

/** Whether a text said nothing. */
export function isBlind({ suspects, homes, awsIds }: Sights): boolean {
  return suspects.length === 0 && homes.bare.length === 0 && awsIds.length === 0;
}

interface Rule {
  readonly anchors: Anchors;
  /** @param places where the anchors stand, at least one */
  find(text: string, places: readonly number[], sights: Sights): readonly SecretRange[];
}

type Suspecting = (
  text: string,
  places: readonly number[],
  onSuspect: (at: number) => void,
) => readonly SecretRange[];

function suspecting(anchors: Anchors, find: Suspecting): Rule {
  return {
    anchors,
    find: (text, places, { suspects }) => find(text, places, (at) => suspects.push(at)),
  };
}

/** In this order the first of several that find the same bears the better name. */
const SECRET_RULES: readonly Rule[] = [
  { anchors: PEM_ANCHORS, find: pemBlocks },
  suspecting(PREFIX_ANCHORS, (text, places, onSuspect) => [
    ...continuedTokens(text, places),
    ...providerTokens(text, places, onSuspect),
  ]),
  {
    anchors: UNPREFIXED_ANCHORS,
    find: (text, places) => [
      ...continuedUnprefixed(text, places),
      ...unprefixedTokens(text, places),
    ],
  },
  { anchors: STORED_ANCHORS, find: storedSecrets },
  suspecting(ADDRESS_ANCHORS, addressSecrets),
  { anchors: PARAMETER_ANCHORS, find: parameterSecrets },
  { anchors: LOGIN_ANCHORS, find: loginSecrets },
  { anchors: OPTION_ANCHORS, find: commandSecrets },
  ...NAMES.map(({ anchors, find }) => suspecting(anchors, find)),
  {
    anchors: AWS_ANCHORS,
    find: (text, places, { awsIds }) => {
      awsIds.push(...places.slice(0, 1), ...places.slice(-1));
      return awsSecrets(text, places);
    },
  },
];
/** Behind those, and behind e-mail addresses. */
const PERSONAL_RULES: readonly Rule[] = [
  { anchors: HOME_ANCHORS, find: (text, places, { homes }) => homeUsers(text, places, homes) },
  { anchors: PRIVATE_IP_ANCHORS, find: privateAddresses },
];

/** All of them, in the order of the tables' groups. */
const RULES: readonly Rule[] = [...SECRET_RULES, ...PERSONAL_RULES];

/** Of the table's groups, the prefixes of providers' tokens. */
const PREFIXES = RULES.findIndex(({ anchors }) => anchors === PREFIX_ANCHORS);

/** Secrets that are known, to be found with those that the rules find. */
export type KnownSecrets = Rule;

/** Made at the first use. */
let tables: AnchorTables | null = null;

/** Our own rules, for one set of known secrets. */
export class OwnRules {
  /** Reads the texts that the rules are for. */
  readonly scanner: TextScanner;
  readonly #known: KnownSecrets;

  constructor(known: KnownSecrets) {
    tables ??= anchorTables(RULES.map(({ anchors }) => anchors));
    this.scanner = new TextScanner(tables, known.anchors);
    this.#known = known;
  }

  /** Whether something in the text that the scanner read last begins as a provider's token does. */
  get seesTokenPrefix(): boolean {
    const { hasAnchors, places } = this.scanner;
    return hasAnchors && (places[PREFIXES] ?? []).length > 0;
  }

  /**
   * Every match in the text that the scanner read last; they may overlap. Where they do, the first one
   * bears the better name: a value that is known by its own form comes before one that its name gives away.
   */
  find(text: string, sights: Sights): readonly SecretRange[] {
    const { places, hasAnchors, ats } = this.scanner;
    if (!hasAnchors) return ats.length === 0 ? NOTHING : emails(text, ats);
    const own = places[places.length - 1] as readonly number[];
    const ranges: SecretRange[] = [];
    if (own.length > 0) enter(ranges, this.#known.find(text, own, sights));
    for (let group = 0; group < RULES.length; group += 1) {
      if (group === SECRET_RULES.length && ats.length > 0) enter(ranges, emails(text, ats));
      const list = places[group] as readonly number[];
      if (list.length > 0) enter(ranges, (RULES[group] as Rule).find(text, list, sights));
    }
    return ranges.length === 0 ? NOTHING : ranges;
  }
}

/** One by one: thousands of arguments at once exhaust the stack. */
function enter(ranges: SecretRange[], more: readonly SecretRange[]): void {
  for (const each of more) ranges.push(each);
}

const NOTHING: readonly SecretRange[] = [];
