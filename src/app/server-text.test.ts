import { expect, onTestFinished, test, vi } from 'vitest';
import { scriptedHost } from '../testing/ai-host.ts';
import { writeForServer } from './tools.ts';

/** A server's requests are answered by a model of the project `garden`. */
async function written(system: string | undefined, ...texts: readonly (readonly ['user' | 'assistant', string])[]) {
  const waits = vi.spyOn(AbortSignal, 'timeout');
  onTestFinished(() => waits.mockRestore());
  const { host, model, picked } = scriptedHost(['Tulips need sun.']);
  const messages = texts.map(([role, text]) => ({ role, text }));
  const answer = await writeForServer({ ...host, projects: { active: () => 'garden' } }, { system, messages });
  const [{ messages: sent } = { messages: [] }] = model.requests;
  return { answer, picked, sent: sent.map(({ type, text }) => [type, text]), waits: waits.mock.calls.flat() };
}

test('a text is written by what the router picks for the active project, and says by whom', async () => {
  const { answer, picked, sent, waits } = await written(undefined, ['user', 'What do tulips need?']);
  expect(answer).toEqual({ text: 'Tulips need sun.', model: 'm' });
  const asked = { profile: 'BACKGROUND_TASK', mode: 'classic_tools', purpose: 'llm' };
  expect(picked).toEqual([{ project: 'garden', ...asked, signal: expect.any(AbortSignal) }]);
  expect(sent).toEqual([['human', 'What do tulips need?']]);
  expect(waits).toContain(60_000);
});

test('who said what stays as the server says it, below its instructions', async () => {
  const { sent } = await written('Be short.', ['user', 'Hello'], ['assistant', 'Hello?'], ['user', 'Tulips']);
  expect(sent).toEqual([
    ['system', 'Be short.'],
    ['human', 'Hello'],
    ['ai', 'Hello?'],
    ['human', 'Tulips'],
  ]);
});
