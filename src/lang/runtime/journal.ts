import { z } from 'zod';
import { canonicalJson, sha256 } from '../../base/json.ts';
import type { Provenance } from '../../base/turn.ts';
import { CLEAN } from '../../tools/gate/labels.ts';

/** The answer to the guest: a value, or an error that it throws. */
export type HostReply = { readonly ok: unknown } | { readonly error: Record<string, unknown> };

/** One request of a program to the world outside, by its content. */
const STEP = z.object({
  key: z.string(),
  reply: z.unknown().optional(),
  /** It waits for the owner under this id. */
  proposal: z.string().optional(),
});

type Step = z.infer<typeof STEP>;

const KEPT = z.object({
  steps: z.array(STEP),
  /** What the run had read: its answers may hold any of it. */
  read: z.object({ untrusted: z.boolean(), private: z.boolean(), sources: z.array(z.string()).readonly() }),
});
/** Of a run that was kept before this was noted. */
const UNKNOWN: Provenance = { untrusted: true, private: true, sources: [] };

/**
 * What a program was answered, so that a run which has stopped can go on: it starts again, and gets the same answers to
 * the same requests, the nth to the nth of equal ones. Requests side by side may come in another order.
 */
export class Journal {
  readonly #earlier = new Map<string, Step[]>();
  readonly #steps: Step[] = [];
  /** What the run before had read. */
  readonly read: Provenance;

  /** @param text of the run before, as `kept` gave it. */
  constructor(text?: string) {
    const { steps, read } = text === undefined ? { steps: [], read: CLEAN } : keptIn(JSON.parse(text));
    this.read = read;
    for (const step of steps) this.#earlier.set(step.key, [...(this.#earlier.get(step.key) ?? []), step]);
  }

  /** The answer that the run before got, or what that request waits for; it counts for this run as well. */
  take(op: string, payload: unknown): { readonly reply: HostReply } | { readonly proposal: string } | undefined {
    const step = this.#earlier.get(keyOf(op, payload))?.shift();
    if (step?.proposal !== undefined) return { proposal: step.proposal };
    if (!step) return undefined;
    this.#steps.push(step);
    return { reply: step.reply as HostReply };
  }

  answered(op: string, payload: unknown, reply: HostReply): void {
    this.#steps.push({ key: keyOf(op, payload), reply });
  }

  waits(op: string, payload: unknown, proposal: string): void {
    this.#steps.push({ key: keyOf(op, payload), proposal });
  }

  /** @param read what the run has read until now. */
  kept(read: Provenance): string {
    const left = [...this.#earlier.values()].flat();
    return JSON.stringify({ steps: [...this.#steps, ...left], read } satisfies z.infer<typeof KEPT>);
  }
}

function keptIn(kept: unknown): z.infer<typeof KEPT> {
  const { success, data } = KEPT.safeParse(kept);
  return success ? data : { steps: z.array(STEP).parse(kept), read: UNKNOWN };
}

function keyOf(op: string, payload: unknown): string {
  return sha256(canonicalJson([op, payload ?? null]));
}
