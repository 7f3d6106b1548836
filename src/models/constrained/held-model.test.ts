import { tool } from '@langchain/core/tools';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { isRecord } from '../../base/json.ts';
import { silentLog } from '../../base/log.ts';
import { Redactor } from '../../base/redact.ts';
import { type ModelsChanges, modelRequest, modelsOptions } from '../../testing/models-options.ts';
import { openTestStore } from '../../testing/stores.ts';
import { webServer } from '../../testing/web-server.ts';
import { createModels } from '../models.ts';
import type { ModelControl } from '../types.ts';

/** How a server treats a schema: it holds the model to it, drops it, refuses the request, or answers with noise. */
type Manner = 'holds' | 'ignores' | 'refuses' | 'garbles';

/** What a model says to a request, by what it is asked for. */
interface Habits {
  readonly manner: Manner;
  /** The arguments of its calls, in the order of the requests that carry tools; the last ones stay. */
  readonly calls: readonly string[];
  /** Whether `strict` on a tool holds it. */
  readonly strict?: boolean;
  /** Whether it refuses tools that are `strict`. */
  readonly refusesStrict?: boolean;
  /** What it writes around an answer by a schema. */
  readonly fence?: readonly [before: string, after: string];
}

const FENCE = ['```json\n', '\n```'] as const;
const RIGHT = '{"city":"Oslo","year":2020}';
const BROKEN = '{"city":"Oslo",';
const WRONG = '{"city":5}';
const place = tool(() => '', {
  ...{ name: 'place', description: 'Where and when', schema: z.object({ city: z.string(), year: z.number() }) },
});

/** The kinds of request that a server was sent. */
type Asked = 'plain' | 'strict' | 'probe' | 'union';

function kindOf(body: Record<string, unknown>): Asked {
  const schema = JSON.stringify(body.response_format ?? body.format ?? null);
  if (schema.includes('ultramarine')) return 'probe';
  if (schema !== 'null') return 'union';
  return JSON.stringify(body.tools ?? null).includes('"strict":true') ? 'strict' : 'plain';
}

/** What the model says, as a call or as text. */
function sayingOf(asked: Asked, { manner, calls, strict = false, fence = FENCE }: Habits, count: number) {
  if (asked === 'plain' || asked === 'strict') {
    const args = asked === 'strict' && strict ? RIGHT : (calls[Math.min(count, calls.length - 1)] ?? RIGHT);
    return { args };
  }
  if (manner === 'ignores') return { text: 'Four, of course.' };
  if (manner === 'garbles') return { text: asked === 'probe' ? '{"colour":"ultramarine"}' : '{"tool":"pla' };
  const [before, after] = fence;
  return {
    text: asked === 'probe' ? '{"colour": "ultramarine"}' : `${before}{"tool": "place", "arguments": ${RIGHT}}${after}`,
  };
}

/** One server of each protocol, which says what its model does. */
const SPEAKERS = {
  openai: ({ args, text }: { args?: string; text?: string }) => {
    const call = { id: 'c1', type: 'function', function: { name: 'place', arguments: args } };
    const message =
      args === undefined
        ? { role: 'assistant', content: text }
        : { role: 'assistant', content: null, tool_calls: [call] };
    const choices = [{ index: 0, message, finish_reason: args === undefined ? 'stop' : 'tool_calls' }];
    return {
      id: 'r',
      object: 'chat.completion',
      model: 'm',
      choices,
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    };
  },
  // Ollama gives arguments as JSON already: what a model has broken comes as text of one field.
  ollama: ({ args, text }: { args?: string; text?: string }) => {
    const given = args === BROKEN ? { city: 5 } : args && JSON.parse(args);
    const call = { function: { name: 'place', arguments: given } };
    const message =
      args === undefined
        ? { role: 'assistant', content: text }
        : { role: 'assistant', content: '', tool_calls: [call] };
    return { model: 'm', message, done: true, done_reason: 'stop', prompt_eval_count: 1, eval_count: 1 };
  },
};

const PROVIDERS: Readonly<Record<'openai' | 'ollama', (origin: string) => ModelsChanges>> = {
  openai: (origin) => ({ providers: { openai: { baseUrl: `${origin}/v1`, model: 'm', apiKey: 'k' } } }),
  ollama: (origin) => ({ providers: { ollama: { baseUrl: origin, model: 'm' } } }),
};

