import { choice, integer } from '../setting.ts';

export const rag = {
  chunkWords: integer({
    key: 'rag.chunkWords',
    env: 'RAG_CHUNK_WORDS',
    default: 200,
    min: 20,
    max: 2000,
    about: 'Most words of a passage. After a change, all files are read again.',
    without: '200',
  }),
  maxFileMb: integer({
    key: 'rag.maxFileMb',
    env: 'RAG_MAX_FILE_MB',
    default: 50,
    min: 1,
    max: 1000,
    about: 'Size in MB above which files are reported and skipped.',
    without: '50',
  }),
  parseTimeoutMs: integer({
    key: 'rag.parseTimeoutMs',
    env: 'RAG_PARSE_TIMEOUT_MS',
    default: 60_000,
    min: 1000,
    max: 3_600_000,
    about: 'How long reading one file may take, in ms.',
    without: '60000',
  }),
  vectorIndex: choice({
    key: 'rag.vectorIndex',
    env: 'RAG_VECTOR_INDEX',
    values: ['auto', 'exact', 'hnsw'],
    default: 'auto',
    about: 'How vectors are searched: all of them, or by an HNSW graph, which is faster for many.',
    without: 'auto: the graph from 20000 vectors on',
  }),
  rerank: choice({
    key: 'rag.rerank',
    env: 'RAG_RERANK',
    values: ['none', 'lexical', 'model'],
    default: 'none',
    about: [
      'Whether the best 30 passages are reranked: by the proximity of query words, or by the chat model, ',
      'which receives their text (one more call per search).',
    ].join(''),
    without: 'none',
  }),
  rerankTimeoutMs: integer({
    key: 'rag.rerankTimeoutMs',
    env: 'RAG_RERANK_TIMEOUT_MS',
    default: 15_000,
    min: 500,
    max: 50_000,
    about: 'How long the model may take to rerank, in ms. After that, the order of retrieval stays.',
    without: '15000',
  }),
};
