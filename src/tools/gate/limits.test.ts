import { expect, test } from 'vitest';
import { z } from 'zod';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { sqlGet } from '../../testing/sql.ts';
import { defineTool } from '../tool.ts';
import { allowing, type RehearsedCall, rehearsing } from './limits.ts';

async function setUp() {
  const done: string[] = [];
  const scope = await testScope();
  const shared = { provenance: { readsFrom: [] }, timeoutMs: 1000 } as const;
  const input = z.object({ to: z.string() });
  const toolbox = testToolbox(
    [
      defineTool({
        ...shared,
        name: 'look',
        description: 'Look.',
        input,
        policy: { effect: 'none', destination: ({ to }) => to },
        provenance: { ...shared.provenance, found: () => ['https://found.test/'] },
        execute: async () => 'seen',
      }),
      defineTool({
        ...shared,
        name: 'note',
        description: 'Note.',
        input,
        policy: { effect: 'local' },
        execute: () => 'noted',
      }),
      defineTool({
        ...shared,
        name: 'send',
        description: 'Send.',
        input,
        output: z.object({ id: z.string() }),
        policy: {
          effect: 'outbound',
          recipient: ({ to }) => ({ channel: to, address: 'owner', own: true }),
        },
        provenance: { ...shared.provenance, found: ({ id }) => [`https://x.test/${id}`] },
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
  expect(scope.destinations).toEqual(new Set(['https://found.test/']));
  expect(await rehearsal.call('send', { to: 'discord' }, scope)).toMatchObject({
    ok: true,
    text: 'Rehearsal: this was not done; continue as if it had been.',
  });
  expect(done).toEqual([]);
  expect(scope.destinations).toEqual(new Set(['https://found.test/']));
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
  expect(await pinned.call('note', { to: 'me' }, scope)).toEqual({
    ...{ ok: false, told: expect.anything(), reason: 'failed' },
    error:
      'note failed: note is not something that the owner allowed for this job; it was not done. ' +
      '`wooster schedule rehearse JOB --pin` allows more',
  });
  expect(refused).toEqual(['send to signal:owner', 'look to https://x.test', 'note']);
});

test.each([
  ['look', 'https://x.test/other?q=2', true],
  ['look', 'https://x.test:8443/', false],
  ['look', 'http://x.test/', false],
  ['look', 'x.test/page', false],
  ['look', 'data:text/plain,x', false],
  ['note', 'whatever', true],
])('with https://x.test allowed, %s to %s is done: %s', async (name, to, ok) => {
  const { scope, toolbox } = await setUp();
  const refused: string[] = [];
  const allowed = { tools: ['look', 'note'], destinations: ['https://x.test'] };
  const pinned = allowing(toolbox, allowed, (what) => refused.push(what));
  expect((await pinned.call(name, { to }, scope)).ok).toBe(ok);
  expect(refused).toEqual(ok ? [] : [`look to ${to.replace(/(?<=\w)\/$/u, '')}`]);
});
