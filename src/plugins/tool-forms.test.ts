import { DynamicStructuredTool, DynamicTool } from '@langchain/core/tools';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { testAgent, testContext, testTurn } from '../testing/agent.ts';
import { codeAgent, testSandbox } from '../testing/code-agent.ts';
import { adaptTools } from './tool-forms.ts';

const sandbox = testSandbox();
afterAll(() => sandbox.close());

const LABELS = {
  policy: { effect: 'none' },
  provenance: { readsFrom: [] },
  timeoutMs: 5000,
  description: 'Say what came.',
};

/** The arguments that a tool was called with, as text. */
const echo = (value: unknown) => JSON.stringify(value);

/** One tool for each kind of schema that a JavaScript plugin may use. */
const FORMS: readonly unknown[] = [
  { ...LABELS, name: 'p.zod4', input: z.object({ day: z.int(), at: z.string().default('noon') }), execute: echo },
  { ...LABELS, name: 'p.zod3', input: z3.object({ day: z3.number(), at: z3.string().default('noon') }), execute: echo },
  {
    ...{ ...LABELS, name: 'p.standard', execute: echo },
    input: toStandardJsonSchema(v.object({ day: v.number(), at: v.optional(v.string(), 'noon') })),
  },
  {
    ...{ ...LABELS, name: 'p.json', execute: echo },
    input: { type: 'object', required: ['day'], properties: { day: { type: 'integer' }, at: { type: 'string' } } },
  },
  new DynamicStructuredTool({
    name: 'lcStructured',
    description: 'Say what came.',
    // Parsed twice, the day would be two later.
    schema: z3.object({ day: z3.number().transform((day) => day + 1), at: z3.string().default('noon') }),
    func: async (input) => echo(input),
  }),
  new DynamicTool({ name: 'lcText', description: 'Say what came.', func: async (input) => echo(input) }),
];

const CALLS: readonly (readonly [string, string, unknown, string])[] = [
  ['p_zod4', 'tools["p.zod4"]', { day: 3 }, '{"day":3,"at":"noon"}'],
  ['p_zod3', 'tools["p.zod3"]', { day: 3 }, '{"day":3,"at":"noon"}'],
  ['p_standard', 'tools["p.standard"]', { day: 3 }, '{"day":3,"at":"noon"}'],
  ['p_json', 'tools["p.json"]', { day: 3 }, '{"day":3}'],
  ['lc_structured', 'lcStructured', { day: 3 }, '{"day":4,"at":"noon"}'],
  ['lc_text', 'lcText', { input: 'three' }, '"three"'],
];

const once = { verdict: 'once', granted: true, by: 'you' } as const;

test('classic mode calls tools of every form, and refuses a wrong input by plugin, tool and field', async () => {
  const tools = await adaptTools(FORMS, { name: 'calendarium' });
  const replies = [
    { toolCalls: CALLS.map(([name, , args]) => ({ name, args })) },
    { toolCalls: CALLS.slice(0, 5).map(([name]) => ({ name, args: { day: 'someday' } })) },
    'Done.',
  ];
  const agent = await testAgent(replies, { tools });
  const context = testContext({ decide: once });
  await agent.runTurn(testTurn('all forms'), context);
  const seen = context.events.flatMap((event) => (event.type === 'tool' ? [event] : []));
  expect(seen.slice(0, 6).map(({ preview }) => preview)).toEqual(CALLS.map(([, , , result]) => result));
  for (const { ok, name, preview } of seen.slice(6)) {
    expect(ok).toBe(false);
    expect(preview).toContain(`${name} (plugin calendarium): day: `);
  }
  expect(seen).toHaveLength(11);
});

test('code mode calls them too', async () => {
  const tools = await adaptTools(FORMS, { name: 'calendarium' });
  const calls = CALLS.map(([, name, args]) => `await ${name}(${JSON.stringify(args)})`);
  const wrong = CALLS.slice(0, 5).map(
    ([, name]) => `await ${name}({ day: 'someday' }).catch((error) => error.message)`,
  );
  const script = `output(JSON.stringify([${[...calls, ...wrong].join(', ')}])); done();`;
  const agent = await codeAgent(sandbox, [`\`\`\`js\n${script}\n\`\`\``], { tools });
  const answer = await agent.runTurn(testTurn('x', { mode: 'code_agent' }), testContext({ decide: once }));
  const results: string[] = JSON.parse(answer.text);
  expect(results.slice(0, 6)).toEqual(CALLS.map(([, , , result]) => result));
  for (const refusal of results.slice(6)) expect(refusal).toMatch(/plugin calendarium.*day/u);
  expect(results).toHaveLength(11);
});

test.each([
  [{ name: 'p.bare', execute: echo }, 'the tool "p.bare" of the plugin tides cannot be used: it has no usable schema'],
  [{ name: 'p.idle', input: { type: 'object' } }, 'the tool "p.idle" of the plugin tides'],
  [{ execute: echo }, 'a tool of the plugin tides cannot be used: it has no name'],
  [{ name: 'P.Loud', input: { type: 'object' }, execute: echo }, 'must match'],
  [{ name: 'p.old', description: '', invoke: echo, schema: { type: 'strin' } }, 'unknown type "strin"'],
  ['p.text', 'a tool of the plugin tides'],
])('%o is refused by its name', async (tool, why) => {
  await expect(adaptTools([tool], { name: 'tides' })).rejects.toThrow(why);
});

test('labels of plain JavaScript that are missing or misspelt take their strictest value', async () => {
  const bare = { name: 'p.bare', description: 'x', input: z.object({}), execute: echo };
  const misspelt = {
    ...{ ...bare, name: 'p.misspelt', functionName: 'misspelt', positional: [], effect: 'none', readsFrom: [] },
    policy: { effect: 'nothing', network: false, change: () => 'append' },
    provenance: { readFrom: [], returns: 'trusted' },
  };
  for (const tool of await adaptTools([bare, misspelt], { name: 'calendarium' })) {
    const { policy, provenance, origin } = tool;
    expect({ ...policy, ...provenance, origin }).toMatchObject({
      ...{ effect: 'outbound', origin: 'plugin calendarium' },
    });
  }
});
