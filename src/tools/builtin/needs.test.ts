import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { declarationTokens } from '../../agent/classic/tools.ts';
import { testTurn } from '../../testing/agent.ts';
import { openCommands } from '../../testing/commands.ts';
import { testScope } from '../../testing/scope.ts';

const MAX_TOKENS = 900;

test('a model is told of tools once there is something to use them on', async () => {
  const { app, say, home } = await openCommands();
  const declared = async () => {
    const { tools, none } = await app.tools.toolbox.declared(testTurn('x'));
    return { none, tokens: declarationTokens(tools), names: tools.map(({ name }) => name) };
  };
  const first = await declared();
  const later = ['reminders', 'changes to take back', 'notices', 'programs'];
  expect(first.none.toSorted()).toEqual(['journal entries', 'lists', 'documents', 'files', ...later].toSorted());
  expect(first.tokens).toBeLessThanOrEqual(MAX_TOKENS);
  await say('note: buy oat milk');
  expect((await declared()).none).toEqual(['lists', 'documents', 'files', 'reminders', 'notices', 'programs']);
  await say('put milk on the shopping list');
  expect((await declared()).none).toEqual(['documents', 'files', 'reminders', 'notices', 'programs']);
  await say('remind me tomorrow at 9 to call Anna');
  expect((await declared()).none).toEqual(['documents', 'files', 'notices', 'programs']);
  mkdirSync(join(home, 'projects/home'), { recursive: true });
  writeFileSync(join(home, 'projects/home/garden.md'), 'beans');
  const { none, names } = await declared();
  expect(none).toEqual(['documents', 'notices', 'programs']);
  expect(names).toEqual(expect.arrayContaining(['delete_note', 'show_lists', 'cancel_schedule', 'edit_file']));
});

test('a tool that is not declared is called all the same', async () => {
  const { app, say } = await openCommands({
    replies: [{ toolCalls: [{ name: 'list_schedules', args: {} }] }, 'Nothing is due.'],
  });
  expect((await app.tools.toolbox.declared(testTurn('x'))).none).toContain('reminders');
  expect(await say('what is scheduled?')).toMatchObject({ text: 'Nothing is due.', stop: 'answered' });
});

test('a message to somebody else is told whom the tool reaches', async () => {
  const { app } = await openCommands();
  const scope = await testScope();
  const result = await app.tools.toolbox.call('notify', { text: 'no, thank you', to: 'acme@example.org' }, scope);
  expect(result).toMatchObject({
    ok: false,
    error: expect.stringContaining('reaches the user alone: here.'),
  });
});
