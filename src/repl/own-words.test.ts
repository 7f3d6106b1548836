import { expect, test } from 'vitest';
import { openCommands } from '../testing/commands.ts';

test('a mistyped word behind a command gets the nearest one, and no word is too strange', async () => {
  const { run } = await openCommands();
  const typos = {
    mcp: 'tst',
    memory: 'serch',
    plugin: 'lst',
    project: 'delet',
    rag: 'serch',
    schedule: 'lst',
    sessions: 'renam',
    skills: 'trst',
    think: 'chek',
    workspace: 'offf',
  };
  const meant = ['test', 'search', 'list', 'delete', 'search', 'list', 'rename', 'trust', 'check', 'off'];
  for (const [index, [name, word]] of Object.entries(typos).entries()) {
    const hint = `Did you mean "${name} ${meant[index]}"?`;
    await expect(run([name, word])).rejects.toMatchObject({ code: 'bad_usage', hint });
    await expect(run([name, 'constructor', 'x'])).rejects.toMatchObject({
      code: 'bad_usage',
      message: `Unknown subcommand "${name} constructor".`,
    });
  }
});
