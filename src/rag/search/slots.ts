/** Where the chunks of an index stand: ids to slots, which number the ids of all parts from 0 on. */
export class Slots {
  readonly #parts: readonly { readonly base: number; readonly slotIn: (id: number) => number }[];

  constructor(parts: readonly Uint32Array[]) {
    let base = 0;
    this.#parts = parts.map((ids) => {
      const part = { base, slotIn: isAscending(ids) ? (id: number) => search(ids, id) : lookUp(ids) };
      base += ids.length;
      return part;
    });
  }

  /** -1 when no part has the id. */
  of(id: number): number {
    for (const { base, slotIn } of this.#parts) {
      const slot = slotIn(id);
      if (slot >= 0) return base + slot;
    }
    return -1;
  }
}

function isAscending(ids: Uint32Array): boolean {
  for (let at = 1; at < ids.length; at++) if ((ids[at] as number) <= (ids[at - 1] as number)) return false;
  return true;
}

function lookUp(ids: Uint32Array): (id: number) => number {
  const slots = new Map(Array.from(ids, (id, slot) => [id, slot]));
  return (id) => slots.get(id) ?? -1;
}

function search(ids: Uint32Array, id: number): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] as number) < id) low = middle + 1;
    else high = middle;
  }
  return ids[low] === id ? low : -1;
}
