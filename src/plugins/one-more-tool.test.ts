import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { page } from '../../scripts/tools-page.ts';
import { testContext, testTurn } from '../testing/agent.ts';
import { openCommands } from '../testing/commands.ts';

const TOOL = `defineTool({
        name: 'garden.count', description: 'Count the beds.', input: z.object({ of: z.string() }),
        policy: { effect: 'none' }, provenance: { readsFrom: [] }, execute: ({ of }) => '3 beds of ' + of,
      }),`;

test('a tool that is added to a plugin is in both modes, on the page of tools and listed, without another line', async () => {
  const heard: string[] = [];
  const answer = (messages: readonly { text: string }[]) => {
    heard.push(messages.map(({ text }) => text).join('\n'));
    return 'Done.';
  };
  const call = { toolCalls: [{ name: 'garden_count', args: { of: 'oats' } }] };
  const script = '```js\nfinalAnswer(await tools["garden.count"]({ of: "rye" }));\n```';
  const { app, home, run } = await openCommands({ replies: [call, answer, script] });
  await run(['plugin', 'new', 'garden']);
  const file = join(home, 'user-plugins', 'garden', 'index.ts');
  const source = readFileSync(file, 'utf8');
  writeFileSync(file, source.replace('return [', `return [${TOOL}`));
  await run(['plugin', 'enable', 'garden', '--yes'], ['y']);
  expect(app.tools.plugins.list().find(({ name }) => name === 'garden')?.tools).toContain('garden.count');

  const turn = (mode: 'classic_tools' | 'code_agent') =>
    app.turns.run(testTurn('how many beds of oats?', { mode, conversationId: `conv_${mode}` }), testContext());
  expect((await turn('classic_tools')).stop).toBe('answered');
  expect(heard.join('\n')).toContain('3 beds of oats');
  expect((await turn('code_agent')).text).toContain('3 beds of rye');
  const origins = new Map(
    app.tools.plugins.list().flatMap(({ name, tools }) => tools.map((tool) => [tool, name] as const)),
  );
  expect(page(app.tools.toolbox.list(), origins)).toMatch(
    /^\| `garden\.count` \| `gardenCount\(.*\| garden \| Count the beds/mu,
  );
  expect((await run(['tools', 'garden.count'])).lines.join('\n')).toContain('Count the beds.');
});
