import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool, type Tool } from '../../tools/tool.ts';
import { type DraftOptions, draftProgram } from './draft.ts';
import type { RecordedCall, RecordedTurn } from './recorded-turn.ts';

const AT = new Date('2026-11-26T10:00:00Z');

function tool(name: string, fields: z.ZodRawShape, effect: 'none' | 'local' = 'none'): Tool {
  const input = z.object(fields);
  return defineTool({
    ...{ name, input, description: `What ${name} does.`, positional: Object.keys(fields) as never },
    ...{ policy: { effect }, execute: () => null },
  });
}

const TOOLS = {
  writeNote: tool('write_note', { text: z.string() }, 'local'),
  notify: tool('notify', { text: z.string(), to: z.string().optional() }, 'local'),
  schedule: tool(
    'schedule',
    { when: z.string(), text: z.string(), as: z.enum(['reminder', 'prompt']).optional() },
    'local',
  ),
  addItems: tool('add_items', { list: z.string(), items: z.array(z.string()) }, 'local'),
  fetchText: tool('fetch_text', { url: z.string() }),
  webSearch: tool('web_search', { query: z.string() }),
  listInvoices: tool('list_invoices', {}),
  listNotes: tool('list_notes', {}),
  queryRAG: { ...tool('query_rag', { query: z.string(), k: z.number().optional() }), functionName: 'queryRAG' },
};
const CALLABLE = Object.keys(TOOLS);

function call(name: keyof typeof TOOLS, input: Record<string, unknown>, value: unknown): RecordedCall {
  return { kind: 'tool', tool: TOOLS[name], input, value };
}

function draft(turn: Partial<RecordedTurn>, options: Partial<DraftOptions> = {}) {
  const whole = { request: '', answer: '', at: AT, calls: [], left: [], others: [], ...turn };
  return draftProgram(whole, { callable: CALLABLE, timeZone: 'UTC', hasModel: true, ...options });
}

/** The program without the comment at its top. */
const body = (...given: Parameters<typeof draft>) =>
  draft(...given)
    .source.split('\n')
    .slice(1)
    .join('\n')
    .trim();

const INVOICES = [
  { number: 'R-1001', customer: 'Hotel Adler', amount: 1250 },
  { number: 'R-1002', customer: 'Café Sonne', amount: 310.5 },
];

describe('what came from the request becomes a parameter', () => {
  test('a text, and the answer that repeats it', () => {
    const request = 'take a note: the boiler was serviced';
    const calls = [call('writeNote', { text: 'the boiler was serviced' }, 'Noted in home.md.')];
    expect(body({ request, calls, answer: 'Noted: the boiler was serviced' })).toBe(
      'param text: string = "the boiler was serviced"\n\nwriteNote(text)\nprint `Noted: ${text}`',
    );
  });

  test('a time is the words of the request, not the instant that it was then', () => {
    const request = 'tomorrow at 8am remind me to call Anna';
    const input = { when: '2026-11-27T08:00:00.000Z', text: 'call Anna', as: 'reminder' };
    const source = body({ request, calls: [call('schedule', input, { id: 'job_1' })], answer: 'Done.' });
    expect(source).toContain('param when: string = "tomorrow at 8am"');
    expect(source).toContain('schedule(when, text, "reminder")');
  });

  test('a list of texts, item by item', () => {
    const request = 'put milk and eggs on the shopping list';
    const calls = [call('addItems', { list: 'shopping', items: ['milk', 'eggs'] }, { added: 2 })];
    expect(body({ request, calls, answer: 'Done.' })).toContain('addItems(list, [items, items2])');
  });
});

describe('what came from a result is read from there', () => {
  test('whole, within a text, and in the answer', () => {
    const calls = [
      call('listInvoices', {}, INVOICES),
      call('notify', { text: 'Open first: R-1001 of Hotel Adler' }, 'sent'),
    ];
    const request = 'tell me the first open invoice';
    expect(body({ request, calls, answer: 'I told you of R-1001.' })).toBe(
      'let invoices = listInvoices()\nnotify(`Open first: ${invoices[0].number} of ${invoices[0].customer}`)\n' +
        'print `I told you of ${invoices[0].number}.`',
    );
  });

  test('one call for each item is a loop, and so are lines of the answer', () => {
    const calls = [
      call('listInvoices', {}, INVOICES),
      ...INVOICES.map(({ number, customer }) => call('writeNote', { text: `${number}: ask ${customer}` }, 'Noted.')),
    ];
    const answer = 'Open:\n- R-1001, Hotel Adler\n- R-1002, Café Sonne\nAll noted.';
    expect(body({ request: 'note whom to ask about each invoice', calls, answer })).toBe(
      'let invoices = listInvoices()\nfor item in invoices {\n  writeNote(`${item.number}: ask ${item.customer}`)\n}\n' +
        'print "Open:"\nfor item in invoices {\n  print `- ${item.number}, ${item.customer}`\n}\nprint "All noted."',
    );
  });

  test('reads of a loop are kept in a list', () => {
    const found = { results: [{ url: 'https://a.example/x' }, { url: 'https://b.example/y' }] };
    const calls = [
      call('webSearch', { query: 'tide tables' }, found),
      ...found.results.map(({ url }, index) => call('fetchText', { url }, `High tide at 1${index}:30 in Cork.`)),
      call('writeNote', { text: 'Cork has high tide at half past ten, and again an hour later.' }, 'Noted.'),
    ];
    const { source, asks } = draft({
      request: 'search the web for tide tables and note a summary',
      calls,
      answer: 'Done.',
    });
    expect(source).toContain(
      'let texts = []\nfor item in search.results {\n  texts = texts + [fetchText(item.url)]\n}',
    );
    expect(source).toContain('with context: { search, texts }');
    expect(asks).toBe(1);
  });

  test('what nothing needs is left out', () => {
    const calls = [call('listNotes', {}, [{ text: 'old' }]), call('writeNote', { text: 'milk' }, 'Noted.')];
    expect(body({ request: 'note: milk', calls, answer: 'Done.' })).not.toContain('listNotes');
  });
});

