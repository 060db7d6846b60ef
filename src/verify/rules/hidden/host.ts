import { domainToUnicode } from "node:url";
import { CONFUSABLES, looksLatin } from "../../content/confusables.ts";
import type { ContentDocument } from "../../content/content-document.ts";
import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import { matchesInSource } from "../../content/match.ts";
import { EVERY_PROFILE, quoted } from "../../rule.ts";

const SCHEME = /\b[a-z][a-z0-9+.-]{1,15}$/i;
/** So much before `://` tells whether a scheme stands there. */
const SCHEME_CHARS = 17;
const AUTHORITY = /[^\s/?#"'<>()`\]|]{1,300}/y;
/** A name with a dot and a letter outside of ASCII, as it stands in text. */
const BARE_HOST =
  /(?<![\p{L}\p{N}.-])[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,6}\.[a-z]{2,12}(?![\p{L}\p{N}-])/giu;
/** The number of an address of IPv4, or its parts other than in decimal: a program connects there all the same. */
const NUMBER_HOST =
  /^(?:\d{8,10}|0x[0-9a-f]{7,8}|0[0-7]{9,12}|(?=.{0,40}(?:^|\.)0[x\d])(?:(?:0x[0-9a-f]{1,8}|\d{1,4})\.){1,3}(?:0x[0-9a-f]{1,8}|\d{1,10}))$/i;
/** A link whose text is an address; in Markdown and in HTML. */
const LINK =
  /\[[`<]?((?:https?:\/\/|www\.)[^\s\]<>`]{1,300})[`>]?\]\(<?(https?:\/\/[^\s()<>]{1,400})|<a\s[^<>]{0,200}?href\s?=\s?["']?(https?:\/\/[^\s"'<>]{1,400})["']?[^<>]{0,200}>\s{0,4}((?:https?:\/\/|www\.)[^\s<>]{1,300})/gi;
const LINK_SHOWS = /(?:[[>]|[[>][`<])(?:https?:\/\/|www\.)/i;
const NOT_ASCII = /[^\x20-\x7e\n\t]/;
const FOREIGN_LETTER = /(?![A-Za-z])\p{L}/u;

export const hiddenHostRule = defineContentRule({
  id: "hidden.host",
  level: "error",
  why: "A host name can be spelled so that a person reads another one than a program connects to.",
  example: "`https://gіthub.com` with a Cyrillic `і`",
  profiles: EVERY_PROFILE,
  *find(document): Iterable<ContentDetail> {
    const { text } = document;
    const seen = new Set<number>();
    for (const { authority, start } of authorities(text)) {
      seen.add(start);
      yield* judged(authority, start);
    }
    for (const match of foreignWords(text)) {
      if (seen.has(match.index) || !isDeceiving(match[0])) continue;
      yield deceiving(match[0], match.index);
    }
    if (LINK_SHOWS.test(text)) yield* otherLinks(document);
  },
});

/** What stands behind the `://` of addresses, in order; to look for their schemes would be to try every word. */
function* authorities(text: string): Iterable<{ authority: string; start: number }> {
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 3)) {
    if (!SCHEME.test(text.slice(Math.max(0, at - SCHEME_CHARS), at))) continue;
    AUTHORITY.lastIndex = at + 3;
    const authority = AUTHORITY.exec(text)?.[0];
    if (authority !== undefined) yield { authority, start: at + 3 };
  }
}

/** Links that show one host and lead to another. */
function* otherLinks(document: ContentDocument): Iterable<ContentDetail> {
  for (const needle of ["](", "<"]) {
    for (const { match, start, end, isInCodeSpan } of matchesInSource(document, LINK, needle)) {
      const shown = hostOf(match[1] ?? match[4] ?? "");
      const meant = hostOf(match[2] ?? match[3] ?? "");
      if (isInCodeSpan || (needle === "](") !== match[0].startsWith("[")) continue;
      if (shown === null || meant === null || areRelated(shown, meant)) continue;
      yield {
        start,
        end,
        says: `shows an address of ${quoted(shown)} and leads to ${quoted(meant)}`,
        hint: "Show the address that the link leads to.",
        level: "warning",
      };
    }
  }
}

