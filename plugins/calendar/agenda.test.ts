import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCommands } from '../../src/testing/commands.ts';
import { testScope } from '../../src/testing/scope.ts';

const ics = (title: string) => {
  const event = ['BEGIN:VEVENT', `UID:${title}`, 'DTSTART:20300115T100000Z', `SUMMARY:${title}`, 'END:VEVENT'];
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...event, 'END:VCALENDAR', ''].join('\r\n');
};

test('in the whole program the calendar hides neither files nor reminders, and what was added is undone', async () => {
  const { app, home, run, say, session } = await openCommands({
    config: { plugins: { calendar: { enabled: true } } },
    replies: [
      { toolCalls: [{ name: 'add_event', args: { title: 'Lunch with Priya', start: '2030-01-15 13:00' } }] },
      { toolCalls: [{ name: 'schedule', args: { when: '2030-01-15 15:00', prompt: 'water the tulips' } }] },
      'Done.',
    ],
  });
  session.conversationId = 'conv_1';
  const folder = join(home, 'calendar');
  mkdirSync(folder);
  writeFileSync(join(folder, 'work.ics'), ics('Review'));
  writeFileSync(join(home, 'club.ics'), ics('Training'));
  await run(['ingest', join(home, 'club.ics')]);
  await say('lunch with Priya on 15 January 2030 at 1, and remind me at 3 to water the tulips');
  const agenda = async () => {
    const scope = await testScope({ store: app.store });
    const result = await app.tools.toolbox.call('show_agenda', { from: '2030-01-15' }, scope);
    const { events } = (result.ok ? result.value : { events: [] }) as { events: { source: string; title: string }[] };
    return events.map(({ source, title }) => `${source}: ${title}`).sort();
  };
  const before = ['calendar: Review', 'file: Training'];
  expect(await agenda()).toEqual(['calendar: Lunch with Priya', ...before, 'reminder: water the tulips']);
  await run(['undo']);
  expect(await agenda()).toEqual(before);
  expect(readdirSync(folder)).toEqual(['work.ics']);
});
