import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createScriptExtensions } from '../../sandbox/script-extensions.ts';
import { testAgent, testContext, testTurn } from '../../testing/agent.ts';
import { testSandbox } from '../../testing/code-agent.ts';
import { defineTool } from '../../tools/tool.ts';
import { createRunCodeTool } from './run-code-tool.ts';

const sandbox = testSandbox();
afterAll(() => sandbox.close());

const touched: string[] = [];
const double = defineTool({
  name: 'math.double',
  positional: ['n'],
  description: 'Double a number.',
  input: z.object({ n: z.number() }),
  output: z.number(),
  policy: { effect: 'none' },
  provenance: { readsFrom: [] },
  timeoutMs: 1000,
  execute: ({ n }) => n * 2,
});
const guarded = defineTool({
  name: 'guarded',
  description: 'Reach a stranger.',
  input: z.object({}),
  policy: { effect: 'outbound' },
  provenance: { readsFrom: [] },
  timeoutMs: 1000,
  execute: () => {
    touched.push('guarded');
    return 'done';
  },
});

async function runCode(args: Record<string, unknown>) {
  const registry = createScriptExtensions();
  registry.addModule('plus', 'export const one = (x) => x + 1;');
  registry.addFunction('shout', (text) => `${String(text).toUpperCase()}!`);
  const agent = await testAgent(
    [{ toolCalls: [{ name: 'interpreter_run-code', args }] }, (messages) => messages.at(-1)?.text ?? ''],
    {
      tools: [double, guarded],
      deps: { classicTools: (run) => [createRunCodeTool({ sandbox, registry, memoryLimitMb: 128 }, run)] },
    },
  );
  return (await agent.runTurn(testTurn('go'), testContext())).text;
}

test.each([
  ['a value', { code: "parallel([1, 2, 3].map((n) => ({ tool: 'math.double', input: { n } })))" }, '[2,4,6]'],
  ['input', { code: 'mathDouble(input.n)', input: { n: 21 } }, '42'],
  ['logs beside the result', { code: "log('a'); 1" }, '{"result":1,"logs":["a"]}'],
  ['a plugin function', { code: "shout('hi')" }, 'HI!'],
  ['a module', { code: "import { one } from 'plus'; one(1)" }, '2'],
  ['no words to the person', { code: 'typeof finalAnswer + typeof output' }, 'undefinedundefined'],
])('interpreter.run-code gives %s', async (_name, args, expected) => {
  expect(await runCode(args)).toBe(expected);
});

test('a timeout is said as such', async () => {
  expect(JSON.parse(await runCode({ code: 'await new Promise(() => {})', timeout: 200 }))).toEqual({
    error: 'Execution timed out after 200 ms',
    timeout: true,
  });
});

test('a failure has its place in the code', async () => {
  expect(await runCode({ code: 'const a = 1;\n  null.x' })).toMatch(/Error: .*\(line 2, column 8: null\.x\)/u);
});

test('a tool that needs approval is not reached without it, and the refusal can be caught', async () => {
  expect(await runCode({ code: "try { guarded({}) } catch (e) { e.name + ' ' + e.message }" })).not.toContain('done');
  expect(await runCode({ code: 'let r; try { r = guarded({}) } catch (e) { r = e.name } r' })).toMatch(/^ToolError$/mu);
  expect(touched).toEqual([]);
});

test('models are told of its fields with words, beside all other tools', async () => {
  const agent = await testAgent(['done'], {
    tools: [double, guarded],
    deps: {
      classicTools: (run) => [
        createRunCodeTool({ sandbox, registry: createScriptExtensions(), memoryLimitMb: 128 }, run),
      ],
    },
  });
  const prompts = await agent.prompts(testTurn('go'), testContext());
  const declared = (prompts.find(({ name }) => name === 'classic: tool declarations')?.text ?? '').split('\n');
  const byName = new Map(declared.map((line) => JSON.parse(line)).map((each) => [each.name, each]));
  expect([...byName.keys()]).toEqual(['math_double', 'guarded', 'interpreter_run-code']);
  expect(byName.get('interpreter_run-code').parameters.properties).toMatchObject({
    input: { description: 'data that the code finds as `input`' },
    timeout: { type: 'integer', description: 'ms, 30000 unless given' },
  });
});

test('a call that fails does not take the results of the others with it', async () => {
  const text = await runCode({ code: "await mathDouble(21); await mathDouble('x')" });
  expect(text).toContain('n: ');
  expect(text).toContain('These calls succeeded:\n- mathDouble(21): 42');
});
