import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { definePlugin } from '../../src/plugins/plugin.ts';
import { startPlugin } from '../../src/testing/plugin.ts';
import calendar from '../calendar/index.ts';
import contacts from '../contacts/index.ts';
import habits from '../habits/index.ts';
import tasks from '../tasks/index.ts';
import dailyReview from './index.ts';

const BROKEN = definePlugin({
  name: 'broken',
  version: '1.0.0',
  description: 'Never has anything to say.',
  provides: ['briefing'],
  getServices: () => ({ briefing: () => Promise.reject(new Error('the stars are out of reach')) }),
});

test('the day is told from the plugins that are on, and one that fails is named', async () => {
  const { call, home } = await startPlugin(dailyReview, { beside: [calendar, contacts, habits, tasks, BROKEN] });
  const event = 'BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20260115T130000Z\r\nSUMMARY:Dentist\r\nEND:VEVENT';
  mkdirSync(join(home, 'calendar'));
  writeFileSync(join(home, 'calendar/a.ics'), `BEGIN:VCALENDAR\r\n${event}\r\nEND:VCALENDAR\r\n`);
  await call('add_contact', { name: 'Ada', birthday: '--01-16' });
  await call('create_habit', { name: 'Run' });
  await call('add_next_action', { text: 'Pay rent', due: '2026-01-14' });
  await call('capture_item', { text: 'thought' });
  expect(await call('get_daily_review')).toBe(`Thursday 15 January 2026

**Calendar**
- 14:00 Dentist

**Birthdays**
- 2026-01-16 Ada

**Habits**
- Run

**Tasks**
- Pay rent (due 2026-01-14)
- 1 item in the inbox

Left out: the stars are out of reach`);
});

test('each morning it comes by itself, also when there is nothing to tell', async () => {
  const { runTask } = await startPlugin(dailyReview);
  expect(await runTask('dailyReview.send')).toMatch(/^\w+day \d+ \w+ \d{4}\n\nNothing is planned\.$/u);
});
