import type { RagOptions } from './types.ts';

/** What every setting of this room is when nobody set it. */
export const RAG_DEFAULTS: RagOptions = {
  chunkWords: 200,
  maxFileMb: 50,
  parseTimeoutMs: 60_000,
  vectorIndex: 'auto',
  rerank: 'none',
  rerankTimeoutMs: 15_000,
};
