import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { Redactor } from '../base/redact.ts';
import { createGateway } from '../net/gateway.ts';
import { temporaryFolder } from '../testing/home.ts';
import { Plugins } from './plugins.ts';

/** Keeps its host in a variable, as plugins do. */
const KEEPER = `let home;
export default {
  name: 'keeper', version: '1.0.0', description: 'Knows its home.',
  initialize(host) { home = host.config.home; },
  getAgentTools: () => [
    { name: 'say_home', description: 'Say it.', input: { type: 'object' }, execute: async () => home },
  ],
};`;

test('what a plugin of one home keeps does not become that of another home in the process', async () => {
  const oursDir = temporaryFolder();
  mkdirSync(join(oursDir, 'keeper'));
  writeFileSync(join(oursDir, 'keeper', 'index.mjs'), KEEPER);
  const load = (homeDir: string) =>
    Plugins.load({
      ...{
        oursDir,
        theirsDir: undefined,
        ownInstances: true,
        homeDir,
        timeZone: 'UTC',
        env: {},
        config: { keeper: { enabled: true } },
      },
      ...{
        log: silentLog,
        redactor: new Redactor(),
        reserved: [],
        grants: undefined as never,
        gateway: createGateway({ allowPrivate: [], log: silentLog }),
      },
    });
  const anna = await load('/homes/anna');
  await load('/homes/ben');
  expect(await anna.tools()[0]?.execute(undefined as never, undefined as never)).toBe('/homes/anna');
});
