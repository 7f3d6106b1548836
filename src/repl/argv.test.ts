import { describe, expect, test } from 'vitest';
import { readArgv } from './argv.ts';

describe('what follows `wooster`', () => {
  test.each([[[]], [['chat']], [['--mode', 'code']], [['chat', '--project', 'garden']]])(
    '%j is the REPL',
    async (argv) => {
      expect((await readArgv(argv)).kind).toBe('chat');
    },
  );

  test('common flags may stand before the command', async () => {
    const found = await readArgv(['--mode', 'code', 'ask', 'why?', '-c', 'conv_1', '--json']);
    expect(found).toMatchObject({
      kind: 'command',
      words: { args: ['why?'] },
      common: { mode: 'code_agent', conversationId: 'conv_1', json: true, yes: false },
    });
  });

  test('what follows -- is text', async () => {
    expect(await readArgv(['ask', '--', '--json'])).toMatchObject({
      words: { args: ['--json'] },
      common: { json: false },
    });
  });

  test.each([
    [['aks', 'why?'], 'unknown_command', 'Did you mean "ask"?'],
    [['zzzzz'], 'unknown_command', '"wooster help" lists the commands.'],
    [['ask', '--jsn', 'why?'], 'bad_usage', 'Did you mean "--json"?'],
    [['--projct', 'x'], 'bad_usage', 'Did you mean "--project"?'],
    [['ask', 'why?', '--mode', 'cod'], 'bad_usage', 'Choose classic_tools or code_agent (short: tools, code).'],
    [['ask', 'why?', '--project'], 'bad_usage', 'Add --help to see the usage.'],
  ])('%j is refused', async (argv, code, hint) => {
    await expect(readArgv(argv)).rejects.toMatchObject({ code, hint });
  });

  test.each([
    [['--help'], undefined],
    [['ask', '--help'], 'ask'],
    [['-h', 'doctor'], 'doctor'],
    [['help'], undefined],
    [['help', 'chat'], undefined],
    [['help', 'doctor'], 'doctor'],
  ])('%j is help', async (argv, name) => {
    const found = await readArgv(argv);
    expect(found.kind === 'help' && found.command?.name).toBe(name);
  });
});
