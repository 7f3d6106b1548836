import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { silentLog } from '../../base/log.ts';
import type { FieldReader } from '../../rag/documents/paper-fields.ts';
import { RAG_DEFAULTS } from '../../rag/options.ts';
import { openApp } from '../../testing/app.ts';
import { startDocuments } from '../../testing/documents.ts';
import { createAnswers } from '../answers.ts';

const signal = new AbortController().signal;
/** Of its form nothing is known but its sender and its date. */
const BILL =
  'Autohaus Berg\n2 March 2026\nWir bitten um Ausgleich von 88,20 EUR. Valuta 18.12.2026. Anzahlung 10,00 EUR.';
const QUOTED = { kind: 'bill', sender: 'Autohaus Berg', deadline: 'Valuta 18.12.2026.', total: '88,20 EUR' };
const TODAY = { k: 3, today: '2026-12-01' };

function write(home: string, name: string, text: string): string {
  const docs = join(home, 'docs');
  mkdirSync(docs, { recursive: true });
  writeFileSync(join(docs, name), text);
  return docs;
}

test('a model that is set reads a bill once, by a schema; its quotes are added up', async () => {
  const { app, home, model } = await openApp({ replies: [JSON.stringify(QUOTED)], env: { RAG_FIELDS: 'model' } });
  const { documents } = app.knowledge;
  const docs = write(home, 'bill.txt', BILL);
  await documents.ingest('home', [docs], { signal });
  await documents.ingest('home', [docs], { signal });
  expect(model.requests).toHaveLength(1);
  // The one to answer with.
  expect(model.requests[0]?.tools).toHaveLength(1);
  expect(String(model.requests[0]?.messages.at(-1)?.content)).toContain('Valuta 18.12.2026.');
  const ask = createAnswers(documents);
  const found = await ask('home', 'What do I have to pay this month?', TODAY);
  expect(found.table).toMatchObject({ value: '88.20', rows: 1 });
  expect(found.table?.shown).toEqual([expect.stringMatching(/^2026-12-18; Autohaus Berg; .*\[bill\.txt/u)]);
  expect(found.sources.map(({ path }) => path)).toContain(join(docs, 'bill.txt'));
  expect((await ask('home', 'What is the deadline in the letter from Autohaus Berg?', TODAY)).answer).toMatch(
    /^Valuta 18\.12\.2026\. \[bill\.txt/u,
  );
});

const PLAIN = 'Water Board\n2 December 2026\nPlease pay 20.00 EUR by 18 December 2026. It was 25.00 EUR before.';

/** What is to be paid by a bill whose fields are plain, where a model says this of it. */
async function paidBy(answers: readonly unknown[]) {
  const rest = [...answers];
  const reader = vi.fn<FieldReader>(async () => {
    const next = rest.shift();
    if (next instanceof Error) throw next;
    return next;
  });
  const warn = vi.fn();
  const options = { ...RAG_DEFAULTS, fields: 'model' } as const;
  const { home, documents } = await startDocuments(undefined, {
    ...{ options, fieldReader: reader, log: { ...silentLog, warn } },
  });
  const docs = write(home, 'plain.txt', PLAIN);
  for (const _ of answers) await documents.ingest('home', [docs], { signal });
  const { table } = await createAnswers(documents)('home', 'What do I have to pay this month?', TODAY);
  return { value: table?.value, asked: reader.mock.calls.length, warned: warn.mock.calls.length };
}

test.each([
  ['what it made up', [{ kind: 'bill', total: '1.00 EUR', deadline: 'by 1 January 2030' }], '20.00'],
  ['a quote that says nothing', [{ total: 'Water Board', deadline: 'Water Board', date: 'Please pay' }], '20.00'],
  ['no fields at all', ['I cannot help with that.'], '20.00'],
  ['the wrong type', [{ kind: 'invoice', total: 25, sender: ['x'] }], '20.00'],
  ['another amount of the document', [{ kind: 'bill', total: '25.00' }], '25.00'],
  ['that it is none', [{ kind: 'other' }], undefined],
])('a model says %s', async (_what, answers, value) => {
  expect(await paidBy(answers)).toEqual({ value, asked: 1, warned: 0 });
});

test('a model that cannot be asked leaves the form, is told of once, and is asked again', async () => {
  expect(await paidBy([new Error('down'), { kind: 'bill', total: '25.00' }])).toEqual({
    ...{ value: '25.00', asked: 2, warned: 1 },
  });
  expect(await paidBy([new Error('down')])).toEqual({ value: '20.00', asked: 1, warned: 1 });
});
