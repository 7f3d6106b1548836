/**
 * Looks up the document id of a chunk.
 *
 * Three ids must not be confused. A `chunkId` is the row of a chunk in the database. A `docId` is what a search engine
 * calls a document id: the dense number of a chunk in the open index, from 0 on over all segments, valid until the
 * index is opened again. A `documentId` is what people see: the path of a whole document without its extension.
 */
export class DocIds {
  readonly #segments: readonly { readonly base: number; readonly docIdIn: (chunkId: number) => number }[];

  /** @param segments the chunk ids of each segment, in the order of their document ids. */
  constructor(segments: readonly Uint32Array[]) {
    let base = 0;
    this.#segments = segments.map((ids) => {
      // A segment that was written in one go is ascending: binary search needs no memory.
      const segment = { base, docIdIn: isAscending(ids) ? (id: number) => binarySearch(ids, id) : lookUp(ids) };
      base += ids.length;
      return segment;
    });
  }

  /** @returns the document id, or -1 when no segment has the chunk. */
  of(chunkId: number): number {
    for (const { base, docIdIn } of this.#segments) {
      const docId = docIdIn(chunkId);
      if (docId >= 0) return base + docId;
    }
    return -1;
  }
}

function isAscending(ids: Uint32Array): boolean {
  for (let at = 1; at < ids.length; at++) if ((ids[at] as number) <= (ids[at - 1] as number)) return false;
  return true;
}

function lookUp(ids: Uint32Array): (chunkId: number) => number {
  const docIds = new Map(Array.from(ids, (id, docId) => [id, docId]));
  return (id) => docIds.get(id) ?? -1;
}

function binarySearch(ids: Uint32Array, id: number): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] as number) < id) low = middle + 1;
    else high = middle;
  }
  return ids[low] === id ? low : -1;
}
