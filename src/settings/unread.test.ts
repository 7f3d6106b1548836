import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { locateHome } from './home.ts';
import { unreadSettings } from './unread.ts';

/** The unread settings of a home with this `.env` and config/local.json. */
function unread({ env, config, variables = {} }: { env?: string; config?: string; variables?: NodeJS.ProcessEnv }) {
  const home = locateHome(temporaryFolder());
  if (env !== undefined) writeFileSync(home.envFile, env);
  if (config !== undefined) {
    mkdirSync(join(home.dir, 'config'));
    writeFileSync(join(home.dir, 'config', 'local.json'), config);
  }
  return unreadSettings({ home, env: variables });
}

test('a home without files has nothing that is not read', () => {
  expect(unread({})).toEqual([]);
});

test.each([
  ['OPENAI_KEY', 'set OPENAI_API_KEY'],
  ['OPENAI_API_BASE', 'set OPENAI_BASE_URL'],
  ['LOGGING_CONSOLE_LOG_LEVEL', 'add --verbose to see the log on the terminal'],
  ['PLUGIN_CALCULATOR_ENABLED', 'no longer needed: `calculate` is always there'],
  ['MODEL_ROUTING_FALLBACK_CHAIN', '`wooster models` shows the order that is used'],
])('%s is of an earlier version or another program: %s', (name, instead) => {
  expect(unread({ variables: { [name]: '1' } })).toEqual([{ name, instead }]);
  expect(unread({ variables: { [name]: '' } })).toEqual([]);
});

test('of the lines of .env, only those count that look like a slip', () => {
  const known = ['CHAT_MODE=auto', 'LOG_LEVEL=debug', 'OPENAI_KEY=k', 'HTTPS_PROXY=http://proxy'];
  expect(unread({ env: [...known, 'LOG_LEVELS=debug'].join('\n') })).toEqual([
    { name: 'LOG_LEVELS', instead: 'did you mean LOG_LEVEL?' },
  ]);
});

test.each([
  ['a key that there is', '{"agent": {"maxIterations": 9}}', []],
  ['what is below one', '{"budget": {"dayUsd": {"max": 1}}}', []],
  ['what a plugin is told', '{"plugins": {"mine": {"agent": 1}}}', []],
  ['a slip', '{"agent": {"maxIteration": 9}}', [['agent.maxIteration', 'did you mean agent.maxIterations?']]],
  ['the name of a group', '{"budget": 5}', [['budget', 'there is no such key']]],
  ['what begins like a key', '{"timeZoneOfMyOwnAndMore": 5}', [['timeZoneOfMyOwnAndMore', 'there is no such key']]],
  [
    'a key inside of an unknown group',
    '{"x": {"y": 1, "z": [1]}}',
    ['x.y', 'x.z'].map((key) => [key, 'there is no such key']),
  ],
  ['comments, which the settings may have', '{\n  // mine\n  "agent": {"maxIterations": 9},\n}', []],
])('config/local.json: %s', (_, config, expected) => {
  expect(unread({ config })).toEqual(
    expected.map(([key, instead]) => ({ name: `${key} in config/local.json`, instead })),
  );
});
