/** How V8 treats a program that is over in seconds. */

/**
 * V8's default is 67,584 bytes of byte code; then it compiles a function anew, with its optimising compiler, beside
 * the program. A command is over before that has paid for itself: to verify 1,000 changed skills took 1.4 × the processor
 * time with the default, 4,000 took 1.5 ×. What runs hot (the lines of a large transcript) is optimised still.
 */
const INTERRUPT_BUDGET = 2_000_000;

/** Megabytes that a thread's heap begins with for what is new: from V8's own one megabyte on it collects garbage all the time. */
const NEW_SPACE_MEGABYTES = 16;

/** The main thread's heap is there already, with one megabyte: it gets to as many in one step instead of four. */
const NEW_SPACE_GROWTH = 16;

/** Several threads that collect garbage stand in the way of those that work: a heap is small here. */
const COLLECTION = "--no-parallel-scavenge";

/**
 * By how much what outlives a collection may grow before the next one, in percent: V8's own factor for large heaps is about 4, and
 * of a million records it leaves a quarter of the memory to garbage.
 */
const GROWTH_PERCENT = 50;

/**
 * From this major version of Node.js on, V8 has a cheap compiler between the two, and other flags; one that it
 * lacks would print an error.
 */
const FIRST_WITH_MAGLEV = 22;

/**
 * For the whole process and its threads; the main thread's heap is there already.
 * @param command what `verify` reads is small, and collecting more often costs it more than it gives; `work` starts git
 *   hundreds of times, and each start costs more the more memory is there
 */
export function optimizeLater(command: string): void {
  if (Number.parseInt(process.versions.node, 10) >= FIRST_WITH_MAGLEV) return;
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`);
  setFlagsFromString(COLLECTION);
  if (command !== "work") {
    setFlagsFromString(`--min-semi-space-size=${NEW_SPACE_MEGABYTES}`);
    setFlagsFromString(`--semi-space-growth-factor=${NEW_SPACE_GROWTH}`);
  }
  if (command !== "verify") setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
