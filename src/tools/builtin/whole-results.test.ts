import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { isCut } from '../../base/text.ts';
import { openCommands } from '../../testing/commands.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import type { Tool } from '../tool.ts';

const MEGABYTE = 'x'.repeat(1_000_000);
const SHOWN = 10_000;

/** A tool as the gate knows it, with a result of 1 MB that changes nothing. */
function giving(tool: Tool, value: unknown): Tool {
  return {
    ...tool,
    input: z.looseObject({}),
    output: undefined,
    presentation: {},
    provenance: { readsFrom: [] },
    policy: { effect: 'none', network: false },
    execute: async () => value,
  };
}

test('no result of any tool is cut in silence: a script gets all of it, and a model is told what is missing', async () => {
  const { app } = await openCommands({ config: { plugins: { tasks: { enabled: true } } } });
  const tools = app.tools.toolbox.list();
  expect(tools.length).toBeGreaterThan(40);
  const scope = await testScope();
  for (const value of [MEGABYTE, { text: MEGABYTE }, [MEGABYTE]]) {
    const toolbox = testToolbox(
      tools.map((tool) => giving(tool, value)),
      scope,
      { maxResultChars: SHOWN },
    );
    for (const { name } of tools) {
      const forScript = await toolbox.call(name, {}, { ...scope, script: {} });
      expect([name, forScript.ok && isDeepStrictEqual(forScript.value, value)]).toEqual([name, true]);
      const forModel = await toolbox.call(name, {}, scope);
      expect([name, forModel.ok && isCut(forModel.text)]).toEqual([name, true]);
    }
  }
});
