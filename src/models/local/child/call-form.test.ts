import { describe, expect, test } from 'vitest';
import { asJson } from '../../constrained/grammar.ts';
import type { ToolUse } from '../protocol.ts';
import { type CallForm, callGrammar, markerOf, readCallForm, readCalls, USUAL_FORM, writeCall } from './call-form.ts';

/** How families of templates write calls. */
const WRITERS: Readonly<Record<string, (calls: readonly ToolUse[]) => string>> = {
  'Qwen3 and Hermes': (calls) =>
    calls
      .map(
        ({ name, arguments: args }) => `\n<tool_call>\n{"name": "${name}", "arguments": ${asJson(args)}}\n</tool_call>`,
      )
      .join(''),
  'Qwen3.5 and Qwen3 Coder': (calls) =>
    calls
      .map(({ name, arguments: args }) => `\n<tool_call>\n<function=${name}>\n${fields(args)}</function>\n</tool_call>`)
      .join(''),
  'Llama 3': ([call]) => (call ? `{"name": "${call.name}", "parameters": ${asJson(call.arguments)}}` : ''),
  Mistral: (calls) =>
    `[TOOL_CALLS] [${calls.map(({ name, arguments: args }) => `{"name": "${name}", "arguments": ${asJson(args)}}`).join(', ')}]`,
};

function fields(args: ToolUse['arguments']): string {
  return Object.entries(args)
    .map(([key, value]) => `<parameter=${key}>\n${typeof value === 'string' ? value : asJson(value)}\n</parameter>\n`)
    .join('');
}

const TOOLS = [
  {
    name: 'add',
    description: '',
    parameters: {
      type: 'object',
      properties: {
        text: { type: 'string' },
        times: { type: 'integer' },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['text'],
    },
  },
  { name: 'add_all', description: '', parameters: { type: 'object', properties: {} } },
];
const CALLS: readonly ToolUse[] = [
  { name: 'add', arguments: { text: 'two\nlines, "quoted", {braced} and <b>bold</b>', times: 3, tags: ['a', '}'] } },
  { name: 'add_all', arguments: {} },
];

describe.each(Object.entries(WRITERS))('the calls of %s', (_family, write) => {
  const form = readCallForm(write) as CallForm;

  test('are found out from what its template writes', () => {
    expect(form).toBeDefined();
    for (const call of CALLS) expect(writeCall(form, call)).toBe(write([call]).trim());
  });

  test('are read as they were written', () => {
    for (const call of CALLS)
      expect(readCalls(form, writeCall(form, call), TOOLS)).toEqual({ calls: [call], cut: undefined });
  });

  test('are no calls where they were cut off', () => {
    const text = writeCall(form, CALLS[0] as ToolUse);
    for (let length = form.before.length; length < text.length; length += 7) {
      const { calls, cut } = readCalls(form, text.slice(0, length), TOOLS);
      expect([calls, cut?.text]).toEqual([[], text.slice(0, length)]);
    }
  });

  test('have a grammar that begins behind the marker', () => {
    expect(form.before.startsWith(markerOf(form))).toBe(true);
    expect(callGrammar(form, TOOLS).split('\n')[0]).toMatch(/^root ::= /u);
  });
});

test('several calls are read where the template writes them one after the other', () => {
  expect(readCallForm(WRITERS['Qwen3 and Hermes'] as never)).toEqual(USUAL_FORM);
  const text = CALLS.map((call) => writeCall(USUAL_FORM, call)).join('\n');
  expect(readCalls(USUAL_FORM, text, TOOLS).calls).toEqual(CALLS);
});

test('a list of calls in one pair of brackets is read as one call at most', () => {
  expect(readCallForm(WRITERS.Mistral as never)?.separator).toBeUndefined();
});

test('a tool that nobody offered is not called', () => {
  const text = writeCall(USUAL_FORM, { name: 'rm', arguments: { path: '/' } });
  expect(readCalls(USUAL_FORM, text, TOOLS)).toEqual({ calls: [], cut: { name: '', text } });
});

test.each([
  ['writes none', () => ''],
  ['leaves out the name', ([call]: readonly ToolUse[]) => asJson(call?.arguments)],
  ['writes them in Python', ([call]: readonly ToolUse[]) => `${call?.name}(zqkeya='zqvala', zqkeyb='zqvalb')`],
])('a template that %s has no form of its own', (_what, write) => {
  expect(readCallForm(write)).toBeUndefined();
});
