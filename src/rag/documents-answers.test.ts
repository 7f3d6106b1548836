import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { startDocuments } from '../testing/documents.ts';

const signal = new AbortController().signal;

async function makeHome(files: Readonly<Record<string, string>>) {
  const { documents, projects } = await startDocuments();
  for (const [path, text] of Object.entries(files)) {
    const place = join(projects.folder('home'), path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
  }
  await documents.ingest('home', [], { signal });
  const answer = (question: string, options: Partial<Parameters<typeof documents.answer>[2]> = {}) =>
    documents.answer('home', question, { k: 3, ...options });
  return { projects, answer };
}

const EXPENSES = 'date,payee,amount\n2026-03-03,Grocer,82.40\n2026-03-04,Baker,10.00\n';
const BILL = 'item,amount\ngas,40.00\nstanding charge,9.30\nTotal,49.30\n';

test('of the table that a question names the rows are added up, however it is named', async () => {
  const { answer } = await makeHome({
    'money/expenses.csv': EXPENSES,
    'phone-bill.csv': BILL,
    'bills.md': 'The phone bill and expenses are paid by the Grocer and the Baker.',
  });
  const figure = async (question: string) => {
    const { table } = await answer(question);
    return table && [table.file, table.value];
  };
  expect(await figure('what is the total in expenses.csv?')).toEqual(['money/expenses.csv', '92.40']);
  expect(await figure('what is the total in "Expenses.CSV".')).toEqual(['money/expenses.csv', '92.40']);
  expect(await figure('what is the total of (money/expenses.csv)?')).toEqual(['money/expenses.csv', '92.40']);
  expect(await figure('what is the total in penses.csv?')).toBeUndefined();
  expect(await figure('how much is my phone bill?')).toEqual(['phone-bill.csv', '49.30']);
  expect(await figure('how much did I pay the Grocer?')).toEqual(['money/expenses.csv', '82.40']);
  expect(await figure('how much did I pay the Grocer this month?')).toBeUndefined();
  expect((await answer('how much did I pay the Baker this month?', { today: '2026-03-20' })).table).toMatchObject({
    ...{ value: '10.00', rows: 1, of: 2, file: 'money/expenses.csv', whole: true },
  });
  expect(await figure('where is the key?')).toBeUndefined();
});

test('what is to be bought answers no question, and stays a passage', async () => {
  const { answer } = await makeHome({
    'lists/shopping.md': '- [ ] The boiler valve costs £10\n',
    'lists/notes.md': 'The cellar lamp costs £10.\n',
  });
  const list = await answer('what does the boiler valve cost?');
  expect([list.answer, list.passages.map(({ citation }) => citation)]).toEqual([
    '',
    expect.arrayContaining(['[lists/shopping.md, line 1]']),
  ]);
  expect((await answer('what does the cellar lamp cost?')).answer).toBe(
    'The cellar lamp costs £10. [lists/notes.md, line 1]',
  );
});

test('of what is repeated in a calendar the next day is told, where today is known', async () => {
  const lines = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'SUMMARY:Choir', 'DTSTART;VALUE=DATE:20260908'];
  const { answer } = await makeHome({
    'events.ics': [...lines, 'RRULE:FREQ=WEEKLY', 'END:VEVENT', 'END:VCALENDAR'].join('\r\n'),
    'copy.md': 'Rehearsal on Tuesday 8 September 2026.\nRepeats: freq weekly.\n',
  });
  expect((await answer('when is choir?')).answer).toMatch(/^Choir on Tuesday 8 September 2026\./u);
  const next = await answer('when is choir?', { today: '2026-11-23' });
  expect(next.answer).toMatch(/^Choir on Tuesday 24 November 2026\./u);
  expect(next.passages[0]?.text).toContain('8 September 2026');
  const written = await answer('when is the rehearsal?', { today: '2026-11-23' });
  expect(written.answer).toMatch(/^Rehearsal on Tuesday 8 September 2026\./u);
});

test('what a follow-up asks is answered of what was asked before; sources are those of what is shown', async () => {
  const { projects, answer } = await makeHome({
    'almanac.md': 'The Seaman Almanac is written by Ingrid Moe.\n',
    'cook.md': 'The cookbook is written by Per Lie.\n',
  });
  const {
    answer: said,
    sources,
    journalOnly,
    passages,
  } = await answer('who is it written by?', {
    ...{ k: 1, history: ['what is the Seaman Almanac'] },
  });
  expect(said).toBe('The Seaman Almanac is written by Ingrid Moe. [almanac.md, line 1]');
  expect(passages.map(({ citation }) => citation)).toEqual(['[almanac.md, line 1]']);
  expect(sources).toEqual([
    { path: join(projects.folder('home'), 'almanac.md'), sha256: expect.stringMatching(/^\w{64}$/u) },
  ]);
  expect(journalOnly).toBe(false);
});
