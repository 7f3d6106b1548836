import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MODES } from './base/turn.ts';
import { temporaryFolder } from './testing/home.ts';
import { rows, wooster } from './testing/wooster.ts';

/** The owner is away: neither zone has the machine's offset, and they lie on either side of it. */
const ZONES = ['America/New_York', 'Asia/Kathmandu'] as const;

/** `2026-11-20 08:00` in the zone; not read with our own arithmetic. */
function wallIn(timeZone: string, at: Date | string): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return format.format(new Date(at));
}

function homeOf(timeZone: string) {
  const home = temporaryFolder();
  const env = { TZ: 'UTC', WOOSTER_TIME_ZONE: timeZone };
  return { home, run: (...args: readonly string[]) => wooster(args, { home, env }) };
}

describe.each(ZONES)('for an owner in %s, on a machine in UTC', (timeZone) => {
  test.each(MODES)('%s says the time of a reminder that it stores', async (mode) => {
    const { run } = homeOf(timeZone);
    const asked = await run('ask', 'remind me tomorrow at 8am to call Ingrid', '--mode', mode);
    expect(asked.stdout).toMatch(/call Ingrid\. It comes tomorrow, [^\n]* at 08:00 /u);
    const jobs = rows((await run('schedule', 'list', '--json')).stdout);
    const tomorrow = wallIn(timeZone, new Date(Date.now() + 86_400_000)).slice(0, 10);
    expect(jobs).toHaveLength(1);
    expect(wallIn(timeZone, String(jobs[0]?.next))).toBe(`${tomorrow} 08:00`);
  });

  test.each(MODES)('%s says the first run of a repetition that it stores', async (mode) => {
    const { run } = homeOf(timeZone);
    const asked = await run('ask', 'every day at 8am say good morning', '--mode', mode);
    expect(asked.code, asked.stderr).toBe(0);
    if (mode === 'classic_tools') expect(asked.stdout).toMatch(/It comes on \w+ \d+ \w+ \d+ at 08:00, then /u);
    const [job] = rows((await run('schedule', 'list', '--json')).stdout);
    expect(wallIn(timeZone, String(job?.next))).toMatch(/ 08:00$/u);
  });

  test('dates, journal, inbox, usage and log are those of the owner', async () => {
    const { home, run } = homeOf(timeZone);
    const before = wallIn(timeZone, new Date());
    const said = await run('ask', 'what time is it?');
    await run('ask', 'note: the spare key is with Ingrid');
    const usage = rows((await run('usage', '--by', 'day', '--json')).stdout);
    const sessions = (await run('sessions')).stdout;
    const after = wallIn(timeZone, new Date());
    const journal = readFileSync(join(home, 'projects/home/home.md'), 'utf8');
    expect([before.slice(11), after.slice(11)]).toContainEqual(/It is (\d\d:\d\d)/u.exec(said.stdout)?.[1]);
    expect([before, after]).toContain(/^## (.+)$/mu.exec(journal)?.[1]);
    expect(usage.map(({ group }) => group)).toContain(before.slice(0, 10));
    expect([before, after].filter((at) => sessions.includes(at))).not.toEqual([]);
    expect(readdirSync(join(home, 'logs'))).toContain(`${before.slice(0, 10)}.jsonl`);
  });
});

test('a time that is not clear is asked for, not guessed, and the answer completes the request', async () => {
  const { home } = homeOf('Asia/Kathmandu');
  const input = 'remind me tomorrow from 5pm to 6pm to call Ingrid\ntomorrow at 5pm\n/schedule list\n/quit\n';
  const ran = await wooster([], { home, input, env: { TZ: 'UTC', WOOSTER_TIME_ZONE: 'Asia/Kathmandu' } });
  expect(ran.stdout).toContain('It is a span of time, not one time');
  expect(ran.stdout).toContain('Scheduled: call Ingrid. It comes tomorrow, ');
});

test('a time zone that does not exist is refused with the nearest one', async () => {
  const ran = await wooster(['ask', 'hello'], { home: temporaryFolder(), env: { WOOSTER_TIME_ZONE: 'Europe/Olso' } });
  expect(ran.code).not.toBe(0);
  expect(ran.stderr).toContain('Did you mean Europe/Oslo?');
});
