import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { DocumentsDeps } from '../rag/documents/project-setup.ts';
import { RAG_DEFAULTS } from '../rag/options.ts';
import { startDocuments } from '../testing/documents.ts';
import { temporaryFolder } from '../testing/home.ts';
import { printed } from '../testing/pictures.ts';
import { openTestStore } from '../testing/stores.ts';
import { type AnswerOptions, createAnswers } from './answers.ts';

const signal = new AbortController().signal;

/** @param deps  for the documents, on top of a test's defaults. */
async function makeHome(files: Readonly<Record<string, string | Uint8Array>>, deps: Partial<DocumentsDeps> = {}) {
  const { documents, projects } = await startDocuments(temporaryFolder(), deps);
  for (const [path, text] of Object.entries(files)) {
    const place = join(projects.folder('home'), path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
  }
  await documents.ingest('home', [], { signal });
  const ask = createAnswers(documents);
  const answer = (question: string, options: Partial<AnswerOptions> = {}) =>
    ask('home', question, { k: 3, ...options });
  return { projects, documents, answer };
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

test('what is to be paid is added up, however it came; each bill is a source', async () => {
  const { answer } = await makeHome({
    'strom.pdf': printed([
      'Stadtwerke Lindau\n3. November 2026\nGuten Tag,\nbitte zahlen Sie 134,56 EUR bis zum 28. November 2026.',
    ]),
    'library.txt': 'City Library\n\n2 November 2026\n\nPlease pay 20.00 EUR by\n27 November 2026.',
    'dentist.eml': 'From: Dr. Klein <k@klein.example>\nSubject: Bill\n\nPlease transfer 60.00 EUR by 29 November 2026.',
    'next.txt': 'Water Board\n\n2 November 2026\n\nPlease pay 77.00 EUR by 2 December 2026.',
    'receipt.pdf': printed(['Corner Bakery\n2026-11-12\nBread 3.20\nButter 2.10\nTotal EUR 5.30']),
    'report.txt': `Rules\n\n${'Please pay 9.00 EUR by 27 November 2026. '.repeat(900)}`,
    // The owner's own words are no bill.
    'notes.md': 'Aunt Eve\n\nPlease pay 5.00 EUR by 27 November 2026.',
  });
  const found = await answer('What do I have to pay this month?', { today: '2026-11-20' });
  expect(found.table).toMatchObject({ value: '214.56', rows: 3, of: 4, file: 'bills and receipts', whole: true });
  expect(found.table?.shown.map((row) => row.split('; ').slice(0, 2))).toEqual([
    ['2026-11-27', 'City Library'],
    ['2026-11-28', 'Stadtwerke Lindau'],
    ['2026-11-29', 'Dr. Klein <k@klein.example>'],
  ]);
  const files = found.sources.map(({ path = '' }) => basename(path));
  expect(files).toEqual(expect.arrayContaining(['strom.pdf', 'library.txt', 'dentist.eml']));
  const spent = await answer('How much did I spend this month?', { today: '2026-11-20' });
  expect(spent.table).toMatchObject({ value: '5.30', rows: 1 });
  expect((await answer('What is the deadline in the letter from Stadtwerke Lindau?')).answer).toBe(
    'bitte zahlen Sie 134,56 EUR bis zum 28. November 2026. [strom.pdf, p. 1]',
  );
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

const OSLO =
  '# Oslo\n\n## Ferries\n\nThe ferry to Nesodden leaves every hour.\n\n## Food\n\nTry the waffles with brown cheese.\n';

test('an answer is made of sentences of the documents and cites them', async () => {
  const { answer } = await makeHome({ 'oslo.md': OSLO });
  expect((await answer('How often does the ferry to Nesodden leave?')).answer).toBe(
    'The ferry to Nesodden leaves every hour. [oslo.md, Ferries, line 5]',
  );
});

test('an answer says whether it stands in the journal alone', async () => {
  const note = { 'home.md': 'The spare key is with Ingrid.\n' };
  const { answer } = await makeHome(note);
  expect(await answer('Where is the spare key?')).toMatchObject({ journalOnly: true });
  const other = await makeHome({ ...note, 'keys.md': 'The spare key of the office is with the porter.' });
  expect(await other.answer('Where is the spare key?')).toMatchObject({ journalOnly: false });
});

test('passages follow the ranking also where no sentence answers; an empty project has none', async () => {
  const empty = await makeHome({});
  expect(await empty.answer('Who won the match?')).toMatchObject({ answer: '', passages: [], journalOnly: true });
  const { documents, answer: ask } = await makeHome({ 'oslo.md': OSLO });
  const question = 'which farm near the mountains makes goat cheese in summer';
  const { answer, passages, confidence } = await ask(question);
  expect(answer).toBe('');
  expect(confidence).toBeLessThan(0.3);
  const ranked = await documents.search('home', question, { k: 3 });
  expect(passages.length).toBeGreaterThan(0);
  expect(passages.map(({ citation }) => citation)).toEqual(ranked.map(({ citation }) => citation));
});

const ROOMS = Array.from({ length: 12 }, (_, at) => `## ${at}\n\nRoom ${at} of the flat has a window and a lamp.\n`);
const LEASE = `# Lease\n\n${ROOMS.join('\n')}\n## Animals\n\nNo animals may be kept without consent.\n`;

test('a sentence in related words answers; the passages stay those of the question', async () => {
  const { documents, answer: ask } = await makeHome({ 'lease.md': LEASE });
  const question = 'can I keep a dog in the flat?';
  const { answer, passages } = await ask(question);
  expect(answer).toMatch(/^No animals may be kept without consent\. \[lease\.md/u);
  const ranked = await documents.search('home', question, { k: 3 });
  expect(passages.map(({ citation }) => citation)).toEqual(ranked.map(({ citation }) => citation));
});

test('the conditions of a question hold for the search in related words, too', async () => {
  const { answer } = await makeHome({
    'lease.md': LEASE,
    'hotel.md': 'A lamp and a window are in the room of the flat.',
  });
  expect((await answer('file:lease.md can I keep a dog in the flat?')).answer).toMatch(/^No animals/u);
  expect((await answer('file:hotel.md can I keep a dog in the flat?')).answer).not.toMatch(/animals/u);
});

test('of a passage that was deleted while it was ranked, no source is claimed to be known', async () => {
  const store = await openTestStore(join(temporaryFolder(), 'w.sqlite3'));
  onTestFinished(() => store.close());
  const reranker = async () => {
    await store.db.deleteFrom('chunks').execute();
    return undefined;
  };
  const { answer } = await makeHome(
    { 'a.md': '# a\n\nThe dock a.md opens at six.\n', 'b.md': '# b\n\nThe dock b.md opens at six.\n' },
    { store, reranker, options: { ...RAG_DEFAULTS, rerank: 'model' } },
  );
  const { passages, sources, journalOnly } = await answer('when does the dock open', { k: 5 });
  expect(passages).toHaveLength(2);
  expect({ sources, journalOnly }).toEqual({ sources: [{ path: undefined, sha256: '' }], journalOnly: false });
});

test('a figure counts as a source, also of a table that no passage is of', async () => {
  const { projects, answer } = await makeHome({
    'bank.csv': 'date,payee,amount\n2026-03-03,Grocer,82.40\n2026-03-04,Grocer,10.00\n',
    'total.md': 'What the total for the Grocer in bank.csv was, nobody knows.',
  });
  const found = await answer('what is the total for the Grocer in bank.csv?', { k: 1 });
  expect(found).toMatchObject({ passages: [{ citation: '[total.md, line 1]' }], table: { value: '92.40' } });
  expect(found.sources.map(({ path }) => path).sort()).toEqual(
    ['bank.csv', 'total.md'].map((file) => join(projects.folder('home'), file)),
  );
});

test('of passages that say the same, the second comes without its text', async () => {
  const dock = '# Dock\n\nThe dock opens at six.\n';
  const { answer } = await makeHome({ 'a.md': dock, 'copy.md': dock });
  expect((await answer('when does the dock open', { k: 5 })).passages).toMatchObject([
    { text: 'The dock opens at six.', citation: '[a.md, Dock, line 3]' },
    { text: '', citation: '[copy.md, Dock, line 3]', sameAs: '[a.md, Dock, line 3]' },
  ]);
});

test('passages come with their neighbours when these are asked for', async () => {
  const { answer } = await makeHome({
    'b.md': '# Day\n\n## One\n\nFirst tea.\n\n## Two\n\nThen the mast is raised.\n',
  });
  expect((await answer('when is the mast raised', { k: 1, neighbours: 1 })).passages).toMatchObject([
    { citation: '[b.md, Two, line 9]', context: { citation: '[b.md, Day, lines 5-9]' } },
  ]);
});

const NUMBERED = [
  '# Lease\n\n## 4. Rent\n\nThe rent is 950 EUR a month. To end the lease, see section 12.\n',
  ...Array.from({ length: 7 }, (_, at) => `## ${at + 5}. Room ${at}\n\nIt has a window.\n`),
  '## 12. Notice\n\nThree months, in writing.\n',
].join('\n');

test('documents that disagree are told with their days, and the section that a passage refers to', async () => {
  const { answer } = await makeHome({
    'lease-2021-04-01.md': NUMBERED,
    'addendum-2024-03-01.md': '# Addendum\n\nThe rent is 1,010 EUR a month.\n',
  });
  const { passages, conflicts, see } = await answer('how much is the rent a month?', { k: 2 });
  const days = new Map(passages.map(({ citation, day }) => [citation, day]));
  const [lease, addendum] = ['[lease-2021-04-01.md, 4. Rent, line 5]', '[addendum-2024-03-01.md, Addendum, line 3]'];
  expect([days.get(lease), days.get(addendum)]).toEqual(['2021-04-01', '2024-03-01']);
  expect(conflicts?.map((each) => Object.values(each).sort())).toEqual([[addendum, lease]]);
  expect(see).toEqual([expect.stringMatching(/^\[lease-2021-04-01\.md, 12\. Notice, line/u)]);
});
