import { expect, test } from 'vitest';
import { z } from 'zod';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { sqlGet } from '../../testing/sql.ts';
import { defineTool } from '../tool.ts';
import { allowing, type RehearsedCall, rehearsing } from './limits.ts';

async function setUp() {
  const done: string[] = [];
  const scope = await testScope();
  const shared = { reads: 'public', returns: 'trusted', timeoutMs: 1000 } as const;
  const input = z.object({ to: z.string() });
  const toolbox = testToolbox(
    [
      defineTool({
        ...shared,
        name: 'look',
        description: 'Look.',
        input,
        effect: 'none',
        destination: ({ to }) => to,
        execute: async () => 'seen',
      }),
      defineTool({
        ...shared,
        name: 'send',
        description: 'Send.',
        input,
        output: z.object({ id: z.string() }),
        effect: 'outbound',
        recipient: ({ to }) => ({ channel: to, address: 'owner', own: true }),
        execute: async ({ to }) => {
          done.push(to);
          return { id: '1' };
        },
      }),
    ],
    scope,
  );
  return { done, scope, toolbox };
}

test('a rehearsal reads for real and notes what it would have sent', async () => {
  const { done, scope, toolbox } = await setUp();
  const calls: RehearsedCall[] = [];
  const rehearsal = rehearsing(toolbox, (call) => calls.push(call));
  expect(await rehearsal.call('look', { to: 'https://x.test/page?q=1' }, scope)).toMatchObject({
    ok: true,
    value: 'seen',
  });
  expect(await rehearsal.call('send', { to: 'discord' }, scope)).toMatchObject({
    ok: true,
    text: expect.stringContaining('not done'),
  });
  expect(done).toEqual([]);
  expect((await sqlGet(scope.store, 'SELECT count(*) AS n FROM effects'))?.n).toBe(0);
  expect(calls.map(({ tool, destination, stubbed }) => [tool, destination, stubbed])).toEqual([
    ['look', 'https://x.test', false],
    ['send', 'discord:owner', true],
  ]);
});

test('only what is allowed is done, the rest is refused and reported', async () => {
  const { done, scope, toolbox } = await setUp();
  const refused: string[] = [];
  const pinned = allowing(toolbox, { tools: ['send'], destinations: ['discord:owner'] }, (what) => refused.push(what));
  expect(await pinned.call('send', { to: 'discord' }, scope)).toMatchObject({ ok: true });
  expect(await pinned.call('send', { to: 'signal' }, scope)).toMatchObject({ ok: false });
  expect(await pinned.call('look', { to: 'https://x.test/' }, scope)).toMatchObject({ ok: false });
  expect(done).toEqual(['discord']);
  expect(refused).toEqual(['send to signal:owner', 'look to https://x.test']);
});
