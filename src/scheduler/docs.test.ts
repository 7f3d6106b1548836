import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { FakeClock } from '../testing/clock.ts';
import { testScheduler } from '../testing/scheduler.ts';
import { sqlGet } from '../testing/sql.ts';
import { nextCron, readExpression } from '../when/cron.ts';
import { understand } from '../when/understand.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, zoneOf } from '../when/zone.ts';
import { GRACE_MS } from './plan.ts';
import type { CatchUp, Overlap, RunRecord } from './types.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/scheduling.md'), 'utf8');
const NOW = new Date('2026-11-20T11:27:00Z');

/** The rows of the tables that follow a `<!-- name -->` mark. */
function rowsOf(name: string): string[][] {
  const tables = PAGE.split(`<!-- ${name} -->\n`).slice(1);
  return tables.flatMap((text) => {
    const lines = text.split('\n\n')[0]?.split('\n') ?? [];
    return lines.slice(2).map(cellsOf);
  });
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim().replace(/^`(.*)`$/u, '$1'));
}

const minutes = (times: readonly Date[]) =>
  times.map((time) => time.toISOString().slice(0, 16).replace('T', ' ')).join(', ');

describe('when: the page tells the next times', () => {
  test.each(rowsOf('when'))('%s', (said = '', next) => {
    expect(minutes(understand(said, { timeZone: 'Europe/Oslo', from: NOW }).next)).toBe(next);
  });
});

describe('when: the page tells what is refused', () => {
  test.each(rowsOf('refused'))('%s', (said = '', because) => {
    expect(() => understand(said, { timeZone: 'Europe/Oslo', from: NOW })).toThrow(
      expect.objectContaining({ code: 'bad_time', message: because }),
    );
  });
});

describe('clock changes', () => {
  test.each(rowsOf('clock-change'))('%s %s on %s', (timeZone = '', pattern = '', day, runs) => {
    const zone = zoneOf(timeZone);
    const start = zone.instantAt(Date.parse(`${day}T00:00:00Z`));
    const end = zone.instantAt(Date.parse(`${day}T00:00:00Z`) + DAY_MS);
    const found: Date[] = [];
    const expression = readExpression(pattern);
    for (
      let at = nextCron(expression, zone, new Date(start - 1));
      at && at.getTime() < end;
      at = nextCron(expression, zone, at)
    )
      found.push(at);
    expect(minutes(found) || 'none').toBe(runs);
  });
});

const LENGTHS: Readonly<Record<string, number>> = { s: 1000, h: HOUR_MS, d: DAY_MS };

function lengthOf(text: string): number {
  const [count, unit = ''] = text.split(' ');
  return Number(count) * (LENGTHS[unit] ?? 0);
}

const KINDS = { daily: 'every day at 12', hourly: 'every hour', once: 'at 12' } as const;

describe('missed runs', () => {
  const cells = rowsOf('missed').flatMap(([off = '', policies = '', ...texts]) =>
    policies
      .split(', ')
      .flatMap((policy) =>
        (['daily', 'hourly', 'once'] as const).map(
          (kind, index) => [off, policy as CatchUp, kind, texts[index] ?? ''] as const,
        ),
      ),
  );
  test('the table has 72 cases', () => expect(cells).toHaveLength(72));
  test.each(cells)('off for %s, %s, %s: %s', async (off, catchUp, kind, expected) => {
    const { clock, scheduler, store, tick, notices } = await testScheduler();
    const job = await scheduler.add({
      when: KINDS[kind],
      prompt: 'x',
      project: 'home',
      untrusted: false,
      options: { catchUp, catchUpMax: 3 },
    });
    clock.set(new Date(Date.parse('2026-11-20T12:00:00Z') + lengthOf(off)));
    await tick();
    const { history } = await scheduler.show(job.id, 1000);
    expect(summary(history)).toBe(expected);
    const digests = notices.filter((notice) => notice.key.startsWith('digest:'));
    expect(digests).toHaveLength(/late|missed/u.test(expected) ? 1 : 0);
    expect((await sqlGet(store, 'SELECT count(*) AS n FROM schedules'))?.n).toBe(1);
  });
});

/** How many ran on time, how many late, and how many times never got a run of their own. */
function summary(history: readonly RunRecord[]): string {
  const ran = history.filter((run) => run.state === 'succeeded');
  const late = ran.filter((run) => (run.startedAt?.getTime() ?? 0) - run.scheduledFor.getTime() > GRACE_MS);
  const lost = history.filter((run) => run.state === 'missed');
  const missed = lost.length + history.reduce((sum, run) => sum + run.missed, 0);
  const parts = [
    [ran.length - late.length, 'on time'],
    [late.length, 'late'],
    [missed, 'missed'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(', ');
}

describe('overlap', () => {
  const cells = rowsOf('overlap').flatMap(([takes = '', ...texts]) =>
    (['skip', 'queue', 'allow'] as const).map((policy, index) => [takes, policy, texts[index] ?? ''] as const),
  );
  test('the table has 12 cases', () => expect(cells).toHaveLength(12));
  test.each(cells)('runs of %s, %s: %s', async (takes, overlap, expected) => {
    expect(await sixHours(takes === 'for ever' ? undefined : Number.parseInt(takes, 10), overlap)).toBe(expected);
  });
});

/** An hourly job for six hours, minute by minute; each run takes so long, or listens to its deadline only. */
async function sixHours(takesMinutes: number | undefined, overlap: Overlap): Promise<string> {
  const clock = new FakeClock('2026-11-20T11:00:00Z');
  const open: { readonly end: number; finish(): void }[] = [];
  const started: number[] = [];
  const { scheduler, states } = await testScheduler({
    clock,
    onDue: ({ signal }) =>
      new Promise((resolve, reject) => {
        started.push(clock.now().getTime());
        const end =
          takesMinutes === undefined ? Number.POSITIVE_INFINITY : clock.now().getTime() + takesMinutes * MINUTE_MS;
        open.push({ end, finish: () => resolve({ state: 'succeeded', output: '' }) });
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
  });
  const options = { overlap, retries: 0, ...(takesMinutes === undefined ? { deadlineMs: 40 } : {}) };
  await scheduler.add({ when: 'every hour', prompt: 'x', project: 'home', untrusted: false, options });
  for (let minute = 0; minute < 6 * 60 + 5; minute++) {
    clock.advance(MINUTE_MS);
    for (const run of open.filter((each) => each.end <= clock.now().getTime())) run.finish();
    await settle();
    await scheduler.tick();
    if (takesMinutes === undefined && minute % 60 === 59)
      await vi.waitFor(async () => expect(await states()).not.toContain('running'));
  }
  const counts = Map.groupBy(await states(), (state) => state);
  return ['succeeded', 'failed', 'running', 'due', 'skipped']
    .filter((state) => counts.has(state as never))
    .map((state) => `${counts.get(state as never)?.length} ${state}`)
    .join(', ');
}

function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
