import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { defineTool } from '../tool.ts';

test('a local call that is done just after its time, as after a sleep of the machine, counts as done', async () => {
  const slow = defineTool({
    ...{ name: 'slow', description: '', effect: 'local', change: 'append', reads: 'public', returns: 'trusted' },
    ...{ timeoutMs: 20, input: z.object({}), execute: () => sleep(200, 'Noted.') },
  } as const);
  const scope = await testScope();
  expect(await testToolbox([slow], scope).call('slow', {}, scope)).toMatchObject({ ok: true });
  expect(await scope.ledger.list()).toMatchObject([{ state: 'done' }]);
});
