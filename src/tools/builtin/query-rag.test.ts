import { expect, test } from 'vitest';
import type { Documents, ExtractiveAnswer } from '../../rag/types.ts';
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
  ["the owner's own journal", { answer: 'x', passages: [passage], journalOnly: true }, false],
  ['any other document', { answer: 'x', passages: [passage], journalOnly: false }, true],
  ['nothing', { answer: '', passages: [], journalOnly: true }, false],
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
  const rag = createQueryRagTool(documentsThatFind({ answer: 'x', passages: [passage], journalOnly: true }));
  await testToolbox([rag], reader).call('query_rag', 'key', reader);
  expect(reader.labels.untrusted).toBe(true);
});

test('passages come with what stands around them when the model asks for it', async () => {
  const where = { file: 'home.md', heading: [], citation: '[home.md, lines 1-5]' };
  const context = { ...where, before: 'first', after: 'last' };
  const asked: unknown[] = [];
  const answer: Documents['answer'] = async (_project, _question, options) => {
    asked.push(options.neighbours);
    return { answer: 'x', passages: [options.neighbours ? { ...passage, context } : passage], journalOnly: true };
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
    return { answer: '', passages: [], journalOnly: true };
  };
  await testToolbox([createQueryRagTool({ answer } as unknown as Documents)], scope).call('query_rag', 'key', scope);
  expect(asked).toEqual([scope.turn]);
});
