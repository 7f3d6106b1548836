import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { defineTool } from '../tool.ts';
import { fileThing } from './origins.ts';

async function scene(showsChanges: boolean) {
  const dir = mkdtempSync(join(tmpdir(), 'touched-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const path = join(dir, 'a.txt');
  writeFileSync(path, 'one');
  const tool = defineTool({
    name: 'append',
    description: 'Append.',
    input: z.object({ text: z.string() }),
    policy: { effect: 'local', reads: 'private' },
    provenance: { writesTo: () => fileThing(path), returns: 'trusted' },
    execute: ({ text }) => writeFileSync(path, `${readFileSync(path, 'utf8')}${text}`),
  });
  const scope = await testScope();
  const context = { ...scope.context, showsChanges };
  const call = (text: string) => testToolbox([tool], scope).call('append', { text }, { ...scope, context });
  return { path, call, events: scope.events };
}

test('a call names its files as it begins, and what became of them where that is shown', async () => {
  const { path, call, events } = await scene(true);
  await call(' two');
  expect(events).toMatchObject([
    { type: 'call', locations: [{ path }] },
    { type: 'tool', changes: [{ path, before: 'one', after: 'one two' }] },
  ]);
});

test('a text that is too long is left out whole', async () => {
  const { call, events } = await scene(true);
  await call('x'.repeat(300_000));
  expect(events.at(-1)).not.toHaveProperty('changes');
});

test('nothing is looked at for a frontend that does not show it', async () => {
  const { call, events } = await scene(false);
  await call(' two');
  expect(events.at(-1)).not.toHaveProperty('changes');
});
