import { expect, test } from 'vitest';
import { temporaryFolder } from '../home.ts';
import { figuresOf, PLAYERS, type Played, type Player, playRecorded, recordedTasks } from './play.ts';

/** More than any run takes: only a hang is slower. */
const HANG_MS = 600_000;
/** The most tokens that are sent, as it is now. */
const SENT = {
  capable: { classic_tools: 55_600, code_agent: 31_200 },
  weak: { classic_tools: 66_300, code_agent: 48_900 },
} as const;
/** The most requests of a turn, as it is now. */
const REQUESTS = {
  capable: { classic_tools: 1.9, code_agent: 1.4 },
  weak: { classic_tools: 2.3, code_agent: 2.3 },
} as const;

test.each(Object.keys(PLAYERS) as Player[])(
  'the recorded play of a %s model does every task, as cheaply as before',
  {
    timeout: HANG_MS,
  },
  async (player) => {
    const played = await playRecorded(temporaryFolder(), player, { tasks: await recordedTasks() });
    const strange = (run: Played) => !run.ok || run.requests !== run.recorded;
    expect(
      played.filter(strange).map(({ task, mode, failed, requests }) => ({ task, mode, failed, requests })),
    ).toEqual([]);
    const figures = figuresOf(played);
    for (const { mode, requestsPerTurn, sentTokens } of figures) {
      expect(requestsPerTurn).toBeLessThanOrEqual(REQUESTS[player][mode]);
      expect(sentTokens).toBeLessThanOrEqual(SENT[player][mode]);
    }
  },
);
