import { expect, test } from 'vitest';
import { openCommands } from '../testing/commands.ts';

test('a mistyped word behind a command gets the nearest one, and no word is too strange', async () => {
  const { run } = await openCommands();
  const typos = {
    mcp: 'tst',
    memory: 'serch',
    plugins: 'lst',
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

test('a word that is a command of its own, or a project, is meant as that', async () => {
  const { run, app } = await openCommands();
  await expect(run(['rag', 'ingest'])).rejects.toMatchObject({ hint: 'Did you mean "ingest"?' });
  app.knowledge.projects.create('flat');
  await expect(run(['project', 'flat'])).rejects.toMatchObject({ hint: 'Did you mean "project use flat"?' });
});