describe('what a model composed of what it had read is asked for again', () => {
  const calls = [
    call(
      'fetchText',
      { url: 'https://news.example/today' },
      'The council of Galway approves the new harbour for 12 million.',
    ),
    call('writeNote', { text: 'Galway builds a harbour for 12 million.' }, 'Noted.'),
  ];
  const request = 'summarise https://news.example/today in a note';

  test('with a type, in words of the request, and with what had been read', () => {
    const { source, asks } = draft({ request, calls, answer: 'Noted.' });
    expect(source).toContain('param url: string = "https://news.example/today"');
    expect(source).toMatch(/let text2 = think<string>\(\n?\s*`summarise \$\{url\} in a note/u);
    expect(source).toContain('with context: { text }');
    expect(source).toContain('writeNote(text2)');
    expect(source).not.toContain('12 million');
    expect(asks).toBe(1);
  });

  test.each([
    ['a figure that stands nowhere', { text: 'It is 17 pages long' }],
    ['another language', { text: 'Stadtrat genehmigt neuen Hafen endgültig' }],
  ])('%s', (_what, input) => {
    const [fetched] = calls;
    expect(
      draft({ request, calls: [fetched as RecordedCall, call('writeNote', input, 'Noted.')], answer: 'ok' }).asks,
    ).toBe(1);
  });

  test('a label of a few words is no composition', () => {
    const [fetched] = calls;
    const note = call('writeNote', { text: 'Read the paper' }, 'Noted.');
    expect(draft({ request, calls: [fetched as RecordedCall, note], answer: 'ok' }).asks).toBe(0);
  });

  test('an answer in words is asked for too; without a model, what was found is printed and that is said', () => {
    const read = [calls[0] as RecordedCall];
    const answer = 'The council says yes to the harbour.';
    expect(draft({ request, calls: read, answer }).source).toContain('print answer');
    const without = draft({ request, calls: read, answer }, { hasModel: false });
    expect(without.source).toContain('print text');
    expect(without.notes).toEqual([expect.stringContaining('prints what it found')]);
    expect(() => draft({ request, calls, answer }, { hasModel: false })).toThrow('takes a language model');
  });

  test('a figure of an action is of that day alone', () => {
    const act = call('schedule', { when: 'every day at 9', text: 'stretch' }, { runs: 'today at 09:00' });
    const { source } = draft({
      request: 'remind me every day at 9 to stretch',
      calls: [act],
      answer: 'It comes on 27 November.',
    });
    expect(source).not.toContain('27 November');
  });
});

test('settings of a call stay as they are, and words that a script asked for are asked for', () => {
  const calls: RecordedCall[] = [
    call('queryRAG', { query: 'the lease', k: 3 }, { answer: 'It ends in May.' }),
    { kind: 'asked', prompt: 'Shorten: It ends in May.', value: 'May.' },
  ];
  expect(body({ request: 'when does the lease end?', calls, answer: 'May.' })).toBe(
    'param query: string = "the lease"\n\nlet rag = queryRAG(query, 3)\nlet text = think<string>(`Shorten: ${rag.answer}`)\nprint text',
  );
});

test('a program without anything to do is refused, and what was left out is said', () => {
  expect(() => draft({ request: 'x' })).toThrow('not on record');
  const notes = draft({
    request: 'note: a',
    calls: [call('writeNote', { text: 'aaa' }, 'ok')],
    left: ['b failed'],
  }).notes;
  expect(notes).toEqual(['b failed']);
});

test('its name is given, or made of the request', () => {
  const calls = [call('writeNote', { text: 'milk' }, 'Noted.')];
  expect(draft({ request: 'take a note: milk', calls }).name).toBe('take-note-milk');
  expect(draft({ request: 'take a note: milk', calls }, { name: 'Milk note' }).name).toBe('milk-note');
});
