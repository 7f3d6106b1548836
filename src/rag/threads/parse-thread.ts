import { type Parsed, Unreadable, type UnreadableReason } from '../read/parsed.ts';
import { read } from '../read/read.ts';
import { serve } from './rpc.ts';

export interface ParseRequest {
  readonly bytes: Uint8Array;
  readonly path: string;
  /** See `read`. */
  readonly from?: number | undefined;
}

/** A failure is returned as a value: an error would lose its class on its way between threads and processes. */
export type ParseResult = { readonly parsed: Parsed } | { readonly why: string; readonly reason: UnreadableReason };

serve({
  read: async ({ bytes, path, from }: ParseRequest): Promise<ParseResult> => {
    try {
      return { parsed: await read(bytes, path, from) };
    } catch (error) {
      if (error instanceof Unreadable) return { why: error.message, reason: error.reason };
      throw error;
    }
  },
});
