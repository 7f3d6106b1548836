import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { wooster } from '../testing/wooster.ts';

test('the program does not start with such a limit', async () => {
  const env = { EGRESS_TOOL_HOSTS: 'discord=d.org,weather=a.org,fetchText=example.org' };
  const ran = await wooster(['tools'], { home: temporaryFolder(), env });
  expect(ran.stderr).toContain('EGRESS_TOOL_HOSTS: nothing called "fetchText" reaches the network.');
  expect(ran.code).not.toBe(0);
});
