import { expect, test } from 'vitest';
import type { Status } from '../face/status-report.ts';
import { servingText } from './status-checks.ts';

const RUNS: Status['runs'] = {
  ...{ due: 0, inProgress: 0, oldestDueMs: null, workers: [] },
  ...{ lastRun: '2026-11-26T08:00:00.000Z', nextRun: null },
};
const SERVER = { kind: 'server', host: 'desk', pid: 7, since: '2026-11-25T08:00:00.000Z', seenMsAgo: 5 };

test.each([
  ['nobody', [], 'nobody is serving: jobs run only while a prompt is open'],
  ['a service', [SERVER], '`wooster serve`, process 7 on desk since 2026-11-25T08:00:00.000Z'],
  [
    'two',
    [SERVER, { ...SERVER, kind: 'prompt' }],
    '`wooster serve`, process 7 on desk since 2026-11-25T08:00:00.000Z and 1 other program',
  ],
  ['a prompt', [{ ...SERVER, kind: 'prompt' }], 'a prompt, process 7 on desk since 2026-11-25T08:00:00.000Z'],
])('who serves a home is told: %s', (_, serving, who) => {
  expect(servingText(serving, RUNS)).toBe(`${who}; last run 2026-11-26T08:00:00.000Z, next run none`);
});
