import { Unreadable } from '../read/parsed.ts';
import { read } from '../read/read.ts';
import { serve } from './rpc.ts';

/** What could not be read comes back as a value: an error would lose its class on the way. */
serve({
  read: async ({ bytes, path }: { bytes: Uint8Array; path: string }) => {
    try {
      return { parsed: await read(bytes, path) };
    } catch (error) {
      if (error instanceof Unreadable) return { why: error.message };
      throw error;
    }
  },
});
