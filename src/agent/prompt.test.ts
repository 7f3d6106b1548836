import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testTurn } from '../testing/agent.ts';
import { temporaryFolder } from '../testing/home.ts';
import { buildSystemPrompt, type PromptOptions } from './prompt.ts';

function prompt(files: Readonly<Record<string, string>>, deps: Partial<PromptOptions> = {}): string {
  const dir = temporaryFolder();
  mkdirSync(join(dir, 'internal'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  return buildSystemPrompt({
    dir,
    turn: testTurn('x', { project: 'garden' }),
    now: new Date('2026-03-29T00:30:00Z'),
    timeZone: 'Europe/Oslo',
    project: undefined,
    context: [],
    ...deps,
  });
}

test('base first, then the others by name, nothing of internal/, then project, plugins, date', () => {
  const text = prompt(
    { 'b.txt': 'second', 'a.txt': 'first', 'base_system_prompt.txt': 'base', 'notes.md': 'no', 'internal/x.txt': 'no' },
    { project: 'Roses.', context: ['It rains.'] },
  );
  expect(text.split('\n\n')).toEqual([
    'base',
    'first',
    'second',
    'About the project "garden":\nRoses.',
    'It rains.',
    'Active project: garden.\nToday is Sunday, 29 March 2026 (2026-03-29), 01:30, time zone Europe/Oslo.',
  ]);
});

test.each([
  ['America/Los_Angeles', 'Saturday, 28 March 2026 (2026-03-28), 17:30'],
  ['Asia/Kathmandu', 'Sunday, 29 March 2026 (2026-03-29), 06:15'],
])('the date is the one in %s', (timeZone, date) => {
  expect(prompt({}, { timeZone })).toContain(`Today is ${date}, time zone ${timeZone}.`);
});

test('the files of the home come after those of the program', () => {
  const ownDir = temporaryFolder();
  writeFileSync(join(ownDir, 'base_system_prompt.txt'), 'mine too');
  writeFileSync(join(ownDir, 'a-house.txt'), 'mine');
  const text = prompt({ 'z.txt': 'theirs', 'base_system_prompt.txt': 'base' }, { ownDir });
  expect(text.split('\n\n').slice(0, 4)).toEqual(['base', 'theirs', 'mine', 'mine too']);
});

test('without any file there is still a prompt', () => {
  expect(prompt({})).toContain('Active project: garden.');
});
