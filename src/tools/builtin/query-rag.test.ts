import { expect, test } from 'vitest';
import type { Documents, ExtractiveAnswer, SupportingHit } from '../../rag/types.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { createFileTools } from './files.ts';
import { createNoteTools } from './notes.ts';
import type { FileSpace } from './project-files.ts';
import { createQueryRagTool } from './query-rag.ts';

const passage = { text: 'the key is with Ingrid', citation: '[home.md, line 3]', score: 1, chunkId: 1 };

function documentsThatFind(found: ExtractiveAnswer): Documents {
  return { answer: async () => found } as unknown as Documents;
}

const journal = { append: async () => 'home.md', entries: async () => [] };
const space = { exists: async () => false, write: async () => {} } as unknown as FileSpace;

test.each([
  ["the owner's own journal", { answer: 'x', confidence: 1, passages: [passage], journalOnly: true }, false],
  ['any other document', { answer: 'x', confidence: 1, passages: [passage], journalOnly: false }, true],
  ['nothing', { answer: '', confidence: 0, passages: [], journalOnly: true }, false],
] as const)('finding %s labels the conversation: %#', async (_name, found, untrusted) => {
  const scope = await testScope();
  await testToolbox([createQueryRagTool(documentsThatFind(found))], scope).call('query_rag', 'key', scope);
  expect(scope.labels.provenance()).toMatchObject({ untrusted, private: true });
});

test.each([
  ['write_note', { text: 'from a page' }],
  ['write_file', { path: './Home.md', content: 'from a page' }],
])('what %s put into the journal while untrusted content was read stays untrusted', async (tool, input) => {
  const writer = await testScope();
  await writer.labels.read({ untrusted: true, private: false }, 'web page');
  await testToolbox([...createNoteTools(journal), ...createFileTools(() => space)], writer).call(tool, input, writer);
  const reader = await testScope({ store: writer.store, turn: { id: 'turn_2', conversationId: 'conv_2' } });
  const rag = createQueryRagTool(
    documentsThatFind({ answer: 'x', confidence: 1, passages: [passage], journalOnly: true }),
  );
  await testToolbox([rag], reader).call('query_rag', 'key', reader);
  expect(reader.labels.untrusted).toBe(true);
});

test('passages come with what stands around them when the model asks for it', async () => {
  const where = { file: 'home.md', heading: [], citation: '[home.md, lines 1-5]' };
  const context = { ...where, before: 'first', after: 'last' };
  const asked: unknown[] = [];
  const answer: Documents['answer'] = async (_project, _question, options) => {
    asked.push(options.neighbours);
    return {
      answer: 'x',
      confidence: 1,
      passages: [options.neighbours ? { ...passage, context } : passage],
      journalOnly: true,
    };
  };
  const scope = await testScope();
  const toolbox = testToolbox([createQueryRagTool({ answer } as unknown as Documents)], scope);
  const found = await toolbox.call('query_rag', { query: 'key', neighbours: 2 }, scope);
  const shown = { before: 'first', after: 'last', citation: '[home.md, lines 1-5]' };
  expect(found).toMatchObject({ ok: true, value: { passages: [{ citation: '[home.md, line 3]', context: shown }] } });
  await toolbox.call('query_rag', 'key', scope);
  expect(asked).toEqual([2, 0]);
});

test('the search is told which turn asks, so that what it costs can be booked to it', async () => {
  const scope = await testScope();
  const asked: unknown[] = [];
  const answer: Documents['answer'] = async (_project, _question, options) => {
    asked.push(options.turn);
    return { answer: '', confidence: 0, passages: [], journalOnly: true };
  };
  await testToolbox([createQueryRagTool({ answer } as unknown as Documents)], scope).call('query_rag', 'key', scope);
  expect(asked).toEqual([scope.turn]);
});

/** Documents that give some of these chunks for each query. */
function documentsWith(found: Readonly<Record<string, readonly SupportingHit[]>>): Documents {
  const answer = async (_project: string, query: string) => ({
    ...{ answer: '', confidence: 0.1234, passages: found[query] ?? [], journalOnly: false },
  });
  return { answer } as unknown as Documents;
}

const chunk = (chunkId: number): SupportingHit => ({
  ...{ text: `text ${chunkId}`, citation: `[a.md, line ${chunkId}]`, score: 1 / (chunkId + 2), chunkId },
});

test('the nearest passages come without an answer, with scores of three digits, and it is said what was searched', async () => {
  const scope = await testScope();
  const toolbox = testToolbox([createQueryRagTool(documentsWith({ flat: [chunk(1)] }))], scope);
  expect(await toolbox.call('query_rag', 'flat', scope)).toMatchObject({
    value: {
      ...{ answer: '', confidence: 0.12, from: 'documents and journal; nearest passages' },
      passages: [{ text: 'text 1', citation: '[a.md, line 1]', score: 0.333 }],
    },
  });
  expect(await toolbox.call('query_rag', 'nothing', scope)).toMatchObject({
    value: { answer: '', passages: [], from: 'documents and journal; nothing found' },
  });
});

test('a passage of two calls in one turn comes once, at its place in both', async () => {
  const scope = await testScope();
  const documents = documentsWith({ one: [chunk(1), chunk(2)], two: [chunk(2), chunk(3)] });
  const toolbox = testToolbox([createQueryRagTool(documents)], scope);
  const texts = async (query: string, asked = scope) => {
    const result = await toolbox.call('query_rag', query, asked);
    return (result as unknown as { value: { passages: { text: string; citation: string }[] } }).value.passages;
  };
  expect(await texts('one')).toMatchObject([{ text: 'text 1' }, { text: 'text 2' }]);
  expect(await texts('two')).toMatchObject([{ text: '(given above)', citation: '[a.md, line 2]' }, { text: 'text 3' }]);
  expect(await texts('one')).toMatchObject([{ text: 'text 1' }, { text: 'text 2' }]);
  expect(await texts('two', { ...scope, script: {} })).toMatchObject([{ text: 'text 2' }, { text: 'text 3' }]);
  expect(await texts('two', { ...scope, turn: { ...scope.turn } })).toMatchObject([{ text: 'text 2' }, {}]);
});
