import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { isCut } from '../../base/text.ts';
import { openCommands } from '../../testing/commands.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import type { Tool } from '../tool.ts';

const SHOWN = 10_000;
/** Of a result, in characters: most are shorter, since each is searched for secrets. */
const [MEGABYTE, LONG] = [1_000_000, 50_000];

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
  const give = async (value: unknown, tool: Tool) => {
    const toolbox = testToolbox([giving(tool, value)], scope, { maxResultChars: SHOWN });
    const forScript = await toolbox.call(tool.name, {}, { ...scope, script: {} });
    const forModel = await toolbox.call(tool.name, {}, scope);
    const whole = forScript.ok && isDeepStrictEqual(forScript.value, value);
    expect({ tool: tool.name, whole, marked: forModel.ok && isCut(forModel.text) }).toEqual({
      ...{ tool: tool.name, whole: true, marked: true },
    });
  };
  for (const tool of tools) await give('x'.repeat(LONG), tool);
  const [first] = tools;
  const text = 'x'.repeat(MEGABYTE);
  if (first) for (const value of [text, { text }, [text]]) await give(value, first);
});
