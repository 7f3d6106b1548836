import { expect, onTestFinished, test } from 'vitest';
import type { Turn } from '../base/turn.ts';
import { sqlAll, sqlRun } from '../testing/sql.ts';
import { openTestStore } from '../testing/stores.ts';
import { Conversations } from './conversations.ts';

const TURN: Turn = {
  id: 'turn_1',
  conversationId: 'conv_1',
  text: 'go on',
  origin: 'repl',
  mode: 'classic_tools',
  project: 'home',
};
const now = () => new Date('2026-11-20T11:00:00Z');

test('an interrupted turn that two programs resume at once is continued by one of them', async () => {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  await new Conversations(store).begin(TURN, now);
  await sqlRun(store, "UPDATE turns SET status = 'interrupted', owner = NULL");
  const resumed = await Promise.allSettled([1, 2, 3].map(() => new Conversations(store).begin(TURN, now)));
  expect(resumed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const refused = resumed.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  expect(refused).toMatchObject([{ code: 'bad_usage' }, { code: 'bad_usage' }]);
  expect(await sqlAll(store, 'SELECT kind FROM messages')).toEqual([{ kind: 'text' }]);
});

test('a turn whose program is gone is continued, also before anyone marked it as interrupted', async () => {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const conversations = new Conversations(store);
  await conversations.begin(TURN, now);
  await sqlRun(store, "UPDATE turns SET owner = 'elsewhere:1@boot#1'");
  await conversations.begin(TURN, now);
  expect(await sqlAll(store, 'SELECT status FROM turns')).toEqual([{ status: 'running' }]);
});

test('a turn that runs is not begun again, and who comes late is told what to do', async () => {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const conversations = new Conversations(store);
  await conversations.begin(TURN, now);
  await expect(conversations.begin(TURN, now)).rejects.toMatchObject({
    code: 'bad_usage',
    message: 'This request is already being continued, here or in another program.',
    hint: 'Wait until it has ended there; its answer is in the conversation then.',
  });
  await sqlRun(store, "UPDATE turns SET owner = NULL, status = 'failed'");
  await expect(conversations.finish(TURN, { text: 'x', stop: 'answered' }, now())).rejects.toMatchObject({
    message: 'This request was continued by another program.',
    hint: 'Its answer is, or soon will be, in the conversation.',
  });
});
