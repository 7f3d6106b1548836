import { describe, expect, test } from 'vitest';
import { readArgv } from './argv.ts';

describe('what follows `wooster`', () => {
  test.each([[[]], [['chat']], [['--mode', 'code']], [['chat', '--project', 'garden']]])('%j is the REPL', (argv) => {
    expect(readArgv(argv).kind).toBe('chat');
  });

  test('common flags may stand before the command', () => {
    const found = readArgv(['--mode', 'code', 'ask', 'why?', '-c', 'conv_1', '--json']);
    expect(found).toMatchObject({
      kind: 'command',
      words: { args: ['why?'] },
      common: { mode: 'code_agent', conversationId: 'conv_1', json: true, yes: false },
    });
  });

  test.each([
    [['deny', 'prop_1'], 'approvals', ['deny', 'prop_1'], {}],
    [['--json', 'status'], 'doctor', ['status'], { json: true }],
    [['untrust', 'downloads'], 'trust', ['downloads'], { not: true }],
    [['plugin', 'enable', 'x'], 'plugins', ['enable', 'x'], {}],
    [['home', 'add', 'anna'], 'store', ['homes', 'add', 'anna'], {}],
  ])('%j is another word for a form of %s', (argv, name, args, flags) => {
    expect(readArgv(argv)).toMatchObject({ kind: 'command', command: { name }, words: { args, flags } });
  });

  test('what follows -- is text', () => {
    expect(readArgv(['ask', '--', '--json'])).toMatchObject({
      words: { args: ['--json'] },
      common: { json: false },
    });
  });

  test.each([
    [['aks', 'why?'], 'unknown_command', 'Did you mean "ask"?'],
    [['zzzzz'], 'unknown_command', '"wooster help" lists the commands.'],
    [['ask', '--jsn', 'why?'], 'bad_usage', 'Did you mean "--json"?'],
    [['--projct', 'x'], 'bad_usage', 'Did you mean "--project"?'],
    [['ask', 'why?', '--mode', 'cod'], 'bad_usage', 'Use classic_tools or code_agent (short: tools, code).'],
    [['ask', 'why?', '--project'], 'bad_usage', 'Add --help to see the usage.'],
  ])('%j is refused', (argv, code, hint) => {
    expect(() => readArgv(argv)).toThrow(expect.objectContaining({ code, hint }));
  });

  test.each([
    [['--help'], undefined],
    [['ask', '--help'], 'ask'],
    [['-h', 'doctor'], 'doctor'],
    [['help'], undefined],
    [['help', 'chat'], undefined],
    [['help', 'doctor'], 'doctor'],
    [['help', 'all'], 'all'],
    [['help', 'deny'], 'approvals'],
    [['deny', '--help'], 'approvals'],
  ])('%j is help', (argv, name) => {
    const found = readArgv(argv);
    expect(found.kind === 'help' && (found.about === 'all' ? 'all' : found.about?.name)).toBe(name);
  });

  test('help --web is the docs as a site', () => {
    expect(readArgv(['help', '--web'])).toEqual({ kind: 'site', folder: undefined, json: false });
    expect(readArgv(['--json', 'help', '--web', '--output', 'site'])).toMatchObject({ folder: 'site', json: true });
  });
});
