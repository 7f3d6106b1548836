import { expect, test } from 'vitest';
import { type CompletionSources, complete } from './complete.ts';

const SOURCES: CompletionSources = {
  commands: [
    { name: 'project', summary: 'Projects', usage: ['project [list]', 'project use NAME'], flags: ['--files'] },
    { name: 'code', summary: 'Scripts', usage: ['code', 'code log on|off'], flags: [] },
    {
      name: 'schedule',
      summary: 'Jobs',
      usage: ['schedule pause|resume ID', 'schedule list [--all]'],
      flags: ['--all'],
    },
    {
      name: 'models',
      summary: 'Models',
      usage: ['models use NAME', 'models use auto        let the router choose'],
      flags: [],
      aliases: { model: ['use'] },
    },
  ],
  flags: ['--project', '--mode'],
  values: async (kind) => [{ value: `${kind}-a` }, { value: `${kind}-b` }],
};

async function completed(text: string): Promise<string[]> {
  const found = await complete(text, text.length, SOURCES);
  return (found?.items ?? []).map(({ value }) => value.trimEnd());
}

test.each([
  ['/pro', ['/project']],
  ['/', ['/project', '/code', '/schedule', '/models']],
  ['/mdl', ['/models']],
  ['/project ', ['list', 'use']],
  ['/project u', ['use']],
  ['/project use ', ['project-a', 'project-b']],
  ['/project use project-b', ['project-b']],
  ['/project use x --f', ['--files']],
  ['/project list --project ', ['project-a', 'project-b']],
  ['/code log ', ['on', 'off']],
  ['/schedule pa', ['pause']],
  ['/schedule resume ', ['schedule-a', 'schedule-b']],
  ['/models use ', ['model-a', 'model-b', 'auto']],
  ['/model ', ['model-a', 'model-b', 'auto']],
  ['/model au', ['auto']],
  ['/schedule list --mode ', ['classic_tools', 'code_agent']],
  ['compare @file-b', ['@file-b']],
  ['mail to me@example.org', []],
  ['just words', []],
])('%j becomes %j', async (text, values) => {
  expect(await completed(text)).toEqual(values);
});
