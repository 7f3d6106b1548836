import { choice, integer } from '../setting.ts';

export const rag = {
  chunkWords: integer({
    key: 'rag.chunkWords',
    env: 'RAG_CHUNK_WORDS',
    default: 200,
    min: 20,
    max: 2000,
    about: 'Words that a passage of a document has at most; a change reads all files again.',
    without: '200',
  }),
  maxFileMb: integer({
    key: 'rag.maxFileMb',
    env: 'RAG_MAX_FILE_MB',
    default: 50,
    min: 1,
    max: 1000,
    about: 'Larger files are reported and skipped, in MB.',
    without: '50',
  }),
  parseTimeoutMs: integer({
    key: 'rag.parseTimeoutMs',
    env: 'RAG_PARSE_TIMEOUT_MS',
    default: 60_000,
    min: 1000,
    max: 3_600_000,
    about: 'Longest time one file may take to be read, in ms.',
    without: '60000',
  }),
  vectorIndex: choice({
    key: 'rag.vectorIndex',
    env: 'RAG_VECTOR_INDEX',
    values: ['auto', 'exact', 'hnsw'],
    default: 'auto',
    about: 'How vectors are searched: one by one, or by a graph (hnswlib) that is faster for many.',
    without: 'auto: the graph from 20000 vectors on',
  }),
  rerank: choice({
    key: 'rag.rerank',
    env: 'RAG_RERANK',
    values: ['none', 'lexical', 'model'],
    default: 'none',
    about:
      'Whether the best 30 passages are ordered anew: by how close together they hold words of the question, or by the chat model, which gets their text (one more call for each search).',
    without: 'none',
  }),
  rerankTimeoutMs: integer({
    key: 'rag.rerankTimeoutMs',
    env: 'RAG_RERANK_TIMEOUT_MS',
    default: 15_000,
    min: 500,
    max: 50_000,
    about: 'How long the model may take to order passages, in ms; after that they stay in the order of the search.',
    without: '15000',
  }),
};
