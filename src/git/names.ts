/**
 * Checks on what goes into git's argument lists. Callers build ids and ref names themselves, so
 * anything else is a bug: these throw plain errors.
 */

/** @throws Error unless `id` is a whole object id in lower-case hex */
export function requireId(id: string): void {
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id)) throw new Error(`not an object id: ${id}`);
}

/** @throws Error unless `name` is a full ref name, or a prefix of one that ends in `/` */
export function requireRefName(name: string): void {
  // Glob characters would make for-each-ref match more than the name.
  if (!/^refs\/[^\p{Cc} *?[\\^~:]+$/u.test(name) || name.includes("..")) {
    throw new Error(`not a full ref name: ${name}`);
  }
}
