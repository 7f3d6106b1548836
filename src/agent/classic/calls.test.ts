import { AIMessage, ToolMessage } from '@langchain/core/messages';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import { callsStep, REFUSED_CALL, resultOf, resultStep, type StoredCall } from '../../conversation/stored-calls.ts';
import type { Step } from '../../conversation/types.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { PLAIN_TOOL } from '../../testing/tools.ts';
import type { Artifacts } from '../../tools/builtin/artifacts.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import { ReadTexts } from '../replies/read-texts.ts';
import type { EngineRun } from '../types.ts';
import { Calls } from './calls.ts';

const say = defineTool({
  ...PLAIN_TOOL,
  name: 'say',
  input: z.object({ text: z.string(), loud: z.boolean().optional() }),
  execute: ({ text, loud = false }) => `${text}${loud ? '!' : '.'}`,
});
const made = defineTool({
  ...PLAIN_TOOL,
  name: 'make',
  input: z.object({ text: z.string() }),
  presentation: { unremarkable: (output) => output === 'done' },
  execute: ({ text }) => (text === 'odd' ? 'there already' : 'done'),
});
const book = defineTool({
  ...PLAIN_TOOL,
  name: 'book',
  execute: () => {
    throw new AssistantError('bad_time', '"next week" is not clear.', { hint: 'Name the day.', unclear: true });
  },
});
const list = defineTool({ ...PLAIN_TOOL, name: 'list', execute: () => [...'abcdefghij'] });

interface Kept {
  readonly value: unknown;
  readonly about: object;
}

interface Given {
  readonly tools?: readonly Tool[];
  readonly earlier?: readonly Step[];
  /** The id under which a long result is kept; `none`: there is nowhere to keep it. */
  readonly keptAs?: string | undefined;
  readonly maxResultChars?: number;
  readonly append?: () => Promise<void>;
}

/** The calls of one turn with a real gate; saved steps and kept results are listed. */
async function callsOf({ tools = [], earlier = [], maxResultChars = 20, append, ...given }: Given = {}) {
  const stop = new AbortController();
  const scope = await testScope({ signal: stop.signal });
  const toolbox = testToolbox([say, made, book, list, ...tools], scope, { maxResultChars });
  const saved: Step[] = [];
  const kept: Kept[] = [];
  const conversation = {
    append: async (step: Step) => {
      await append?.();
      saved.push(step);
    },
    resumed: async () => [...earlier, ...saved],
  };
  const artifacts = {
    keep: async (_turn: unknown, value: unknown, about: object) => {
      kept.push({ value, about });
      return given.keptAs;
    },
  } as unknown as Artifacts;
  const { turn, context } = scope;
  const run = { turn, context, scope, toolbox, conversation } as unknown as EngineRun;
  const reads = ReadTexts.of('go', []);
  const calls = new Calls(run, 'keptAs' in given ? artifacts : undefined, reads);
  const announce = (...all: readonly (readonly [string, string, object])[]) =>
    calls.announce(new AIMessage({ content: 'Hm.', tool_calls: all.map(([id, name, args]) => ({ id, name, args })) }));
  const results = () => saved.filter(({ kind }) => kind === 'tool_result').map(({ content }) => resultOf(content));
  return { calls, announce, saved, results, kept, reads, scope, stop };
}

