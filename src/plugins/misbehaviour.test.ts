import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { expect, onTestFinished, test } from 'vitest';
import { MODES } from '../base/turn.ts';
import { temporaryFolder } from '../testing/home.ts';
import { wooster } from '../testing/wooster.ts';

/** How each plugin misbehaves; `%` is where the rest of the plugin goes. */
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

/** Plugins that block the event loop forever: while loading, and between two answers. */
const HOLDING: Readonly<Record<string, readonly [string, string]>> = {
  loader: ['for (;;);', 'the code in index.mjs, line 1'],
  ticker: [
    'const plugin = { name: "ticker", version: "1", description: "" };\nexport default plugin;\n' +
      'plugin.prepare = async () => {\n  await null;\n  for (;;) await null;\n};\n',
    'plugin.prepare in index.mjs, line 5',
  ],
};

test('plugins that never give the processor back are stopped, named and switched off, and the turn goes on', async () => {
  const home = temporaryFolder();
  const env: Record<string, string> = {};
  for (const [name, [source]] of Object.entries(HOLDING)) {
    mkdirSync(join(home, 'user-plugins', name), { recursive: true });
    writeFileSync(join(home, 'user-plugins', name, 'index.mjs'), source);
    env[`PLUGIN_${name.toUpperCase()}_ENABLED`] = 'true';
  }
  const asked = await wooster(['ask', '2+2'], { home, env });
  expect([asked.stdout, asked.code]).toEqual(['2+2 = 4\n', 0]);
  const { stdout } = await wooster(['doctor'], { home, env });
  for (const [name, [, where]] of Object.entries(HOLDING))
    expect(stdout).toContain(`${name}: it held the whole program for 3 s and was stopped (${where}`);
}, 120_000);

const SPINNER = `import { definePlugin, defineTool, z } from '#plugin';
export default definePlugin({
  name: 'spinner', version: '1', description: '',
  getAgentTools: () => [defineTool({
    name: 'spinner.spin', description: 'Spin.', input: z.object({}), policy: { effect: 'none' }, provenance: { readsFrom: [] },
    execute: function spin() { for (;;); },
  })],
});`;

test.each(MODES)(
  'a tool that never gives the processor back is stopped in its call and named (%s)',
  async (mode) => {
    const model = new LLMock({ port: 0 });
    onTestFinished(() => model.stop().then(() => undefined));
    model.on({ model: 'm', hasToolResult: false, sequenceIndex: 0 }, step(mode));
    model.on(
      { model: 'm' },
      { content: mode === 'code_agent' ? "```js\nfinalAnswer('It went on.')\n```" : 'It went on.' },
    );
    await model.start();
    const home = temporaryFolder();
    mkdirSync(join(home, 'user-plugins', 'spinner'), { recursive: true });
    writeFileSync(join(home, 'user-plugins', 'spinner', 'index.mjs'), SPINNER);
    const env = {
      ...{ OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_MODEL_NAME: 'm', OPENAI_API_KEY: 'sk-test-not-a-real-key-0000' },
      ...{ PLUGIN_SPINNER_ENABLED: 'true', CHAT_MODE: mode },
    };
    const asked = await wooster(['ask', 'use the spinner'], { home, env });
    expect([asked.stdout, asked.code]).toEqual(['It went on.\n', 0]);
    expect(JSON.stringify(model.getRequests())).toContain('it held the whole program for 3 s and was stopped (');
    const { stdout } = await wooster(['doctor'], { home, env });
    expect(stdout).toMatch(/spinner: it held the whole program for 3 s and was stopped \(.*spin in index.mjs, line 6/u);
  },
  60_000,
);

/** What the model does first. */
function step(mode: string) {
  if (mode === 'code_agent') return { content: "```js\nfinalAnswer(await tools['spinner.spin']({}))\n```" };
  return { toolCalls: [{ name: 'spinner_spin', arguments: '{}' }] };
}
