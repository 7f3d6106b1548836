import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { wooster } from '../testing/wooster.ts';

/** What each does in place of behaving; `%` is where the rest of the plugin goes. */
const BAD: Readonly<Record<string, readonly [string, string]>> = {
  shouter: ['prepare() { console.log("BUY NOW"); return {}; }', 'it wrote to standard output: BUY NOW'],
  leaver: ['prepare() { process.exit(3); }', 'it tried to end the program (process.exit)'],
  sleeper: ['prepare: () => new Promise(() => {})', 'it could not prepare a turn: not finished after 2000 ms'],
  thrower: ['prepare() { throw new Error("no luck"); }', 'it could not prepare a turn: no luck'],
  timer: [
    'initialize() { setTimeout(() => { throw new Error("late") }, 1); }',
    'it threw where nothing waits for it: late',
  ],
  rejecter: ['initialize() { void Promise.reject(new Error("lost")); }', 'it threw where nothing waits for it: lost'],
  early: ['initialize() { process.abort(); }', 'it tried to end the program (process.abort)'],
  schema: [
    'getAgentTools: () => [{ name: "schema.x", description: "", input: { type: "strin" }, execute() {} }]',
    'the tool "schema.x" of the plugin schema cannot be used: #: unknown type "strin"',
  ],
  needy: ['env: ["NEEDY_KEY"]', 'not set: NEEDY_KEY'],
};

test('plugins that throw, hang, print or end the process are switched off by name, and the turn goes on', async () => {
  const home = temporaryFolder();
  const env: Record<string, string> = {};
  for (const [name, [body]] of Object.entries(BAD)) {
    mkdirSync(join(home, 'user-plugins', name), { recursive: true });
    const source = `export default { name: '${name}', version: '1', description: '', ${body} };`;
    writeFileSync(join(home, 'user-plugins', name, 'index.mjs'), source);
    env[`PLUGIN_${name.toUpperCase()}_ENABLED`] = 'true';
  }
  const asked = await wooster(['ask', '2+2'], { home, env });
  expect([asked.stdout, asked.code]).toEqual(['2+2 = 4\n', 0]);
  const { stdout } = await wooster(['doctor'], { home, env });
  for (const [name, [, why]] of Object.entries(BAD)) expect(stdout).toContain(`${name}: ${why}`);
  const again = await wooster(['ask', '3+3'], { home, env });
  expect([again.stdout, again.code]).toEqual(['3+3 = 6\n', 0]);
});
