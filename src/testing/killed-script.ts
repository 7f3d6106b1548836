import { z } from 'zod';
import { defineTool } from '../tools/tool.ts';
import { testContext, testTurn } from './agent.ts';
import { codeAgent, testSandbox } from './code-agent.ts';
import { openTestStore } from './stores.ts';

/** A turn in code mode that stores, and dies by SIGKILL in its second script: `node killed-script.ts DATABASE`. */
const die = defineTool({
  name: 'die',
  description: 'End the program.',
  input: z.object({}),
  policy: { effect: 'none' },
  provenance: { readsFrom: [] },
  timeoutMs: 60_000,
  execute: () => {
    process.kill(process.pid, 'SIGKILL');
    return new Promise<string>(() => {});
  },
});
const scripts = [
  "```js\nstore('list', [1, 2, 3]); store('name', 'first'); 'stored'\n```",
  "```js\nstore('name', 'second'); die();\n```",
];
const agent = await codeAgent(testSandbox(), scripts, {
  store: await openTestStore(process.argv[2] ?? ''),
  tools: [die],
});
await agent.runTurn(testTurn('sum the list', { mode: 'code_agent' }), testContext());