/** The name of a host with a dot; null for those of one's own machine. */
function hostOf(address: string): string | null {
  const host = /^(?:https?:\/\/)?(?:[^\s/?#@]{0,100}@)?([^\s/?#:@]{1,253})/i.exec(address)?.[1];
  const name = host?.toLowerCase().replace(/^www\./, "") ?? "";
  return /\.[a-z][a-z0-9-]{1,}$/.test(name) ? name : null;
}

/** Of one owner, by all looks: the last two labels are the same. */
function areRelated(one: string, other: string): boolean {
  const owner = (name: string) => name.split(".").slice(-2).join(".");
  return owner(one) === owner(other);
}

/** Names with a dot and a letter outside of ASCII; only lines with such a letter are looked at. */
function* foreignWords(text: string): Iterable<{ index: number; 0: string }> {
  let start = 0;
  for (const line of NOT_ASCII.test(text) ? text.split("\n") : []) {
    if (FOREIGN_LETTER.test(line)) {
      for (const match of line.matchAll(BARE_HOST)) {
        if (FOREIGN_LETTER.test(match[0])) yield { index: start + match.index, 0: match[0] };
      }
    }
    start += line.length + 1;
  }
}

function* judged(authority: string, start: number): Iterable<ContentDetail> {
  const at = authority.lastIndexOf("@");
  const name = authority.slice(at + 1).replace(/:\d{0,5}$/, "");
  const shownFirst = authority.slice(0, Math.max(0, at)).split(":")[0] ?? "";
  if (at > 0 && /\.[a-z]{2,12}$/i.test(shownFirst)) {
    yield {
      start,
      end: start + authority.length,
      says: `looks like an address of ${quoted(shownFirst)} and leads to ${quoted(name)}`,
      hint: "Write the address without a name before the `@`.",
    };
  } else if (NUMBER_HOST.test(name)) {
    yield {
      start: start + at + 1,
      end: start + at + 1 + name.length,
      says: "is the address of a host as a number, which nobody recognises",
      hint: "Write the name of the host, or the four decimal numbers of its address.",
    };
  } else if (isDeceiving(name)) yield deceiving(name, start + at + 1);
  else if (NOT_ASCII.test(name) || /(?:^|\.)xn--/i.test(name)) {
    const spelled = domainToUnicode(name.toLowerCase());
    if (isDeceiving(spelled)) yield deceiving(name, start + at + 1);
    else {
      yield {
        start: start + at + 1,
        end: start + at + 1 + name.length,
        says: "is a host name with letters outside of ASCII",
        hint: "Check that it is the host that is meant.",
        level: "warning",
      };
    }
  }
}

function deceiving(name: string, start: number): ContentDetail {
  const ascii = [...name].map((letter) => CONFUSABLES.get(letter) ?? letter).join("");
  return {
    start,
    end: start + name.length,
    says: `is a host name that looks like ${quoted(ascii.normalize("NFKC"))} and is another`,
    hint: "Write the host name that is meant, in ASCII.",
  };
}

/** A label that mixes scripts with Latin, or that has no letter but look-alikes, or that is no plain spelling. */
function isDeceiving(name: string): boolean {
  return name.split(".").some((label) => {
    if (!NOT_ASCII.test(label)) return false;
    if (label.normalize("NFKC") !== label.normalize("NFC")) return true;
    const letters = [...label].filter((letter) => /\p{L}/u.test(letter));
    const lookalikes = letters.filter(looksLatin).length;
    return lookalikes > 0 && letters.every((each) => looksLatin(each) || /[a-z]/i.test(each));
  });
}
