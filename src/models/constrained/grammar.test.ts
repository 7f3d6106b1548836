import { Validator } from '@cfworker/json-schema';
import { describe, expect, test } from 'vitest';
import { declarationOf } from '../../agent/classic/tools.ts';
import { openCommands } from '../../testing/commands.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { needsEngine, TEST_ENGINES } from '../../testing/local/engine.ts';
import { writeRandom } from '../../testing/local/gguf.ts';
import type { ToolSpec } from '../bound-tools.ts';
import { engineDir } from '../local/engine/engine.ts';
import { EngineClient } from '../local/engine-client.ts';
import type { ChatRequest, ToolUse } from '../local/protocol.ts';
import { asJson, Grammar, literal } from './grammar.ts';

const NEVER = new AbortController().signal;

test('a literal escapes what GBNF would read', () => {
  expect(literal('a "b" \\ c\n\t')).toBe(String.raw`"a \"b\" \\ c\n\t"`);
});

test('JSON has a blank after colons and commas', () => {
  expect(asJson({ a: [1, 'x, y: z'], b: { c: null } })).toBe('{"a": [1, "x, y: z"], "b": {"c": null}}');
});

/** A model that knows nothing, held to a schema. */
async function withRandomModel<T>(
  ask: (chat: (request: Partial<ChatRequest>) => Promise<Said>) => Promise<T>,
): Promise<T> {
  const path = `${temporaryFolder()}/random.gguf`;
  writeRandom(path);
  const client = new EngineClient({
    ...{ engineDir: engineDir(TEST_ENGINES), idleMs: 600_000, freeBytes: () => 8e9 },
    load: { path, contextTokens: 16_384, slots: 1, threads: 1 },
  });
  const usual = { messages: [{ role: 'user' as const, content: 'x' }], tools: [], temperature: 1, longestText: 12 };
  try {
    return await ask(async (request) => {
      let text = '';
      let calls: readonly ToolUse[] = [];
      for await (const event of client.chat({ ...usual, ...request }, NEVER)) {
        if (event.type === 'text') text += event.text;
        if (event.type === 'done') calls = event.done.calls;
      }
      return { text, calls };
    });
  } finally {
    await client.unload();
  }
}

interface Said {
  readonly text: string;
  readonly calls: readonly ToolUse[];
}

describe.runIf(needsEngine())('a model that knows nothing', () => {
  test('calls every tool of a home with all plugins by its schema, 300 times of 300', {
    timeout: 240_000,
  }, async () => {
    const { app } = await openCommands({ config: { plugins: ALL_PLUGINS } });
    const tools = app.tools.toolbox.list().map((tool) => declarationOf(tool) as ToolSpec);
    expect(tools.length).toBeGreaterThan(40);
    const valid = await withRandomModel(async (chat) => {
      let count = 0;
      for (let seed = 0; seed < 300; seed++) {
        // One after the other: what the model has read of a tool it knows for the next calls of it.
        const tool = tools[Math.floor((seed * tools.length) / 300)] as ToolSpec;
        const { calls } = await chat({ tools: [tool], mustCall: true, seed });
        const [call] = calls;
        const isValid = call !== undefined && new Validator(tool.parameters, '2020-12').validate(call.arguments).valid;
        if (isValid && call.name === tool.name) count++;
        else expect.soft({ seed, tool: tool.name, call }).toBeUndefined();
      }
      return count;
    });
    expect(valid).toBe(300);
  });

  const SCHEMAS: readonly Readonly<Record<string, unknown>>[] = [
    {
      type: 'object',
      properties: { a: { type: ['string', 'null'] }, b: { const: { x: [1, 'q"'] } } },
      required: ['a', 'b'],
    },
    {
      type: 'object',
      properties: { a: { type: 'boolean' }, b: { type: 'number' }, c: { type: 'null' } },
      required: [],
    },
    {
      ...{
        type: 'object',
        required: ['tree'],
        $defs: { tree: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/node' }] } },
      },
      properties: { tree: { $ref: '#/$defs/tree' } },
    },
    {
      type: 'object',
      properties: { l: { type: 'array', items: { type: 'integer', minimum: 0 }, minItems: 2, maxItems: 3 } },
      required: ['l'],
    },
    {
      type: 'object',
      properties: { s: { type: 'string', minLength: 9 } },
      required: ['s'],
      additionalProperties: false,
    },
    { type: 'object', additionalProperties: false },
    { type: 'object', properties: { any: {} }, required: ['any'] },
    {
      type: 'object',
      properties: { 'an "odd" key\\': { enum: ['a\nb', 7, null, false] } },
      required: ['an "odd" key\\'],
    },
  ];
  const NODE = { type: 'object', properties: { next: { $ref: '#/$defs/tree' } }, required: ['next'] };

  test('answers by every kind of schema', { timeout: 120_000 }, async () => {
    await withRandomModel(async (chat) => {
      for (const [index, plain] of SCHEMAS.entries()) {
        const defs = plain.$defs as Record<string, unknown> | undefined;
        const schema = defs ? { ...plain, $defs: { ...defs, node: NODE } } : plain;
        for (let seed = 0; seed < 4; seed++) {
          const { text } = await chat({ answer: schema, seed });
          const { valid, errors } = new Validator(schema, '2020-12').validate(JSON.parse(text));
          expect({ index, text, valid, errors }).toMatchObject({ valid: true });
        }
      }
    });
  });
});

const PLUGIN_NAMES = ['tasks', 'bookmarks', 'contacts', 'habits', 'calendar', 'system-info', 'weather'];
const ALL_PLUGINS = Object.fromEntries(PLUGIN_NAMES.map((name) => [name, { enabled: true }]));

test('a limit that llama.cpp cannot count is left to the check', () => {
  const grammar = new Grammar();
  expect(grammar.json({ type: 'string', maxLength: 20_000 })).toBe(String.raw`"\"" char* "\""`);
  expect(grammar.json({ type: 'string', maxLength: 20 })).toBe(String.raw`"\"" char{0,20} "\""`);
});