async function server(habits: Habits, protocol: keyof typeof SPEAKERS = 'openai') {
  const asked: Asked[] = [];
  const bodies: Record<string, unknown>[] = [];
  const { origin, received } = await webServer((request, response) => {
    if (request.method === 'GET' || request.url?.endsWith('/api/show')) return void response.writeHead(404).end('{}');
    const body: unknown = JSON.parse(received.at(-1)?.body ?? '{}');
    if (!isRecord(body)) return void response.writeHead(400).end();
    const kind = kindOf(body);
    const count = asked.filter((each) => each === 'plain' || each === 'strict').length;
    asked.push(kind);
    bodies.push(body);
    const isSchema = kind === 'probe' || kind === 'union';
    if ((isSchema && habits.manner === 'refuses') || (kind === 'strict' && habits.refusesStrict === true))
      return void response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"error":{"message":"no schemas"}}');
    response.writeHead(200, { 'content-type': protocol === 'ollama' ? 'application/x-ndjson' : 'application/json' });
    response.end(`${JSON.stringify(SPEAKERS[protocol](sayingOf(kind, habits, count)))}\n`);
  });
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const open = (more: ModelsChanges = {}): ModelControl =>
    createModels({
      ...{ timeZone: 'UTC', store, log: silentLog, redactor: new Redactor(), now: () => new Date(0) },
      options: modelsOptions(PROVIDERS[protocol](origin), more),
    });
  const call = async (models: ModelControl) => {
    const { model } = await models.pick(modelRequest());
    const reply = await model.bindTools?.([place]).invoke('Where was the boat?');
    return reply?.invalid_tool_calls?.length ? 'broken' : reply?.tool_calls?.map(({ args }) => args);
  };
  return { asked, bodies, open, call };
}

const GOOD = [{ city: 'Oslo', year: 2020 }];

describe('a model that makes no slips', () => {
  test('is asked as ever, and its calls are counted', async () => {
    const { asked, open, call } = await server({ manner: 'holds', calls: [RIGHT] });
    const models = open();
    expect([await call(models), await call(models), asked]).toEqual([GOOD, GOOD, ['plain', 'plain']]);
    expect(await models.calls()).toMatchObject([{ model: 'compatible:m', calls: 2, clean: 2, held: 0 }]);
  });
});

describe('a call that nobody can read', () => {
  test('is made once more, held to the schema', async () => {
    const { asked, open, call } = await server({ manner: 'holds', calls: [BROKEN] });
    const models = open();
    expect([await call(models), asked]).toEqual([GOOD, ['plain', 'probe', 'union']]);
    expect(await models.calls()).toMatchObject([{ calls: 1, clean: 0, binds: true }]);
  });

  test.each<Manner>(['ignores', 'refuses'])(
    'stays as it is where the server %s schemas, which is tried out once',
    async (manner) => {
      const { asked, open, call } = await server({ manner, calls: [BROKEN] });
      expect(await call(open())).toBe('broken');
      // Another start of the program remembers it.
      expect(await call(open())).toBe('broken');
      expect(asked).toEqual(['plain', 'probe', 'plain']);
    },
  );

  test('stays as it is where what the server gives by a schema does not fit it', async () => {
    const { asked, open, call } = await server({ manner: 'garbles', calls: [BROKEN] });
    const models = open();
    expect([await call(models), await call(models)]).toEqual(['broken', 'broken']);
    expect(asked).toEqual(['plain', 'probe', 'union', 'plain']);
  });

  test('is not made again where that is switched off', async () => {
    const { asked, open, call } = await server({ manner: 'holds', calls: [BROKEN] });
    expect([await call(open({ constrainedCalls: 'never' })), asked]).toEqual(['broken', ['plain']]);
  });
});

