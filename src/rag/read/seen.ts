import { z } from 'zod';
import type { Seen } from './parsed.ts';

/** Under this name a passage's metadata say how it was read from a picture. */
export const SEEN = 'seen';
/** What was read with less confidence may be wrong. Chosen with `bench/pictures`. */
export const SURE = 85;

const share = z.number().min(0).max(1);
const seenSchema = z.object({ boxes: z.array(z.tuple([share, share, share, share])), confidence: z.number() });

/** How a passage was read from a picture; undefined if it was not. */
export function seenIn(metadata: Readonly<Record<string, unknown>> | undefined): Seen | undefined {
  return seenSchema.safeParse(metadata?.[SEEN]).data;
}

/** Whether figures in it may not be what stands in the picture. */
export function isUncertain({ confidence }: Seen): boolean {
  return confidence < SURE;
}
