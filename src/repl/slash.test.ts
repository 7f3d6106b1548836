import { describe, expect, test } from 'vitest';
import { commandsFor } from './command-list.ts';
import { COMMANDS } from './commands.gen.ts';
import { readLine, splitWords } from './slash.ts';

describe('a line at the prompt', () => {
  const command = (name: string, ...words: string[]) => ({ kind: 'command', name, words });
  test.each([
    ['/mode code', command('mode', 'code')],
    ['  /QUIT ', command('quit')],
    ['exit', command('quit')],
    ['mode  tools', command('mode', 'tools')],
    ['mode', command('mode')],
    ['Code', command('code')],
    ['code log on', command('code', 'log', 'on')],
    ['code attempts 3', command('code', 'attempts', '3')],
    ['list models', command('models')],
    ['List Plugins', command('plugins')],
    ['list reminders', command('schedule', 'list')],
    ['create project garden', command('project', 'create', 'garden')],
    ['load project garden', command('project', 'use', 'garden')],
    ['rebuild embeddings', command('ingest', '--rebuild')],
    ['list files', command('sources')],
    ['routing status', command('models', 'routing')],
    ['switch model gpt-4o', command('models', 'use', 'gpt-4o')],
    [
      '/schedule add --when "every day at 9" --prompt \'say hi\'',
      command('schedule', 'add', '--when', 'every day at 9', '--prompt', 'say hi'),
    ],
  ])('%s', (line, meaning) => {
    expect(readLine(line)).toEqual(meaning);
  });

  test.each([
    ['what can you do?', 'what can you do?'],
    ['help me plan a trip', 'help me plan a trip'],
    ['/etc/hosts says what?', '/etc/hosts says what?'],
    ['//quit is a word', '/quit is a word'],
    ['mode of transport?', 'mode of transport?'],
    ['code review checklist', 'code review checklist'],
  ])('is a question: %s', (line, text) => {
    expect(readLine(line)).toEqual({ kind: 'turn', text });
  });

  test('an empty one means nothing', () => {
    expect(readLine('   ')).toEqual({ kind: 'empty' });
  });
});

test('every old form names a command that exists', () => {
  const names = commandsFor(COMMANDS, 'slash').map((entry) => entry.name);
  const lines = ['exit', 'help', 'status', 'mode code', 'list models', 'list files', 'list projects', 'list reminders'];
  const more = ['cancel job_1', 'create project a', 'quit project', 'routing status', 'model stats', 'switch model a'];
  for (const line of [...lines, ...more, 'rebuild embeddings']) {
    const meaning = readLine(line);
    expect(names, line).toContain(meaning.kind === 'command' ? meaning.name : undefined);
  }
});

test.each([
  [`don't stop`, [`don't`, 'stop']],
  [`--when="in 1 minute" x`, ['--when=in 1 minute', 'x']],
  [`"a \\"b\\" c" ''`, ['a "b" c', '']],
  [`an "open quote`, ['an', '"open', 'quote']],
])('words of %s', (line, words) => {
  expect(splitWords(line)).toEqual(words);
});
