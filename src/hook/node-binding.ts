/**
 * What lies below Node's own `net` and `child_process`. Loading these two takes longer than all that
 * the hook does itself, and it needs one handle of each. `process.binding` is there in every version
 * of Node that runs this, but deprecated: whoever asks for a part must manage without it.
 */

/** The parts that are used, as far as they are used; numbers are 0 or a system error's code, negative. */
interface Bindings {
  readonly pipe_wrap: {
    readonly Pipe: new (
      type: 0,
    ) => {
      /** Makes the descriptor's reads and writes say EAGAIN instead of waiting. */
      open(descriptor: number): number;
    };
  };
  readonly process_wrap: {
    readonly Process: new () => {
      spawn(options: {
        readonly file: string;
        readonly args: readonly string[];
        readonly cwd: string;
        readonly envPairs: readonly string[];
        readonly detached: boolean;
        readonly stdio: readonly { readonly type: "ignore" }[];
      }): number;
    };
  };
}

/**
 * @param use what is done with the part
 * @returns true when that worked; false when the documented way has to be gone
 */
export function withBinding<Name extends keyof Bindings>(
  name: Name,
  use: (binding: Bindings[Name]) => number,
): boolean {
  // Pipes and processes are other things on Windows.
  if (process.platform === "win32") return false;
  const { noDeprecation = false } = process;
  try {
    // With `--pending-deprecation` Node would warn on stderr.
    process.noDeprecation = true;
    const host = process as { binding?: (name: Name) => Bindings[Name] };
    return host.binding !== undefined && use(host.binding(name)) === 0;
  } catch {
    return false; // not there any more, or not allowed: whatever it is, there is another way
  } finally {
    process.noDeprecation = noDeprecation;
  }
}