describe('a model that has slipped twice', () => {
  test('is sent strict tools, which some servers hold it to', async () => {
    const { asked, open, call } = await server({ manner: 'ignores', calls: [BROKEN, WRONG, WRONG], strict: true });
    const models = open();
    expect([await call(models), await call(models), await call(models)]).toEqual(['broken', [{ city: 5 }], GOOD]);
    expect(asked).toEqual(['plain', 'probe', 'plain', 'strict']);
  });

  test('is held to the union from the start where strict tools did not help', async () => {
    const { asked, bodies, open, call } = await server({ manner: 'holds', calls: [WRONG] });
    const models = open();
    for (let time = 0; time < 5; time++) await call(models);
    expect(asked).toEqual(['plain', 'plain', 'strict', 'probe', 'union', 'strict', 'union', 'union']);
    expect(bodies.at(-1)).not.toHaveProperty('tools');
    expect(await models.calls()).toMatchObject([{ calls: 5, clean: 1, held: 1 }]);
  });

  test('of Ollama is held to the union at once: it constrains no arguments', async () => {
    const { asked, open, call } = await server({ manner: 'holds', calls: [BROKEN] }, 'ollama');
    const models = open();
    expect([await call(models), await call(models), await call(models)]).toEqual([[{ city: 5 }], [{ city: 5 }], GOOD]);
    expect(asked).toEqual(['plain', 'plain', 'probe', 'union']);
  });
});

test('where it is wanted always, every call is held from the first', async () => {
  const { asked, open, call } = await server({ manner: 'holds', calls: [RIGHT] });
  const models = open({ constrainedCalls: 'always' });
  expect([await call(models), await call(models), asked]).toEqual([GOOD, GOOD, ['probe', 'union', 'union']]);
});

test('where it is wanted always, a refusal is remembered all the same', async () => {
  const { asked, open, call } = await server({ manner: 'refuses', calls: [RIGHT], refusesStrict: true });
  const models = open({ constrainedCalls: 'always' });
  expect([await call(models), await call(models)]).toEqual([GOOD, GOOD]);
  expect(asked).toEqual(['probe', 'strict', 'plain', 'plain']);
});

/** Servers as they are, by what they do with `strict` tools and with schemas of answers when they hold a model to them. */
const SERVERS: Readonly<Record<string, readonly [protocol: keyof typeof SPEAKERS, habits: Partial<Habits>]>> = {
  Ollama: ['ollama', { fence: ['', ''] }],
  'LM Studio': ['openai', { fence: ['', ''] }],
  'llama-server': ['openai', { fence: FENCE }],
};
const MANNERS = ['holds', 'ignores', 'refuses', 'garbles'] as const satisfies readonly Manner[];
const SLIP = [{ city: 5 }];

describe.each(Object.entries(SERVERS))('a model of %s that always slips', (_name, [protocol, habits]) => {
  test.each(MANNERS)('where the server %s what holds it', async (manner) => {
    const { asked, open, call } = await server({ ...habits, manner, calls: [WRONG] }, protocol);
    const models = open();
    const calls = [];
    for (let time = 0; time < 6; time++) calls.push(await call(models));
    // Each is answered, if need be by what the model said; a server that does not hold it is found out once.
    expect(calls.at(-1)).toEqual(manner === 'holds' ? GOOD : SLIP);
    expect(calls.filter((each) => !isOneOf(each, [GOOD, SLIP]))).toEqual([]);
    expect(asked.filter((kind) => kind === 'probe')).toHaveLength(1);
    expect(asked.length).toBeLessThan(2 * calls.length + 2);
  });
});

describe('a model of vLLM that always slips', () => {
  test.each<[manner: Manner, habits: Partial<Habits>, last: unknown]>([
    ['holds', { strict: true }, GOOD],
    ['ignores', {}, SLIP],
    ['refuses', { refusesStrict: true }, SLIP],
    ['holds', { refusesStrict: true }, GOOD],
    ['garbles', {}, SLIP],
  ])('where the server %s strict tools and schemas', async (manner, habits, last) => {
    const { asked, open, call } = await server({ ...habits, manner, calls: [WRONG] });
    const models = open();
    const calls = [];
    for (let time = 0; time < 6; time++) calls.push(await call(models));
    expect(calls.at(-1)).toEqual(last);
    expect(asked.filter((kind) => kind === 'probe').length).toBeLessThan(2);
    // A refusal is remembered.
    if (habits.refusesStrict) expect(asked.filter((kind) => kind === 'strict')).toHaveLength(1);
  });
});

function isOneOf(value: unknown, options: readonly unknown[]): boolean {
  return options.some((option) => JSON.stringify(option) === JSON.stringify(value));
}
