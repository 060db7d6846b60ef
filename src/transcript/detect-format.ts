import type { TranscriptFormat, TranscriptSample } from "./adapter.ts";
import { foreignFormat } from "./foreign-formats.ts";
import { FORMATS } from "./formats.ts";

export type DetectedFormat =
  | { readonly kind: "known"; readonly format: TranscriptFormat }
  | { readonly kind: "foreign"; readonly label: string }
  | { readonly kind: "unknown" };

/**
 * Tells the format of a file from its first records, never from its name. What is certain comes
 * first, then the formats that are recognised but not read, then shapes that many programs write.
 */
export function detectFormat(sample: TranscriptSample): DetectedFormat {
  const certain = FORMATS.find((format) => format.isGeneric !== true && format.matches(sample));
  if (certain !== undefined) return { kind: "known", format: certain };
  const label = foreignFormat(sample);
  if (label !== null) return { kind: "foreign", label };
  const generic = FORMATS.find((format) => format.isGeneric === true && format.matches(sample));
  return generic === undefined ? { kind: "unknown" } : { kind: "known", format: generic };
}
