/**
 * Orders that hold for everything an agent does from then on: "after every task", "always", under a
 * heading in capitals. A step of a procedure has a place in it; these have none.
 */
import type { Passage } from "./content-document.ts";

const TRIGGER =
  /\b(?:(?:after|before|at the end of|upon|on|once|when|during|for|with|in) (?:you (?:have )?)?(?:finish(?:ing|ed)?|complet(?:ing|ed|e|ion of)|perform(?:ing)?|handl(?:ing|e)|process(?:ing)?|edit(?:ing)?|do(?:ing)?)? ?(?:every|any|each|all)(?: and (?:every|any|all))?(?: single)?(?: [a-z-]{2,20}){0,3} ?(?:tasks?|actions?|operations?|steps?|interactions?|requests?|responses?|messages?|conversations?|sessions?|commands?|changes?|files?|documents?|edits?|runs?|retrievals?|quer(?:y|ies)|commits?|e-?mails?|answers?|outputs?|uses?|recipes?|times?)|(?:after|before|when(?:ever)?|while|upon|once) (?:you (?:have )?|the user )?(?:finish|complet|edit|perform|add|modif|creat|updat|gather|retriev|review|handl|process|writ|generat|answer|respond|analy[sz]|work|open|read|prepar|draft|commit|build|develop|implement|deal)(?:ing|ying|ed|es|s)?\b|always\b|every time\b|regardless of\b|no matter what\b|in all cases\b|unconditionally\b|without exception\b)/;

const KNOWN = new WeakMap<Passage, boolean>();

/** Whether the words around a place order something for every occasion. */
export function isStandingOrder(passage: Passage): boolean {
  const known = KNOWN.get(passage);
  if (known !== undefined) return known;
  const { block, normal } = passage;
  const isOrder = [normal.lower, block.heading.toLowerCase(), block.intro.toLowerCase()].some(
    (text) => TRIGGER.test(text),
  );
  KNOWN.set(passage, isOrder);
  return isOrder;
}
