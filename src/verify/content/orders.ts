/**
 * Speaks to whoever follows the skill, or orders something: text that has no business where a person
 * doesn't see it. On levelled text in lower case.
 */
const ORDER =
  /\b(?:ignore|disregard|override|you (?:must|are|should|will|can|have to)|do not (?:tell|mention|show|ask)|don't (?:tell|mention|show|ask)|agents?|assistants?|ai|llm|language model|system prompt|the user|execute|upload|curl|wget|exfiltrate|eval|secrets?|credentials?|api keys?|passwords?|(?:run|send|read|copy|delete|post|forward|append|install|download) (?:all|any|the|every|this|these|its|your|it)|rm -|sudo|important|instructions?)\b/;

export function holdsOrder(lower: string): boolean {
  return ORDER.test(lower);
}
