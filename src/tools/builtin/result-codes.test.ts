import { expect, test } from 'vitest';
import type { Notifier } from '../../notify/contract.ts';
import type { Delivery } from '../../notify/types.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { createListTools } from './lists.ts';
import { createNoteTools, type Journal } from './notes.ts';
import { createNotifyTools } from './notify.ts';
import { createQueryRagTool } from './query-rag.ts';
import { createScheduleTools } from './schedule.ts';

const journal = { remove: async () => {} } as Partial<Journal> as Journal;
const tools = [
  ...createListTools({} as never),
  ...createNoteTools(journal),
  ...createScheduleTools({} as never),
  createQueryRagTool(async () => Promise.reject(new Error('it is not asked'))),
];
const told = (name: string, output: unknown) => tools.find((tool) => tool.name === name)?.presentation.told?.(output);
const list = { list: 'shopping', added: [], there: [], ticked: [], removed: [], missing: [] };
const note = { at: '2026-11-23', text: 'tea' };

test.each([
  ['change_list', { ...list, added: ['milk'], missing: ['tea'] }, 'changed'],
  ['change_list', { ...list, ticked: ['milk'] }, 'changed'],
  ['change_list', { ...list, removed: ['milk'] }, 'changed'],
  ['change_list', { ...list, there: ['milk'] }, 'already_there'],
  ['change_list', { ...list, there: ['milk'], missing: ['tea'] }, 'missing'],
  ['change_list', list, 'unchanged'],
  ['write_note', 'Noted in home.md.', 'noted'],
  ['delete_note', { deleted: 'tea', matches: [note] }, 'deleted'],
  ['delete_note', { deleted: null, matches: [note] }, 'no_such_note'],
  ['delete_note', { deleted: null, matches: [note, note] }, 'several_notes'],
  ['schedule', {}, 'scheduled'],
  ['schedule', { note: 'You have this reminder already.' }, 'already_there'],
  ['reschedule', {}, 'moved'],
  ['rename_schedule', {}, 'renamed'],
  ['cancel_schedule', '', 'cancelled'],
  ['query_rag', { answer: '', passages: [] }, 'nothing'],
  ['query_rag', { answer: '', passages: [{ text: 'a', citation: '[a.md]' }] }, 'passages'],
  ['query_rag', { answer: 'a [a.md]', passages: [] }, 'answered'],
  ['query_rag', { answer: '', passages: [], table: { rows: 2 } }, 'answered'],
])('%s tells what kind of result %j is: %s', (name, output, code) => {
  expect(told(name, output)?.code).toBe(code);
});

test('events and citations of what was found are data; of other files than calendars nothing is an event', () => {
  const line = 'Eye test on Tuesday 24 November 2026 at 10:15.';
  const place = (file: string) => ({ file, kind: 'line', from: 4, to: 9 });
  const event = { title: 'Eye test', day: '2026-11-24', time: '10:15' };
  const output = {
    answer: `${line} [a.ics, lines 4-9]\n${line} [a.md, lines 4-9]`,
    passages: ['a.ics', 'a.md'].map((file) => ({ text: line, citation: `[${file}, lines 4-9]` })),
  };
  expect(told('query_rag', output)?.values).toEqual({
    answer: [
      { text: line, event },
      { text: ' ' },
      { text: '[a.ics, lines 4-9]', place: place('a.ics') },
      { text: `\n${line} ` },
      { text: '[a.md, lines 4-9]', place: place('a.md') },
    ],
    passages: [
      { text: [{ text: line, event }], citation: [{ text: '[a.ics, lines 4-9]', place: place('a.ics') }] },
      { text: [{ text: line }], citation: [{ text: '[a.md, lines 4-9]', place: place('a.md') }] },
    ],
  });
});

test.each(['sent', 'queued'] as const)('a call that was %s says so by its code', async (state) => {
  const delivery: Delivery = { channel: 'signal', state, detail: '' };
  const notifier: Partial<Notifier> = {
    configured: () => ['signal'],
    defaultChannel: async () => 'signal',
    send: async () => delivery,
  };
  const scope = await testScope();
  const toolbox = testToolbox(createNotifyTools(notifier as Notifier), scope);
  expect(await toolbox.call('notify', { text: 'dinner' }, scope)).toMatchObject({ ok: true, told: { code: state } });
});
