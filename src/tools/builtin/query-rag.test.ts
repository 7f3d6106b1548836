import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AnswerQuestion, ExtractiveAnswer, SupportingHit } from '../../answers/answers.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { fileThing, Origins } from '../gate/origins.ts';
import { createNoteTools } from './notes.ts';
import { createQueryRagTool } from './query-rag.ts';

const passage = { text: 'the key is with Ingrid', citation: '[home.md, line 3]', score: 1, chunkId: 1 };

const finding =
  (found: ExtractiveAnswer): AnswerQuestion =>
  async () =>
    found;

const OWN = { path: '/docs/lease.pdf', sha256: 'a' };

test.each([
  [
    "the owner's own journal",
    { answer: 'x', confidence: 1, passages: [passage], journalOnly: true, sources: [OWN] },
    false,
  ],
  [
    "the owner's own document",
    { answer: 'x', confidence: 1, passages: [passage], journalOnly: false, sources: [OWN] },
    false,
  ],
  [
    'a mail among their own',
    {
      answer: 'x',
      confidence: 1,
      passages: [passage],
      journalOnly: false,
      sources: [OWN, { path: '/docs/a.eml', sha256: 'b' }],
    },
    true,
  ],
  [
    'what was imported',
    {
      answer: 'x',
      confidence: 1,
      passages: [passage],
      journalOnly: false,
      sources: [{ path: undefined, sha256: 'b' }],
    },
    true,
  ],
  ['nothing', { answer: '', confidence: 0, passages: [], journalOnly: true, sources: [] }, false],
] as const)('finding %s labels the conversation: %#', async (_name, found, untrusted) => {
  const scope = await testScope();
  const result = await testToolbox([createQueryRagTool(finding(found))], scope).call('query_rag', 'key', scope);
  expect(scope.labels.provenance()).toMatchObject({ untrusted, private: found.sources.length > 0 });
  expect(result.ok && (result.value as { untrusted?: true }).untrusted).toBe(untrusted ? true : undefined);
});

test('what was noted while untrusted content was read stays untrusted in every search that finds it', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'home.md');
  const journal = {
    append: async (_project: string, text: string) => {
      writeFileSync(path, text);
      return 'home.md';
    },
    thing: () => fileThing(path),
    entries: async () => [],
  };
  const writer = await testScope();
  await writer.labels.read({ untrusted: true, private: false }, 'web page');
  await testToolbox(createNoteTools(journal), writer).call('write_note', { text: 'from a page' }, writer);
  const reader = await testScope({ store: writer.store, turn: { id: 'turn_2', conversationId: 'conv_2' } });
  const origins = new Origins(writer.store, writer.context.now);
  const found = {
    answer: 'x',
    confidence: 1,
    passages: [passage],
    journalOnly: true,
    sources: [{ path, sha256: 'as indexed' }],
  };
  const rag = createQueryRagTool(finding(found), async (sources) =>
    (await origins.files.judgeAll(sources)).some(({ untrusted }) => untrusted),
  );
  await testToolbox([rag], reader).call('query_rag', 'key', reader);
  expect(reader.labels.untrusted).toBe(true);
});

test('passages come with what stands around them when the model asks for it', async () => {
  const where = { file: 'home.md', heading: [], citation: '[home.md, lines 1-5]' };
  const context = { ...where, before: 'first', after: 'last' };
  const asked: unknown[] = [];
  const answer: AnswerQuestion = async (_project, _question, options) => {
    asked.push(options.neighbours);
    return {
      answer: 'x',
      confidence: 1,
      passages: [options.neighbours ? { ...passage, context } : passage],
      journalOnly: true,
      sources: [],
    };
  };
  const scope = await testScope();
  const toolbox = testToolbox([createQueryRagTool(answer)], scope);
  const found = await toolbox.call('query_rag', { query: 'key', neighbours: 2 }, scope);
  const shown = { before: 'first', after: 'last', citation: '[home.md, lines 1-5]' };
  expect(found).toMatchObject({ ok: true, value: { passages: [{ citation: '[home.md, line 3]', context: shown }] } });
  await toolbox.call('query_rag', 'key', scope);
  expect(asked).toEqual([2, 0]);
});

