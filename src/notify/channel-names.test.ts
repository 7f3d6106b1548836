import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { camelCase } from '../base/text.ts';
import { REMOTE_CHANNELS, toolNameOf } from './channels.ts';

const SRC = resolve(import.meta.dirname, '..');

/** These speak of the services for reasons of their own. */
const EXEMPT: readonly string[] = [
  'notify/channels.ts',
  // The forms of webhooks and tokens, to be hidden wherever they stand.
  'base/secret-rules.ts',
  // The tool call that the legacy scheduler stored for each of its messages.
  'scheduler/legacy-import.ts',
  // Services that people name in a request, whether there is a channel for them or not.
  'builtin/handlers/elsewhere.ts',
  // Examples of routes and commands, for people.
  'notify/routes.ts',
  'settings/slices/routes.ts',
  'repl/commands/channel.ts',
  'repl/commands.gen.ts',
];

/** Ids that are words of their own. */
const WORDS: ReadonlySet<string> = new Set(['signal', 'email', 'webhook']);

/**
 * Every way a program could name a channel: its tool, its function, its label in words, its id as a value. An id in
 * quotes may be another word where it names a field of a type, as `'signal'` does in `Pick<TurnContext, 'signal'>`.
 */
const NAMES = REMOTE_CHANNELS.flatMap((channel) => [
  new RegExp(`${toolNameOf(channel)}|${camelCase(toolNameOf(channel))}\\b`, 'u'),
  new RegExp(`\\b${channel.id.toUpperCase()}_(?!CODES\\b)[A-Z]`, 'u'),
  new RegExp(`(?<!<[^<>]*)['"]${channel.id}['"]`, 'u'),
  ...Object.keys(channel.options).map((name) => new RegExp(`\\b${name}\\b`, 'u')),
  ...(channel.id === 'signal' ? [/\bSignal (?:group|account|message|notice)|signal-cli/u] : []),
  ...(WORDS.has(channel.id) ? [] : [new RegExp(channel.id, 'iu')]),
]);

test('only the list and the files in channels/ name a channel, so a new one is one file and one line', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      /\.ts$/u.test(path) &&
      !/\.(?:test|contract)\.ts$|^testing\/|^notify\/channels\//u.test(path) &&
      !EXEMPT.includes(path),
  );
  const naming = files.flatMap((path) =>
    readFileSync(join(SRC, path), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        NAMES.some((name) => name.test(line)) ? [`${path}:${index + 1}: ${line.trim()}`] : [],
      ),
  );
  expect(files.length).toBeGreaterThan(200);
  expect(naming).toEqual([]);
});
