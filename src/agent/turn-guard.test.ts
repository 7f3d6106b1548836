import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Redactor } from '../base/redact.ts';
import { type TestAgentOptions, testAgent, testContext, testTurn } from '../testing/agent.ts';
import type { Scripted } from '../testing/scripted-model.ts';
import { sqlAll, sqlGet } from '../testing/sql.ts';
import { defineTool } from '../tools/tool.ts';

const base = { description: '', timeoutMs: 1000 } as const;
const page = defineTool({
  ...base,
  name: 'page',
  input: z.object({}),
  policy: { effect: 'none' },
  provenance: { readsFrom: ['web'] },
  execute: () => 'hello',
});
const hits = defineTool({
  ...base,
  name: 'hits',
  input: z.object({}),
  output: z.object({ url: z.string() }),
  policy: { effect: 'none' },
  provenance: { readsFrom: ['web'], found: ({ url }) => [url] },
  execute: () => ({ url: 'https://found.example/a' }),
});
const note = defineTool({
  ...base,
  name: 'write_note',
  input: z.object({ text: z.string() }),
  policy: { effect: 'local', change: 'append' },
  provenance: { readsFrom: [] },
  execute: () => 'Noted.',
});

async function answerTo(text: string, script: readonly Scripted[], deps: TestAgentOptions['deps'] = {}) {
  const agent = await testAgent(script, { tools: [page, hits, note], deps });
  const context = testContext();
  const answer = await agent.runTurn(testTurn(text, { id: 'turn_1' }), context);
  const stored = await sqlGet(agent.store, "SELECT content FROM messages WHERE kind = 'answer'");
  const of = (type: string) => context.events.filter((event) => event.type === type);
  return { text: answer.text, answer, stored: stored?.content, agent, of };
}

const call = (name: string, args: unknown = {}) => ({ toolCalls: [{ name, args }] });

describe('links in an answer', () => {
  const link = 'See [this](https://evil.example/?d=1) ![x](https://evil.example/?d=2) https://evil.example/?d=3';

  test('are written out as text, in what is shown and in what is kept', async () => {
    const { text, stored, of } = await answerTo('hi', [link]);
    expect(text).toBe('See this (https://evil.example/?d=1) x (https://evil.example/?d=2) https://evil.example/?d=3');
    expect(stored).toBe(text);
    expect(of('answer')).toMatchObject([{ text }]);
  });

  test('lose their scheme once untrusted content was read', async () => {
    const { text } = await answerTo('hi', [call('page'), link]);
    expect(text).toBe('See this (evil.example/?d=1) x (evil.example/?d=2) evil.example/?d=3');
  });

  test.each([
    ['look at https://said.example/x', [call('page'), '[a](https://said.example/x)'], '[a](https://said.example/x)'],
    ['hi', [call('hits'), '[a](https://found.example/a)'], '[a](https://found.example/a)'],
    ['hi', [call('hits'), '[a](https://found.example/a?d=1)'], 'a (found.example/a?d=1)'],
  ])('stay where the person or a search named them: %s', async (said, script, expected) => {
    expect((await answerTo(said, script)).text).toBe(expected);
  });

  test('stay where the settings say so', async () => {
    const options = { timeZone: 'Europe/Oslo', linkHosts: ['wiki.example'] };
    const link = '![a](https://img.wiki.example/a.png) [b](https://notwiki.example/)';
    const { text } = await answerTo('hi', [call('page'), link], { options });
    expect(text).toBe('![a](https://img.wiki.example/a.png) b (notwiki.example/)');
  });
});

describe('what an answer says was done', () => {
  test('is marked when it was not', async () => {
    const claim = 'I saved it in your journal. Anything else?';
    const { of, text } = await answerTo('note x', [claim, claim]);
    expect(of('claim')).toEqual([{ type: 'claim', text: 'I saved it in your journal.', supported: false }]);
    expect(text).toBe('I saved it in your journal. Anything else?');
  });

  test('is not marked when it was', async () => {
    const { of } = await answerTo('note x', [call('write_note', { text: 'x' }), 'I saved it in your journal.']);
    expect(of('claim')).toEqual([]);
  });
});

describe('secrets', () => {
  const redactor = new Redactor(['hunter2 is it']);

  test('do not come out in pieces', async () => {
    const { of, text } = await answerTo('hi', ['The word is hunter2 is it, as you know.'], { redactor });
    const shown = of('token').map((event) => (event.type === 'token' ? event.text : ''));
    expect(shown.join('')).toBe('The word is [secret], as you know.');
    expect(text).toBe('The word is [secret], as you know.');
  });

  test('of the person reach no model and no database', async () => {
    const { agent } = await answerTo('my word is hunter2 is it', ['ok'], { redactor });
    expect(JSON.stringify(agent.model.requests)).not.toContain('hunter2');
    expect(JSON.stringify(await sqlAll(agent.store, 'SELECT * FROM turns'))).not.toContain('hunter2');
  });
});

describe('a turn that repeats itself', () => {
  const missing = (n: number) => Array.from({ length: n }, () => call('write_note', { text: 7 }));

  test('ends after three equal failures, with the reason as its answer', async () => {
    const { answer, of, agent } = await answerTo('go', missing(9));
    expect(answer).toMatchObject({ stop: 'step_limit', text: expect.stringContaining('three times') });
    expect(agent.model.requests.length).toBeLessThanOrEqual(4);
    expect(of('tool').length).toBeLessThanOrEqual(4);
  });

  test('goes on while it learns something', async () => {
    const script = ['a', 'b', 'c', 'd', 'e'].map((text) => call('write_note', { text }));
    expect((await answerTo('go', [...script, 'Done.'])).answer).toMatchObject({ stop: 'answered', text: 'Done.' });
  });
});

test('what a turn changed after text of others was read is said under its answer', async () => {
  const steered = await answerTo('hi', [call('page'), call('write_note', { text: 'x' }), 'Done.']);
  expect(steered.of('notice')).toEqual([
    {
      type: 'notice',
      text: expect.stringMatching(
        /^Somebody else's text was read before and may have led to this: write_note “x”.*\/undo/u,
      ),
    },
  ]);
  const own = await answerTo('hi', [call('write_note', { text: 'x' }), 'Done.']);
  expect(own.of('notice')).toEqual([]);
});