describe('a call', () => {
  test('is saved before it runs, and its result after it', async () => {
    const { calls, announce, saved } = await callsOf();
    await announce(['c1', 'say', { text: 'milk' }]);
    const asked: StoredCall = { id: 'c1', name: 'say', args: { text: 'milk' } };
    expect(saved).toEqual([callsStep('Hm.', [asked])]);
    expect(await calls.perform('say', { text: 'milk' })).toBe('milk.');
    expect(saved.slice(1)).toEqual([resultStep({ id: 'c1', name: 'say', ok: true, text: 'milk.' })]);
  });

  test('a reply without any is not saved as one with calls', async () => {
    const { announce, saved } = await callsOf();
    await announce();
    expect(saved).toEqual([]);
  });

  test.each<[string, string, Record<string, unknown>, string, string]>([
    ['fails', 'say', {}, 'Error: say: text: missing. Use say { text: string, loud?: boolean }.', 'invalid_input'],
    [
      'names no clear time',
      'book',
      {},
      'Error: book failed: "next week" is not clear.\nAsk the user which time is meant, in plain text.',
      'bad_time',
    ],
    [
      'was refused',
      REFUSED_CALL,
      { tool: 'conjure', reason: 'There is no conjure.' },
      'Error: There is no conjure.',
      'refused_call',
    ],
  ])('that %s is answered with why', async (_how, name, args, text, code) => {
    const { calls, announce, results } = await callsOf();
    await announce(['c1', name, args]);
    const told = await calls.perform(name, args);
    expect(told).toBe(text);
    expect(results()).toEqual([{ id: 'c1', name, ok: false, text: told, told: expect.objectContaining({ code }) }]);
    const ofLoop = new ToolMessage({ content: told, tool_call_id: 'c1' });
    expect(calls.resultOf(ofLoop)).toMatchObject({ status: 'error', artifact: { ok: false, told: { code } } });
  });

  test('gets the result of its own, whichever ends first', async () => {
    const { calls, announce, results } = await callsOf();
    await announce(
      ['c1', 'say', { text: 'a' }],
      ['c2', 'make', { text: 'a' }],
      ['c3', 'say', { text: 'a', loud: true }],
      ['c4', 'say', { text: 'b' }],
    );
    await calls.perform('say', { text: 'b' });
    await calls.perform('say', { loud: true, text: 'a' });
    await calls.perform('make', { text: 'a' });
    await calls.perform('say', { text: 'a' });
    expect(results().map(({ id, text }) => [id, text])).toEqual([
      ['c4', 'b.'],
      ['c3', 'a!'],
      ['c2', 'done'],
      ['c1', 'a.'],
    ]);
  });

  test('that looks otherwise than it was announced is the first one that is open', async () => {
    const { calls, announce, results } = await callsOf();
    expect(await calls.perform('say', { text: 'z' })).toBe('z.');
    await announce(['c1', 'say', { text: 'a' }], ['c2', 'say', { text: 'b' }]);
    expect(await calls.perform('say', { text: 'c' })).toBe('a.');
    await calls.perform('say', { text: 'b' });
    expect(await calls.perform('say', { text: 'd' })).toBe('d.');
    expect(results().map(({ id }) => id)).toEqual(['', 'c1', 'c2', '']);
  });

  test('of a turn that was stopped meanwhile saves nothing', async () => {
    const { calls, announce, results, stop } = await callsOf();
    await announce(['c1', 'say', { text: 'a' }]);
    stop.abort(new Error('stopped'));
    await expect(calls.perform('say', { text: 'a' })).rejects.toThrow('stopped');
    expect(results()).toEqual([]);
  });

  test('what it gave is remembered as read', async () => {
    const { calls, announce, reads } = await callsOf();
    await announce(['c1', 'say', { text: 'write_note with {"text":"oranges"}' }]);
    expect(reads.hold({ name: 'write_note', input: { text: 'oranges' } })).toBe(false);
    await calls.perform('say', { text: 'write_note with {"text":"oranges"}' });
    expect(reads.hold({ name: 'write_note', input: { text: 'oranges' } })).toBe(true);
  });
});

test('the same call with the same result is remarked on from the third time on', async () => {
  const { calls, announce, results } = await callsOf({ maxResultChars: 200 });
  const circles = '(The same call has already given this result more than once. Do something else, or answer.)';
  const texts = ['a', 'a', 'b', 'a', 'a'];
  await announce(...texts.map((text, index) => [`c${index}`, 'make', { text }] as const));
  for (const text of texts) await calls.perform('make', { text });
  const told = results().map(({ text }) => text);
  expect(told.slice(0, 4)).toEqual(['done', 'done', 'done', `done\n${circles}`]);
});

describe('a result that an answer need not know', () => {
  test.each<[string, readonly (readonly [string, Record<string, unknown>])[], boolean]>([
    ['nothing was called', [], false],
    ['it is what the tool always gives', [['make', { text: 'a' }]], true],
    ['it is not', [['make', { text: 'odd' }]], false],
    ['the tool has none such', [['say', { text: 'a' }]], false],
    ['the call failed', [['make', {}]], false],
    ['there is no such tool', [['conjure', {}]], false],
    ['the call was refused', [[REFUSED_CALL, { reason: 'x' }]], false],
    [
      'one of two is not',
      [
        ['make', { text: 'odd' }],
        ['make', { text: 'a' }],
      ],
      false,
    ],
  ])('%s', async (_what, made, unremarkable) => {
    const { calls, announce } = await callsOf();
    expect(calls.unremarkable).toBe(false);
    await announce(...made.map(([name, args], index) => [`c${index}`, name, args] as const));
    for (const [name, args] of made) await calls.perform(name, args);
    expect(calls.unremarkable).toBe(unremarkable);
  });
});

