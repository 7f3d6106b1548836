import { expect, onTestFinished, test } from 'vitest';
import { FAULTS, tryEffect } from './fault-lab.ts';
import { needs } from './needs.ts';
import { tryPage, usedHome } from './page-faults.ts';
import { type ProgramFault, tryPrograms } from './program-faults.ts';
import { serverTrials, tryServer } from './server-faults.ts';

const READ = new Set(['schedules', 'turns_by_status', 'sqlite_autoindex_channel_states_1']);

// All effects and all writes: `npm run faults`.
test.each([
  ['a note among others', 4],
  ['an overwritten file', 4],
  ['a moved file', 6],
  ['a reminder', 6],
])(
  '%s, with a fault at every %ith write: nothing lost, doubled or hidden',
  async (effect, every) => {
    for (const fault of FAULTS) {
      const runs = await tryEffect(effect, fault, every);
      expect(runs.length).toBeGreaterThan(1);
      expect(runs.filter(({ broken }) => broken.length > 0)).toEqual([]);
    }
  },
  120_000,
);

const hasStrace = needs('strace');

test('whole programs that are killed, stopped, lose their disk or share a home keep what they confirmed', async () => {
  const faults: [ProgramFault, number][] = [
    ['SIGKILL at some moment', 4],
    ['SIGSTOP for minutes, another program at work', 5],
    ...(hasStrace ? ([['EIO of a system call', 40]] as [ProgramFault, number][]) : []),
  ];
  const runs = await Promise.all(faults.map(([fault, run]) => tryPrograms(fault, run, 500)));
  expect(runs.filter(({ broken }) => broken.length > 0)).toEqual([]);
  expect(runs.reduce((sum, { confirmed }) => sum + confirmed, 0)).toBeGreaterThan(10);
}, 120_000);

test('servers that are dead or lie: nothing lost, doubled or hidden, and no request hangs', async () => {
  const chosen = [
    'model, it breaks off in its answer: classic_tools, request 2, from then on',
    'model, its answer has no end: code_agent, request 2, once',
    'Discord, it takes it and fails: part 2, until a restart',
    'Discord, it answers another request: part 1, once',
    'Signal, it lost the server after it took it: until a restart',
    'MCP, it takes it and breaks off: tools/call, until a restart',
    'MCP, it answers another request: tools/list, once',
  ];
  const trials = serverTrials().filter(({ server, fault, how }) => chosen.includes(`${server}, ${fault}: ${how}`));
  expect(trials).toHaveLength(chosen.length);
  const runs = await Promise.all(trials.map(tryServer));
  expect(runs.filter(({ broken }) => broken.length > 0)).toEqual([]);
  expect(runs.filter(({ unknown }) => unknown)).toHaveLength(4);
}, 120_000);

test('a page that was overwritten: the doctor names it, and a backup or salvaging brings the home back', async () => {
  const home = await usedHome();
  onTestFinished(() => home.remove());
  // Among them pages that every program reads when it starts, and that only the doctor reads.
  const chosen = [...home.pages].filter(([page, holder]) => page % 15 === 0 || READ.has(holder));
  const runs = await Promise.all(chosen.map(([page]) => tryPage(home, page)));
  expect(runs.length).toBeGreaterThan(8);
  expect(runs.filter(({ broken }) => broken.length > 0)).toEqual([]);
}, 120_000);
