import { expect, test } from 'vitest';
import type { NewJob } from '../../scheduler/types.ts';
import { testScheduler } from '../../testing/scheduler.ts';
import { sqlRun } from '../../testing/sql.ts';
import { ownReminders } from './own-reminders.ts';

const JOB = { when: 'tomorrow 8am', prompt: 'water the tulips', project: 'home', untrusted: false };
const HEAD = 'Reminders made in this conversation, by id:';
const TURN = { conversationId: 'conv_1', project: 'home' };

/** Reminders that a conversation made, and the lines of its next turn. */
async function world() {
  const { store, scheduler } = await testScheduler();
  let calls = 0;
  const called = async (
    result: string | null,
    row: Partial<Record<'conversation_id' | 'tool' | 'state', string>> = {},
  ) => {
    const { conversation_id = 'conv_1', tool = 'schedule', state = 'done' } = row;
    const nth = String(++calls).padStart(3, '0');
    const insert = `INSERT INTO effects
      (id, turn_id, conversation_id, tool, effect, idempotency_key, input, state, result, created_at)
      VALUES (?, 'turn_1', ?, ?, 'local', ?, '{}', ?, ?, ?)`;
    await sqlRun(
      store,
      insert,
      `eff_${nth}`,
      conversation_id,
      tool,
      `key_${nth}`,
      state,
      result,
      `2026-11-20T10:00:00.${nth}Z`,
    );
  };
  const remind = async (job: Partial<NewJob> = {}, row: Parameters<typeof called>[1] = {}) => {
    const { id } = await scheduler.add({ ...JOB, ...job });
    await called(JSON.stringify({ id }), row);
    return id;
  };
  return { scheduler, called, remind, lines: (turn = TURN) => ownReminders(store, scheduler, turn) };
}

test('what a conversation has planned is told to its next turn, the soonest first', async () => {
  const { remind, lines } = await world();
  const late = await remind({ when: 'in 3 days' });
  const soon = await remind({ prompt: `call ${'somebody '.repeat(12)}` });
  const daily = await remind({ when: 'every day at 9', prompt: 'stretch' });
  const [head, ...told] = await lines();
  expect(head).toBe(HEAD);
  expect(told.map((line) => line.slice(2).split(':')[0])).toEqual([soon, daily, late]);
  expect(told[0]).toMatch(/^- \S+: "call (?:somebody ){8}so?m?…", /u);
  expect(told[1]).toMatch(/^- \S+: "stretch", .*, next .*09:00/u);
  expect(told[2]).toMatch(/^- \S+: "water the tulips", (?!.*next)/u);
});

test('a text that others may have shaped is left out', async () => {
  const { remind, lines } = await world();
  const id = await remind({ untrusted: true });
  const [, line] = await lines();
  expect(line).toMatch(new RegExp(`^- ${id}: `, 'u'));
  expect(line).not.toContain('tulips');
});

test.each<[string, Partial<NewJob>, Parameters<Awaited<ReturnType<typeof world>>['remind']>[1]]>([
  ['in another conversation', {}, { conversation_id: 'conv_2' }],
  ['by another tool', {}, { tool: 'notify' }],
  ['by a call that failed', {}, { state: 'failed' }],
  ['for another project', { project: 'garden' }, {}],
])('what was planned %s is not told', async (_, job, row) => {
  const { remind, lines } = await world();
  await remind(job, row);
  expect(await lines()).toEqual([]);
});

test('what is over or gone, and calls without an id, are not told', async () => {
  const { remind, called, lines, scheduler } = await world();
  for (const result of [null, 'null', '{}', '"text"']) await called(result);
  expect(await lines()).toEqual([]);
  await scheduler.remove(await remind());
  await scheduler.pause(await remind());
  expect(await lines()).toEqual([]);
  const id = await remind();
  expect(await lines()).toEqual([HEAD, expect.stringContaining(id)]);
});

test('the twelve made last are kept in sight', async () => {
  const { remind, lines } = await world();
  const ids: string[] = [];
  for (let nth = 0; nth < 13; nth++) ids.push(await remind());
  const text = (await lines()).join('\n');
  expect(ids.map((id) => text.includes(id))).toEqual([false, ...Array(12).fill(true)]);
});
