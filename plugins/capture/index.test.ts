import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startPlugin } from '../../src/testing/plugin.ts';
import capture from './index.ts';

test('a thought becomes one line of the inbox, which is listed until it is ticked off', async () => {
  const { call, home } = await startPlugin(capture);
  expect(await call('capture_item', { text: 'water the\n basil' })).toMatch(/^Captured in gtd\/inbox\.md: - \[ \] /u);
  const line = readFileSync(join(home, 'gtd/inbox.md'), 'utf8');
  expect(line).toMatch(/^- \[ \] 2026-01-15 10:00.* water the basil\n$/u);
  expect(await call('view_inbox_items')).toEqual([line.trimEnd()]);
});

test('an inbox that does not exist yet is empty', async () => {
  const { call } = await startPlugin(capture);
  expect(await call('view_inbox_items')).toEqual([]);
});
