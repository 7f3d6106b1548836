import { expect, test } from 'vitest';
import { sqlAll } from '../../testing/sql.ts';
import { openTestStore } from '../../testing/stores.ts';
import { modeSums, TurnCounts } from './mode-stats.ts';

const day = (date: number) => new Date(`2026-01-${date}T09:00:00Z`);
const counts = (replies: number, clean: number, retries: number) =>
  Object.assign(new TurnCounts(), { replies, clean, retries });
const usage = (model: string, mode: string) => ({
  ...{ model, mode, turns: 1, inputTokens: 1, outputTokens: 1, meanLatencyMs: 1 },
});

test('a turn is counted once, as it ended', async () => {
  const store = await openTestStore();
  await new TurnCounts().save(store, { turnId: 'turn_1', model: 'small', fellBack: false }, day(10));
  await counts(3, 2, 1).save(store, { turnId: 'turn_1', model: 'small', fellBack: true }, day(11));
  expect(
    await sqlAll(store, 'SELECT turn_id, model, replies, clean, retries, fell_back, created_at FROM code_turns'),
  ).toEqual([
    {
      ...{ turn_id: 'turn_1', model: 'small', replies: 3, clean: 2, retries: 1, fell_back: 1 },
      created_at: '2026-01-11T09:00:00.000Z',
    },
  ]);
});

test('turns are added up for each model that wrote scripts, in the order of its usage', async () => {
  const store = await openTestStore();
  await counts(3, 2, 1).save(store, { turnId: 'turn_1', model: 'small', fellBack: true }, day(10));
  await counts(4, 4, 0).save(store, { turnId: 'turn_2', model: 'small', fellBack: false }, day(12));
  await counts(1, 1, 0).save(store, { turnId: 'turn_3', model: 'large', fellBack: false }, day(12));
  const used = [usage('small', 'code_agent'), usage('small', 'classic_tools'), usage('other', 'code_agent')];
  expect(await modeSums(store, used)).toEqual([
    { ...used[0], replies: 7, cleanReplies: 6, retries: 1, fallbacks: 1 },
    used[1],
    used[2],
  ]);
  expect(await modeSums(store, [usage('small', 'code_agent')], day(12))).toEqual([
    { ...used[0], replies: 4, cleanReplies: 4, retries: 0, fallbacks: 0 },
  ]);
  expect(await modeSums(store, [usage('small', 'code_agent')], day(13))).toEqual([used[0]]);
});
