import type { BaseMessage } from '@langchain/core/messages';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Turn } from '../base/turn.ts';
import { testAgent, testContext, testTurn } from '../testing/agent.ts';
import { codeAgent, testSandbox } from '../testing/code-agent.ts';
import type { Scripted } from '../testing/scripted-model.ts';
import { defineTool } from '../tools/tool.ts';

const sandbox = testSandbox();
afterAll(() => sandbox.close());

const NOTES = 30;
const STEPS = 8;
const MODES = ['classic_tools', 'code_agent'] as const;

/** Writes a note, and gives the words of one back. */
function notebook() {
  const written: string[] = [];
  const base = { provenance: { returns: 'trusted' }, timeoutMs: 5000 } as const;
  const write = defineTool({
    ...base,
    name: 'write_note',
    description: 'Write a note.',
    input: z.object({ text: z.string() }),
    policy: { effect: 'local', change: 'append', reads: 'public' },
    execute: ({ text }) => {
      written.push(text);
      return `Noted: ${text}.`;
    },
  });
  const read = defineTool({
    ...base,
    name: 'read_part',
    description: 'Read a part.',
    input: z.object({ part: z.number() }),
    policy: { effect: 'none', reads: 'public' },
    execute: ({ part }) => `Part ${part}: the word is w${part * 7}.`,
  });
  return { written, tools: [write, read] };
}

const wordsOf = (messages: readonly BaseMessage[]) =>
  messages
    .map((message) => `${message.text} ${JSON.stringify('tool_calls' in message ? message.tool_calls : '')}`)
    .join('\n');

/** A model that keeps no state: it writes the first note of which it sees nothing in its request. */
function noteTaker(mode: Turn['mode']): Scripted {
  return (messages) => {
    const seen = new Set([...wordsOf(messages).matchAll(/note (\d+)\b/gu)].map(([, n]) => Number(n)));
    const next = Array.from({ length: NOTES }, (_, n) => n).find((n) => !seen.has(n));
    const text = `note ${next}`;
    if (next === undefined) return mode === 'code_agent' ? '```js\nfinalAnswer("All noted.")\n```' : 'All noted.';
    return mode === 'code_agent'
      ? `\`\`\`js\nconst said = await writeNote({ text: '${text}' });\nconsole.log(said)\n\`\`\``
      : { toolCalls: [{ name: 'write_note', args: { text } }] };
  };
}

function agentFor(mode: Turn['mode'], replies: readonly Scripted[], tools: ReturnType<typeof notebook>['tools']) {
  return mode === 'code_agent'
    ? codeAgent(sandbox, replies, { tools, code: { maxIterations: STEPS } })
    : testAgent(replies, { tools, maxIterations: STEPS });
}

describe.each(MODES)('long work in %s', (mode) => {
  const turn = (text: string, nth: number) => testTurn(text, { id: `turn_${nth}`, mode, conversationId: 'conv_1' });
  const noting = (count: number) => Array.from({ length: count }, () => noteTaker(mode));

  test.each([
    ['go on', 'please go on', 'weiter', 'Mach bitte weiter!'],
    // Words that are no "go on" make a turn of its own, which sees every call of those before.
    ['and the next ones', 'go on, but stay brief', 'more of them', 'the others too'],
  ])('thirty notes over four times "%s" are each written once', async (...words) => {
    const { written, tools } = notebook();
    const agent = await agentFor(mode, noting(60), tools);
    const stops: string[] = [];
    for (const [nth, text] of ['write thirty notes', ...words].entries()) {
      stops.push((await agent.runTurn(turn(text, nth), testContext())).stop);
      if (stops.at(-1) === 'answered') break;
    }
    expect(stops).toEqual(['step_limit', 'step_limit', 'step_limit', 'answered']);
    expect(written).toEqual(Array.from({ length: NOTES }, (_, n) => `note ${n}`));
  });

  test('what is asked about a finished long turn is seen, the first call as well as the last', async () => {
    const { tools } = notebook();
    const parts = Array.from({ length: 7 }, (_, part): Scripted => {
      return mode === 'code_agent'
        ? `\`\`\`js\nconsole.log(await readPart({ part: ${part} }))\n\`\`\``
        : { toolCalls: [{ name: 'read_part', args: { part } }] };
    });
    const done = mode === 'code_agent' ? '```js\nfinalAnswer("All read.")\n```' : 'All read.';
    const agent = await agentFor(mode, [...parts, done, done], tools);
    await agent.runTurn(turn('read all parts', 1), testContext());
    await agent.runTurn(turn('what was the word of part 1?', 2), testContext());
    const shown = wordsOf(agent.model.requests.at(-1)?.messages ?? []);
    for (let part = 0; part < 7; part++) expect(shown).toContain(`the word is w${part * 7}.`);
  });

  test('in a turn that goes on the same call gives its record; in a new one it acts', async () => {
    const { written, tools } = notebook();
    const same =
      mode === 'code_agent'
        ? '```js\nconsole.log(await writeNote({ text: "milk" }))\n```'
        : { toolCalls: [{ name: 'write_note', args: { text: 'milk' } }] };
    const look: Scripted =
      mode === 'code_agent'
        ? '```js\nconsole.log(await readPart({ part: 1 }))\n```'
        : { toolCalls: [{ name: 'read_part', args: { part: 1 } }] };
    const done = mode === 'code_agent' ? '```js\nfinalAnswer("Done.")\n```' : 'Done.';
    const looks = [2, 3, 4, 5, 6, 7, 8].map((part): Scripted => {
      return mode === 'code_agent'
        ? `\`\`\`js\nconsole.log(await readPart({ part: ${part} }))\n\`\`\``
        : { toolCalls: [{ name: 'read_part', args: { part } }] };
    });
    const agent = await agentFor(mode, [same, ...looks, same, look, done, same, done], tools);
    expect((await agent.runTurn(turn('note milk', 1), testContext())).stop).toBe('step_limit');
    await agent.runTurn(turn('go on', 2), testContext());
    expect(written).toEqual(['milk']);
    await agent.runTurn(turn('note milk once more', 3), testContext());
    expect(written).toEqual(['milk', 'milk']);
  });
});
