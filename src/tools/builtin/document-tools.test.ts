import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { summarise } from '../../answers/summary.ts';
import { startDocuments } from '../../testing/documents.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { createDocumentTools } from './document-tools.ts';

async function world(files: Readonly<Record<string, string>>, isForeign = false) {
  const { documents, store } = await startDocuments();
  const dir = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(dir, name, '..'), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  await documents.ingest('home', [dir], { signal: new AbortController().signal });
  const scope = await testScope({ store, turn: { project: 'home' } });
  const tools = testToolbox(
    createDocumentTools(documents, async () => isForeign),
    scope,
  );
  return async (name: string, input: object = {}) => {
    const result = await tools.call(name, input, scope);
    if (!result.ok) throw new Error(result.error);
    return { value: result.value as Record<string, unknown>, code: result.told?.code };
  };
}

const FILES = {
  'house/lease-2025.md': '# Lease\n\nThe rent is 850 euros a month. The rent is due on the first of the month.\n',
  'house/boiler.md': 'The boiler was serviced in May. Hart & Sons look after the boiler and its pump.\n',
  'car/service.md': 'The car had its service in June. New tyres were fitted on the car at the service.\n',
  'minutes-october.md': 'The committee met. The committee talked about the roof of the hall.\n',
  'minutes-november.md': 'The committee met again. The committee decided about the roof of the hall.\n',
};
const names = ({ value }: { value: Record<string, unknown> }) =>
  (value.documents as { document: string }[]).map(({ document }) => document);

test('documents are listed: all, those of a folder, those about something', async () => {
  const ask = await world(FILES);
  expect(names(await ask('list_documents'))).toEqual(Object.keys(FILES).toSorted());
  expect(names(await ask('list_documents', { folder: 'house' }))).toEqual(['house/boiler.md', 'house/lease-2025.md']);
  expect(names(await ask('list_documents', { about: 'the car' }))[0]).toBe('car/service.md');
  expect(names(await ask('list_documents', { about: 'the car' }))).not.toContain('house/lease-2025.md');
  expect(await ask('list_documents', { about: 'penguins' })).toMatchObject({ code: 'no_documents' });
});

test('a document is summarised by its own sentences, with where they stand', async () => {
  const ask = await world(FILES);
  expect(await ask('summarise_document', { document: 'the lease', sentences: 1 })).toMatchObject({
    code: 'summarised',
    value: {
      document: 'house/lease-2025.md',
      sentences: [{ text: expect.stringContaining('rent'), citation: '[house/lease-2025.md, line 3]' }],
    },
  });
  expect(await ask('summarise_document', { document: 'boiler.md' })).toMatchObject({ code: 'summarised' });
});

test('a name that means several documents, or none, is told with what it may be', async () => {
  const ask = await world(FILES);
  expect(await ask('summarise_document', { document: 'the minutes' })).toMatchObject({
    code: 'several_documents',
    value: { candidates: ['minutes-november.md', 'minutes-october.md'] },
  });
  expect(await ask('summarise_document', { document: 'November minutes' })).toMatchObject({
    value: { document: 'minutes-november.md' },
  });
  expect(await ask('summarise_document', { document: 'the passport' })).toMatchObject({ code: 'no_such_document' });
});

test('what somebody else wrote is marked', async () => {
  const ask = await world(FILES, true);
  expect((await ask('summarise_document', { document: 'boiler' })).value).toMatchObject({ untrusted: true });
});

test.each([
  ['', []],
  ['Short.', ['Short.']],
  ['- milk for the cake\n- eggs for the cake\n', ['milk for the cake', 'eggs for the cake']],
  ['On 3 May Dr. No paid 4.50 euros for the tickets. He left.', ['On 3 May Dr. No paid 4.50 euros for the tickets.']],
])('of %j', (text, expected) => {
  expect(
    summarise(text, 5)
      .map((each) => each.text)
      .slice(0, Math.max(1, expected.length)),
  ).toEqual(expected);
});

test('a summary keeps the order of the text, and takes a long one in a moment', () => {
  const long = Array.from({ length: 5000 }, (_, at) => `Sentence ${at} tells of the harbour and boat ${at % 7}.`).join(
    ' ',
  );
  const found = summarise(long, 5);
  expect(found).toHaveLength(5);
  const order = found.map(({ text }) => Number(/\d+/u.exec(text)?.[0]));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
});
