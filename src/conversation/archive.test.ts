import { expect, test } from 'vitest';
import { z } from 'zod';
import { testAgent, testContext, testTurn } from '../testing/agent.ts';
import { sqlGet, sqlRun } from '../testing/sql.ts';
import { openTestStore } from '../testing/stores.ts';
import { defineTool } from '../tools/tool.ts';
import { ConversationArchive } from './archive.ts';
import { toJson, toMarkdown } from './export.ts';

const note = defineTool({
  name: 'write_note',
  description: 'Append a note.',
  input: z.object({ text: z.string() }),
  policy: { effect: 'local', reads: 'public', change: 'append' },
  provenance: { returns: 'untrusted' },
  timeoutMs: 1000,
  execute: () => 'noted',
});

/** Two conversations: one about milk with a note, one about the café. */
async function furnished() {
  const agent = await testAgent(
    [
      { text: 'Yes.', toolCalls: [{ name: 'write_note', args: { text: 'milk' } }] },
      'Noted the milk.',
      'At nine.',
      'Then ten.',
    ],
    { tools: [note] },
  );
  await agent.runTurn(testTurn('note: buy milk'), testContext());
  const later = { now: () => new Date('2026-01-16T09:00:00Z') };
  await agent.runTurn(testTurn('when does the café open?', { conversationId: 'conv_2' }), testContext(later));
  await agent.runTurn(testTurn('and on Sunday?', { conversationId: 'conv_2' }), testContext(later));
  return { agent, saved: new ConversationArchive(agent.store, later.now) };
}

test('conversations are listed newest first, titled by their first words', async () => {
  const { saved } = await furnished();
  expect(await saved.list()).toMatchObject([
    { id: 'conv_2', title: 'when does the café open?', status: 'completed', turns: 2 },
    { id: 'conv_1', title: 'note: buy milk', status: 'completed', turns: 1 },
  ]);
});

test.each([
  ['milk', ['conv_1', 'conv_1']],
  ['cafe', ['conv_2']],
  ['buy mil', ['conv_1']],
  ['"); DROP TABLE messages; --', []],
  ['***', []],
])('search for %s', async (words, ids) => {
  const { saved } = await furnished();
  expect((await saved.search(words)).map((found) => found.conversationId)).toEqual(ids);
});

test('undo takes the last turn out of sight once its effects are undone', async () => {
  const { agent, saved } = await furnished();
  const undone = { undone: [], remains: ['write_note {"text":"milk"}'] };
  const turns: string[] = [];
  const effects = async (turnId: string) => {
    turns.push(turnId);
    return undone;
  };
  await expect(saved.undo('conv_1', () => Promise.reject(new Error('killed')))).rejects.toThrow('killed');
  expect(await saved.undo('conv_1', effects)).toEqual({ text: 'note: buy milk', ...undone, summarised: false });
  expect(turns).toEqual(['turn_note_buy_milk']);
  expect(await saved.messages('conv_1')).toEqual([]);
  expect(await saved.search('milk')).toEqual([]);
  expect(await saved.undo('conv_1', effects)).toBeUndefined();
  const next = await testAgent(['Hm.'], { store: agent.store });
  await next.runTurn(testTurn('what did I say?'), testContext());
  expect(next.model.requests[0]?.messages.map((message) => message.text).slice(1)).toEqual(['what did I say?']);
});

test('a branch knows what was said and goes its own way', async () => {
  const { agent, saved } = await furnished();
  const id = await saved.branch('conv_2');
  const next = await testAgent(['Closed.'], { store: agent.store });
  await next.runTurn(testTurn('and on Monday?', { conversationId: id }), testContext());
  expect(next.model.requests[0]?.messages.slice(1).map((message) => message.text)).toEqual([
    'when does the café open?',
    'At nine.',
    'and on Sunday?',
    'Then ten.',
    'and on Monday?',
  ]);
  expect(await saved.messages('conv_2')).toHaveLength(4);
  expect(await saved.messages(id)).toHaveLength(6);
});

test('a branch keeps what the conversation had read', async () => {
  const { saved } = await furnished();
  expect(await saved.get(await saved.branch('conv_1'))).toMatchObject({
    read_untrusted: 1,
    label_sources: '["write_note"]',
  });
});

test('a removed conversation leaves no message and no search result', async () => {
  const { agent, saved } = await furnished();
  await saved.remove('conv_1');
  expect((await saved.list()).map((each) => each.id)).toEqual(['conv_2']);
  const found = agent.store.kind === 'sqlite' ? 'messages_found' : 'message_words';
  expect(await sqlGet(agent.store, `SELECT count(*) AS n FROM ${found}`)).toMatchObject({ n: 4 });
  await expect(() => saved.get('conv_1')).rejects.toThrow(expect.objectContaining({ code: 'unknown_conversation' }));
});

test('an export holds every step in order', async () => {
  const { saved } = await furnished();
  const markdown = await toMarkdown(saved, 'conv_1');
  const places = [
    '# note: buy milk',
    '## You',
    'note: buy milk',
    '`write_note` ` {"text":"milk"} `',
    'noted',
    '## Wooster',
    'Noted the milk.',
  ];
  const found = places.map((place, index) => markdown.indexOf(place, index === 0 ? 0 : 30));
  expect(found.every((at) => at >= 0)).toBe(true);
  expect(await toJson(saved, 'conv_1')).toMatchObject({
    id: 'conv_1',
    messages: [
      { kind: 'text', content: 'note: buy milk' },
      { kind: 'tool_calls', content: { text: 'Yes.', calls: [{ name: 'write_note', args: { text: 'milk' } }] } },
      { kind: 'tool_result', content: { ok: true, text: 'noted' } },
      { kind: 'answer', content: 'Noted the milk.' },
    ],
  });
});

test('a turn whose process is gone is interrupted, one that runs is not', async () => {
  const store = await openTestStore();
  const insert = (id: string, conversation: string, owner: string) =>
    sqlRun(
      store,
      `INSERT INTO turns (id, conversation_id, mode, origin, text, status, owner, started_at)
       VALUES (?, ?, 'classic_tools', 'repl', 'x', 'running', ?, '2026-01-01')`,
      ...[id, conversation, owner],
    );
  const agent = await testAgent([], { store });
  for (const id of ['gone', 'here', 'reused']) {
    await sqlRun(
      store,
      "INSERT INTO conversations (id, project, created_at, updated_at) VALUES (?, 'home', 'x', 'x')",
      id,
    );
  }
  await agent.conversations.begin(testTurn('x', { id: 'turn_here', conversationId: 'here' }), () => new Date());
  const own = String((await sqlGet(store, 'SELECT owner FROM turns'))?.owner);
  await insert('turn_gone', 'gone', own.replace(/:\d+@/u, ':999999@'));
  await insert('turn_reused', 'reused', own.replace(/#\d+$/u, '#1'));
  const saved = new ConversationArchive(store);
  const statuses = Object.fromEntries((await saved.list()).map((each) => [each.id, each.status]));
  expect(statuses).toEqual({ gone: 'interrupted', here: 'active', reused: 'interrupted' });
  expect((await saved.interrupted()).map((turn) => turn.id).sort()).toEqual(['turn_gone', 'turn_reused']);
});
