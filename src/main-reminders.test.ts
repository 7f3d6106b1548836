import { describe, expect, test } from 'vitest';
import { temporaryFolder } from './testing/home.ts';
import { reminderRound } from './testing/reminder-rounds.ts';
import { wooster } from './testing/wooster.ts';

const LONG_MS = 180_000;

describe('reminders typed at a prompt beside a service are shown there, each once or marked', () => {
  test.each([
    ['nobody is killed', undefined],
    ['the prompt is killed', { victim: 'prompt', afterMs: 3500 } as const],
    ['the service is killed', { victim: 'server', afterMs: 2500 } as const],
  ])(
    'when %s',
    async (_name, kill) => {
      expect(await reminderRound({ home: temporaryFolder(), reminders: 3, kill })).toEqual([]);
    },
    LONG_MS,
  );
});

test('a pipe takes no deliveries: what is due waits, and is still said to be missed', async () => {
  const home = temporaryFolder();
  await wooster(['schedule', 'add', 'in 1 second', '--message', 'feed the cat', '--yes'], { home });
  const piped = await wooster([], {
    home,
    input: 'what time is it?\nremind me in 1 second to feed the dog\n/schedule list\n',
  });
  expect(piped.stdout).not.toMatch(/^(?:Due [0-9:]+ )?feed the/mu);
  // A second takes as many starts as the machine is fast.
  let missed = '';
  for (let start = 0; start < 20 && !missed.includes('feed the cat'); start += 1) {
    expect((await wooster([], { home, input: 'what time is it?\n' })).stdout).not.toMatch(
      /^(?:Due [0-9:]+ )?feed the/mu,
    );
    missed = (await wooster(['ask', 'did I miss any reminders?'], { home })).stdout;
  }
  expect(missed).toContain('feed the cat');
});
