/** How turns and conversations stand, as lists and commands read it. */
import { expect, test } from 'vitest';
import type { StopReason } from '../base/turn.ts';
import { testTurn } from '../testing/agent.ts';
import { openTestStore } from '../testing/stores.ts';
import { ConversationArchive } from './archive.ts';
import { Conversations } from './conversations.ts';
import { asMade, REFUSED_CALL } from './stored-calls.ts';

const now = () => new Date('2026-01-15T09:00:00Z');

/** A conversation whose only turn ended so, or has not. */
async function ended(stop: StopReason | undefined) {
  const store = await openTestStore();
  const conversations = new Conversations(store);
  const turn = testTurn('how deep is the harbour?', { id: 'turn_1' });
  await conversations.begin(turn, now);
  if (stop) await conversations.finish(turn, { text: 'Nine metres.', stop }, now());
  return { conversations, archive: new ConversationArchive(store), turn };
}

test.each<[StopReason, string, string]>([
  ['answered', 'completed', 'answered'],
  ['cut_off', 'completed', 'cut_off'],
  ['aborted', 'interrupted', 'aborted'],
  ['step_limit', 'interrupted', 'step_limit'],
  ['failed', 'failed', 'failed'],
  ['budget', 'failed', 'budget'],
])('after a turn that ended with %s the conversation is %s', async (stop, status, lastTurn) => {
  const { archive } = await ended(stop);
  expect(await archive.list()).toMatchObject([{ status, lastTurn, turns: 1 }]);
  expect(await archive.statusOf('turn_1')).toBe(lastTurn);
  expect(await archive.isCutOff('conv_1')).toBe(stop === 'cut_off');
  expect(await archive.interruptedIn('conv_1')).toEqual(
    stop === 'step_limit' ? expect.objectContaining({ id: 'turn_1' }) : undefined,
  );
  expect(await archive.running()).toEqual(new Set());
});

test('a turn that runs is running, and its conversation was cut off nowhere', async () => {
  const { archive } = await ended(undefined);
  expect([await archive.running(), await archive.statusOf('turn_1')]).toEqual([new Set(['turn_1']), 'running']);
  expect([await archive.isCutOff('conv_1'), await archive.statusOf('turn_2')]).toEqual([false, undefined]);
  expect(await archive.interrupted()).toEqual([]);
});

test('only the last turn of a conversation can be taken up again', async () => {
  const { archive, conversations } = await ended('step_limit');
  expect((await archive.interrupted()).map(({ id }) => id)).toEqual(['turn_1']);
  const next = testTurn('and at low tide?', { id: 'turn_2' });
  await conversations.begin(next, now);
  await conversations.finish(next, { text: 'Five.', stop: 'answered' }, now());
  expect([await archive.interrupted(), await archive.interruptedIn('conv_1')]).toEqual([[], undefined]);
});

test('a job is not taken up as a conversation is', async () => {
  const store = await openTestStore();
  const conversations = new Conversations(store);
  const turn = testTurn('tidy up', { id: 'turn_1', origin: 'schedule' });
  await conversations.begin(turn, now);
  await conversations.finish(turn, { text: '', stop: 'step_limit' }, now());
  expect(await new ConversationArchive(store).interrupted()).toEqual([]);
});

test('lists are of one project, and as long as one wants', async () => {
  const { archive, conversations } = await ended('answered');
  const other = testTurn('hello', { id: 'turn_2', conversationId: 'conv_2', project: 'garden' });
  await conversations.begin(other, () => new Date('2026-01-16T09:00:00Z'));
  const ids = async (options: { project?: string; limit?: number }) =>
    (await archive.list(options)).map(({ id }) => id);
  expect(await ids({ project: 'garden' })).toEqual(['conv_2']);
  expect(await ids({ project: 'home' })).toEqual(['conv_1']);
  expect([await ids({}), await ids({ limit: 1 })]).toEqual([['conv_2', 'conv_1'], ['conv_2']]);
});

test('a name is one line of 120 characters', async () => {
  const { archive } = await ended('answered');
  await archive.rename('conv_1', 'The\nharbour');
  expect((await archive.get('conv_1')).title).toBe('The harbour');
  await archive.rename('conv_1', 'x'.repeat(200));
  expect((await archive.get('conv_1')).title).toBe(`${'x'.repeat(119)}…`);
});

test('an unknown conversation is named, with the nearest one or where to look', async () => {
  const { archive } = await ended('answered');
  const error = { code: 'unknown_conversation' };
  await expect(archive.get('conv_2')).rejects.toMatchObject({
    ...{ ...error, message: 'There is no conversation "conv_2".', hint: 'Did you mean "conv_1"?' },
  });
  await expect(archive.rename('harbour', 'x')).rejects.toMatchObject({ ...error, hint: '"sessions" lists them.' });
  await expect(archive.remove('harbour')).rejects.toMatchObject(error);
  await expect(archive.branch('harbour')).rejects.toMatchObject(error);
});

test('a refused call is shown to its model as it made it', () => {
  const call = { name: REFUSED_CALL, args: { tool: 'rm -rf /', args: { path: 'x' }, reason: 'unknown' } };
  expect(asMade(call)).toEqual({ name: 'rm_-rf_', args: { path: 'x' } });
  expect(asMade({ name: REFUSED_CALL, args: { tool: '', reason: 'x' } })).toEqual({ name: REFUSED_CALL, args: {} });
  expect(asMade({ name: REFUSED_CALL, args: { tool: 'a'.repeat(70), reason: 'x' } }).name).toHaveLength(64);
  const other = { name: REFUSED_CALL, args: { tool: 3 } };
  expect([asMade(other), asMade({ name: 'notify', args: {} })]).toEqual([other, { name: 'notify', args: {} }]);
});