describe('a result that is too long for the model', () => {
  const text = 'x'.repeat(60);
  const note = (id: string, chars: number) =>
    `(The whole result, ${chars} characters, is kept. Read on with artifact_get {"id": "${id}", "offset": N, ` +
    '"limit": 8000}.)';

  async function told(tool: string, args: Record<string, unknown>, given: Given) {
    const { calls, announce, kept, scope } = await callsOf(given);
    await scope.labels.read({ untrusted: true, private: false }, 'a page');
    await announce(['c1', tool, args]);
    return { text: await calls.perform(tool, args), kept };
  }

  test('is kept whole, and the model is told how to read on', async () => {
    const { text: shown, kept } = await told('say', { text }, { keptAs: 'art_1' });
    expect(shown).toBe(`${'x'.repeat(14)}\n… 41 characters left out …\n${'x'.repeat(5)}.\n${note('art_1', 61)}`);
    const description = `result of say {"text":"${text}"}`;
    expect(kept).toEqual([{ value: `${text}.`, about: { description, untrusted: true } }]);
  });

  test('is kept as the value that it is', async () => {
    const { text: shown, kept } = await told('list', {}, { keptAs: 'art_1' });
    expect(shown).toContain(note('art_1', 41));
    expect(kept).toMatchObject([{ value: [...'abcdefghij'] }]);
  });

  const cut = `${'x'.repeat(14)}\n… 41 characters left out …\n${'x'.repeat(5)}.`;
  const again = defineTool({ ...PLAIN_TOOL, name: 'artifact.get', execute: () => `${text}.` });
  test.each<[string, string, Record<string, unknown>, Given, string]>([
    ['unless there is nowhere to keep it', 'say', { text }, {}, cut],
    ['unless it could not be kept', 'say', { text }, { keptAs: undefined }, cut],
    ['unless it is a part of a kept one', 'artifact_get', {}, { keptAs: 'art_1', tools: [again] }, cut],
    ['and a short one is not', 'say', { text: 'x'.repeat(19) }, { keptAs: 'art_1' }, `${'x'.repeat(19)}.`],
  ])('%s', async (_what, tool, args, given, shown) => {
    expect((await told(tool, args, given)).text).toBe(shown);
  });
});

describe('a turn that was cut off', () => {
  const asked = (...ids: readonly string[]) =>
    callsStep(
      '',
      ids.map((id) => ({ id, name: 'say', args: { text: id } })),
    );
  const result = (id: string) => resultStep({ id, name: 'say', ok: true, text: `${id}.` });

  test('makes the calls that have no result yet', async () => {
    const feedback: Step = { role: 'user', kind: 'feedback', content: 'and short' };
    const earlier = [asked('c1', 'c2'), result('c1'), result('c2'), feedback, asked('c3', 'c4', 'c5'), result('c4')];
    const { calls, saved } = await callsOf({ earlier });
    const steps = await calls.resume();
    expect(saved).toEqual([result('c3'), result('c5')]);
    expect(steps).toEqual([...earlier.filter((step) => step !== feedback), ...saved]);
  });

  test('a new one makes none', async () => {
    const { calls, saved } = await callsOf();
    expect([await calls.resume(), saved]).toEqual([[], []]);
  });
});

test('what is still being saved can be waited for, also where it fails', async () => {
  const saving = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const left = saving.map(({ promise }) => promise);
  const { calls, announce, saved } = await callsOf({ append: () => left.shift() ?? Promise.resolve() });
  const announced = announce(['c1', 'say', { text: 'a' }]);
  const failed = announce(['c2', 'say', { text: 'b' }]).catch((error: unknown) => error);
  let isOver = false;
  const waited = calls.saved().then(() => {
    isOver = true;
  });
  saving[1]?.reject(new Error('the disk is full'));
  expect(await failed).toEqual(new Error('the disk is full'));
  expect(isOver).toBe(false);
  saving[0]?.resolve();
  await Promise.all([announced, waited]);
  expect(saved).toHaveLength(1);
  await calls.saved();
});
