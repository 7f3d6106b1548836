import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../src/testing/home.ts';
import { startPlugin } from '../../src/testing/plugin.ts';
import { readAction, writeAction } from './action.ts';
import tasks from './index.ts';
import { findItem, ListFile, withText } from './list-file.ts';

/** The program with these lists; `read` gives a list as its bytes. */
async function withLists(lists: Record<string, string | Buffer> = {}) {
  const started = await startPlugin(tasks);
  const path = (name: string) => join(started.home, 'gtd', `${name}.md`);
  mkdirSync(join(started.home, 'gtd'), { recursive: true });
  for (const [name, content] of Object.entries(lists)) writeFileSync(path(name), content);
  return { ...started, read: (name: string) => readFileSync(path(name), 'latin1') };
}

describe('the inbox', () => {
  test('a thought becomes one line, which is listed until it is ticked off', async () => {
    const { call, read } = await withLists();
    expect(await call('capture_item', { text: 'water the\n basil' })).toMatch(/^Captured in gtd\/inbox\.md: - \[ \] /u);
    expect(read('inbox')).toMatch(/^- \[ \] 2026-01-15 10:00.* water the basil\n$/u);
    expect(await call('view_inbox_items')).toEqual([read('inbox').trimEnd()]);
    await call('complete_inbox_item', { item: 'basil' });
    expect(await call('view_inbox_items')).toEqual([]);
    expect(read('inbox')).toMatch(/^- \[x\] .* water the basil \(Completed: 2026-01-15 10:00:00\)\n$/u);
  });

  test('an inbox that does not exist yet is empty', async () => {
    const { call } = await withLists();
    expect(await call('view_inbox_items')).toEqual([]);
  });

  test('of two equal lines one is moved, and everything else stays', async () => {
    const inbox = '# Inbox\r\n\r\n- [ ] 2026-01-01 08:00:00 call Bob\r\n- [ ] 2026-01-01 08:00:00 call Bob\r\nnote';
    const { call, read } = await withLists({ inbox });
    await expect(call('move_inbox_item', { item: 'call bob', to: 'next' })).rejects.toThrow(/Several open items fit/u);
    await call('move_inbox_item', { item: 2, to: 'next', context: 'at phone', due: '2026-01-20' });
    expect(read('inbox')).toBe('# Inbox\r\n\r\n- [ ] 2026-01-01 08:00:00 call Bob\r\nnote');
    expect(read('next_actions')).toBe('- [ ] @at-phone call Bob due:2026-01-20 (Captured: 2026-01-15 10:00:00)\n');
  });

  test('what is put away is a file of its own, and what is owed names who owes it', async () => {
    const { call, home, read } = await withLists({ inbox: '- [ ] old idea\n- [ ] report\n' });
    await call('move_inbox_item', { item: 'old', to: 'archive' });
    await call('move_inbox_item', { item: 'report', to: 'waiting', who: 'Ann' });
    const [file = ''] = readdirSync(join(home, 'gtd/archive'));
    expect(file).toMatch(/^2026-01-15T09-00-00-000Z_old_idea\.md$/u);
    expect(readFileSync(join(home, 'gtd/archive', file), 'utf8')).toContain('\nold idea\n');
    await call('add_waiting_for_item', { description: 'the key', waitingFor: 'Tom' });
    expect(await call('view_gtd_list', { list: 'waiting' })).toEqual([
      expect.stringMatching(/^report - Waiting For: Ann \(Logged: 2026-01-15, Captured: /u),
      expect.stringMatching(/^the key - Waiting For: Tom \(Logged: /u),
    ]);
    expect(read('inbox')).toBe('');
  });
});

const ACTIONS = `# Next

Some prose with a - dash.

- [ ] @phone +garden Email Bob about @at-work due:2026-01-15 (id: a1)
  - detail that nobody asked about
- [x] done already
* [ ] buy milk @shop
`;

describe('next actions', () => {
  test('are shown with numbers, by context, project and the calendar day of the owner', async () => {
    const { call } = await withLists({ next_actions: ACTIONS });
    expect(await call('view_next_actions', {})).toEqual([
      { number: 1, text: 'Email Bob about @at-work', context: 'phone', project: 'garden', due: '2026-01-15' },
      { number: 2, text: 'buy milk', context: 'shop' },
    ]);
    expect(await call('view_next_actions', { context: '@shop' })).toEqual([
      { number: 2, text: 'buy milk', context: 'shop' },
    ]);
    for (const [due, count] of [
      ['today', 1],
      ['overdue', 0],
      ['week', 1],
      ['2026-01-16', 0],
    ] as const)
      expect(await call('view_next_actions', { due })).toHaveLength(count);
    expect(await call('view_next_actions', { status: 'done' })).toEqual([{ done: true, text: 'done already' }]);
  });

  test.each(['Pacific/Auckland', 'America/Los_Angeles', 'UTC'])('due today means today in %s', async (timeZone) => {
    const { call } = await startPlugin(tasks, { timeZone, now: () => new Date('2026-01-15T09:00:00Z') });
    await call('add_next_action', { text: 'x', due: '2026-01-15' });
    expect(await call('view_next_actions', { due: 'today' })).toHaveLength(1);
  });

  test('one is ticked off by number, id or words; ambiguous words list the choices and change nothing', async () => {
    const { call, read } = await withLists({ next_actions: ACTIONS });
    await expect(call('complete_next_action', { action: 'm' })).rejects.toThrow(/Several open items fit "m"/u);
    await expect(call('complete_next_action', { action: 'nothing' })).rejects.toThrow(/1\. .*Bob.*\n2\. buy milk/u);
    expect(read('next_actions')).toBe(ACTIONS);
    expect(await call('complete_next_action', { action: 'a1' })).toBe('Done: Email Bob about @at-work');
    const ticked = ACTIONS.replace('- [ ] @phone', '- [x] @phone').replace(
      '(id: a1)',
      '(id: a1) (Completed: 2026-01-15 10:00:00)',
    );
    expect(read('next_actions')).toBe(ticked);
    expect(await call('complete_next_action', { action: '1' })).toBe('Done: buy milk');
  });

  test('one is edited in its line alone', async () => {
    const { call, read } = await withLists({ next_actions: ACTIONS });
    await call('edit_next_action', { action: 1, updates: { text: 'Call Bob', context: null, due: '2026-02-01' } });
    const changed = '- [ ] +garden Call Bob due:2026-02-01 (id: a1)';
    expect(read('next_actions')).toBe(ACTIONS.replace(/- \[ \] @phone.*/u, changed));
  });

  test('untouched lines survive byte for byte, whatever they hold', async () => {
    const line = fc.oneof(
      fc.constantFrom('# Head', '- [ ] one', '- [x] two', '  note\t', '', '* [ ] three (id: z)'),
      fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('latin1').replaceAll('\n', '')),
    );
    const path = join(temporaryFolder(), 'list.md');
    const list = new ListFile(path);
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.constantFrom('\n', '\r\n'), fc.boolean(), async (lines, end, closed) => {
        const text = [...lines, '- [ ] the chosen one'].join(end) + (closed ? end : '');
        writeFileSync(path, text, 'latin1');
        await list.change((items) => {
          const item = findItem(items, 'the chosen one');
          return { replace: new Map([[item.line, withText(item, 'chosen', true)]]), result: undefined };
        });
        expect(readFileSync(path, 'latin1').replace('- [x] chosen', '- [ ] the chosen one')).toBe(text);
      }),
      { numRuns: 200 },
    );
  });

  test('calls side by side lose nothing', async () => {
    const { call, read } = await withLists();
    await Promise.all(Array.from({ length: 20 }, (_, index) => call('add_next_action', { text: `action ${index}` })));
    expect(read('next_actions').trim().split('\n')).toHaveLength(20);
  });
});

test('reading an action and writing it again keeps all of it', () => {
  for (const text of ['+Proj Email Bob', '@at-work x', 'mail a@b.example', 'c++ due:soon', 'x (id: 1) (note)'])
    expect(readAction(writeAction(readAction(text)))).toEqual(readAction(text));
  expect(readAction('+Proj Email Bob')).toMatchObject({ project: 'Proj', text: 'Email Bob' });
  expect(readAction('mail a@b.example')).toMatchObject({ text: 'mail a@b.example' });
});

test('the settings of the earlier lists name the files', async () => {
  const { call, home } = await startPlugin(tasks, { config: { basePath: 'lists', inboxPath: 'in.md' } });
  await call('capture_item', { text: 'a' });
  await call('add_next_action', { text: 'b' });
  expect(readFileSync(join(home, 'in.md'), 'utf8')).toContain(' a\n');
  expect(readFileSync(join(home, 'lists/next_actions.md'), 'utf8')).toContain(' b (Captured');
});
