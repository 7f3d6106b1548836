import type { RagOptions } from './types.ts';

/** The default of every setting. */
export const RAG_DEFAULTS: RagOptions = {
  chunkWords: 200,
  maxFileMb: 50,
  parseTimeoutMs: 60_000,
  pictureLanguages: 'eng+deu',
  exif: false,
  fields: 'form',
  vectorIndex: 'auto',
  vectors: 'own',
  rerank: 'none',
  rerankTimeoutMs: 15_000,
};