test('the search is told which turn asks, so that what it costs can be booked to it', async () => {
  const scope = await testScope();
  const asked: unknown[] = [];
  const answer: AnswerQuestion = async (_project, _question, options) => {
    asked.push(options.turn);
    return { answer: '', confidence: 0, passages: [], journalOnly: true, sources: [] };
  };
  await testToolbox([createQueryRagTool(answer)], scope).call('query_rag', 'key', scope);
  expect(asked).toEqual([scope.turn]);
});

/** Finds these chunks for each query, and no answer in them. */
function findingFor(found: Readonly<Record<string, readonly SupportingHit[]>>): AnswerQuestion {
  return async (_project, query) => ({
    ...{ answer: '', confidence: 0.1234, passages: found[query] ?? [], journalOnly: false, sources: [] },
  });
}

const chunk = (chunkId: number): SupportingHit => ({
  ...{ text: `text ${chunkId}`, citation: `[a.md, line ${chunkId}]`, score: 1 / (chunkId + 2), chunkId },
});

test('the nearest passages come without an answer and without scores, and it is said what was searched', async () => {
  const scope = await testScope();
  const toolbox = testToolbox([createQueryRagTool(findingFor({ flat: [chunk(1)] }))], scope);
  const flat = await toolbox.call('query_rag', 'flat', scope);
  expect(flat.ok && flat.value).toEqual({
    ...{ answer: '', confidence: 0.12, from: 'documents and journal; nearest passages' },
    passages: [{ text: 'text 1', citation: '[a.md, line 1]' }],
  });
  expect(await toolbox.call('query_rag', 'nothing', scope)).toMatchObject({
    value: { answer: '', passages: [], from: 'documents and journal; nothing found' },
  });
});

test('a passage of two calls in one turn comes once, at its place in both', async () => {
  const scope = await testScope();
  const answer = findingFor({ one: [chunk(1), chunk(2)], two: [chunk(2), chunk(3)] });
  const toolbox = testToolbox([createQueryRagTool(answer)], scope);
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

test('documents that disagree, and their dates are told, and what the passages refer to', async () => {
  const told = { day: '2024-03-01' };
  const conflicts = [{ a: '[home.md, line 3]', b: '[old.md, line 1]' }];
  const see = ['[home.md, 12. Notice, line 40]'];
  const found = { answer: '', confidence: 0, passages: [{ ...passage, ...told }], journalOnly: false, sources: [] };
  const scope = await testScope();
  const ask = (more: Partial<ExtractiveAnswer>) =>
    testToolbox([createQueryRagTool(finding({ ...found, ...more }))], scope).call('query_rag', 'rent', scope);
  expect(await ask({ conflicts, see })).toMatchObject({ value: { passages: [told], conflicts, see } });
  const plain = await ask({ conflicts: [], see: [] });
  expect(plain.ok && Object.keys(plain.value as object)).toEqual(['passages', 'answer', 'confidence', 'from']);
});

test('it says beforehand whether a sentence would answer a request, and what of', async () => {
  const scope = await testScope();
  const { turn, context } = scope;
  const asked = { turn, said: ['rent?'], signal: context.signal, now: () => context.now(), timeZone: 'UTC' };
  const found = { answer: '950 EUR.', confidence: 1, passages: [passage], journalOnly: false, sources: [] };
  const look = (more: Partial<ExtractiveAnswer>, request = 'rent?') =>
    createQueryRagTool(finding({ ...found, ...more })).presentation.answers?.(request, asked);
  expect(await look({})).toEqual({ input: { query: 'rent?' }, citations: [passage.citation] });
  expect(await look({ answer: '' })).toBeUndefined();
  expect(await look({}, 'x'.repeat(10_001))).toBeUndefined();
});
