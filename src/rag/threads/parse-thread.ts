import { type Parsed, Unreadable } from '../read/parsed.ts';
import { read } from '../read/read.ts';
import { serve } from './rpc.ts';

export interface ParseRequest {
  readonly bytes: Uint8Array;
  readonly path: string;
}

/** What could not be read comes back as a value: an error would lose its class on the way. */
export type Found = { readonly parsed: Parsed } | { readonly why: string };

serve({
  read: async ({ bytes, path }: ParseRequest): Promise<Found> => {
    try {
      return { parsed: await read(bytes, path) };
    } catch (error) {
      if (error instanceof Unreadable) return { why: error.message };
      throw error;
    }
  },
});
