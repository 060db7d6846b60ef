/** A stream of bytes in parts, each of them good until the next one is asked for. */
export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * Looks at the beginning of a stream and lets it decide how the stream is read.
 * @param bytes how much of the beginning is gathered; a shorter stream is gathered whole
 * @param read is given that beginning, and the whole stream with it as the first part
 */
export async function* byHead(
  chunks: Chunks,
  bytes: number,
  read: (head: Uint8Array, whole: AsyncGenerator<Uint8Array>) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const source = gathered(chunks, bytes);
  try {
    const first = await source.next();
    if (first.done === true) return;
    yield* read(first.value, startingWith(first.value, source));
  } finally {
    // Also when the reader gave up before it took the stream: a file must not stay open.
    await source.return(undefined);
  }
}

async function* startingWith(
  first: Uint8Array,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

/** The same stream, its first part at least so long where the stream is. */
async function* gathered(chunks: Chunks, bytes: number): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  let isGathered = false;
  for await (const chunk of chunks) {
    if (isGathered) {
      yield chunk;
      continue;
    }
    size += chunk.length;
    isGathered = size >= bytes;
    if (isGathered) yield waiting.length === 0 ? chunk : Buffer.concat([...waiting, chunk]);
    else waiting.push(Buffer.from(chunk));
    if (isGathered) waiting = [];
  }
  if (!isGathered && size > 0) yield Buffer.concat(waiting);
}
