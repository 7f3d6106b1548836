import { expect, onTestFinished, test } from 'vitest';
import { testTurn } from '../testing/agent.ts';
import { sqlAll, sqlRun } from '../testing/sql.ts';
import { openTestStore } from '../testing/stores.ts';
import { ConversationArchive } from './archive.ts';
import { Conversations } from './conversations.ts';

const now = () => new Date('2026-01-15T09:00:00.000Z');
const turn = testTurn('how deep is the harbour?');
const answer = { text: 'Nine metres.', stop: 'answered' } as const;

async function open() {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const conversations = new Conversations(store);
  await conversations.begin(turn, now);
  const answers = () => sqlAll(store, "SELECT content FROM messages WHERE kind = 'answer'");
  return { store, conversations, answers };
}

test('a program that slept while another one continued its turn does not answer as well', async () => {
  const { store, conversations, answers } = await open();
  await sqlRun(store, "UPDATE turns SET owner = 'elsewhere:1@boot#1'");
  const late = conversations.finish(turn, answer, now());
  await expect(late).rejects.toMatchObject({ code: 'bad_usage', message: expect.stringContaining('another program') });
  expect(await answers()).toEqual([]);
  expect(await sqlAll(store, 'SELECT status, owner FROM turns')).toEqual([
    { status: 'running', owner: 'elsewhere:1@boot#1' },
  ]);
  // Nor when the other one has ended it.
  await sqlRun(store, "UPDATE turns SET owner = NULL, status = 'answered'");
  await expect(conversations.finish(turn, answer, now())).rejects.toMatchObject({ code: 'bad_usage' });
  expect(await answers()).toEqual([]);
});

test('a turn that was given up and not continued is still finished by who began it', async () => {
  const { store, conversations, answers } = await open();
  await sqlRun(store, "UPDATE turns SET owner = NULL, status = 'interrupted'");
  await conversations.finish(turn, answer, now());
  expect(await answers()).toEqual([{ content: 'Nine metres.' }]);
  expect(await sqlAll(store, 'SELECT status FROM turns')).toEqual([{ status: 'answered' }]);
});

test('what the owner said is what a person typed, and the text of their job while that runs', async () => {
  const { conversations } = await open();
  for (const origin of ['cli', 'schedule', 'channel', 'program', 'mcp', 'http'] as const)
    await conversations.begin(testTurn(`by ${origin}`, { origin }), now);
  const spoken = ['how deep is the harbour?', 'by cli', 'by http'];
  expect(await conversations.said(turn.conversationId)).toEqual(spoken);
  expect(await conversations.said(turn.conversationId, 'turn_by_schedule')).toEqual(
    spoken.toSpliced(2, 0, 'by schedule'),
  );
});

test('a turn whose answer is not whole is kept as such', async () => {
  const { store, conversations } = await open();
  await conversations.finish(turn, { text: 'Nine me', stop: 'cut_off' }, now());
  expect(await sqlAll(store, 'SELECT status FROM turns')).toEqual([{ status: 'cut_off' }]);
  const [listed] = await new ConversationArchive(store).list();
  expect(listed).toMatchObject({ status: 'completed', lastTurn: 'cut_off' });
});

test('neither the newest conversations nor the turns that run are looked for in all of them', async () => {
  const store = await openTestStore(':memory:', { kind: 'sqlite' });
  onTestFinished(() => store.close());
  const planOf = async (text: string) =>
    (await sqlAll(store, `EXPLAIN QUERY PLAN ${text}`)).map(({ detail }) => detail).join('; ');
  const newest = await planOf('SELECT * FROM conversations ORDER BY updated_at DESC, id DESC LIMIT 20');
  expect(newest).toBe('SCAN conversations USING INDEX conversations_by_time');
  const running = await planOf("SELECT * FROM turns WHERE status = 'running' ORDER BY started_at");
  expect(running).toBe('SEARCH turns USING INDEX turns_by_status (status=?)');
});

test('two turns of one conversation that read different things both leave their sources', async () => {
  const { conversations } = await open();
  const [one, other] = [await conversations.labels('conv_1'), await conversations.labels('conv_1')];
  await one.read({ untrusted: true, private: false }, 'fetch_text a.example');
  await other.read({ untrusted: false, private: true }, 'read_file diary.md');
  expect((await conversations.labels('conv_1')).provenance()).toEqual({
    untrusted: true,
    private: true,
    sources: ['fetch_text a.example', 'read_file diary.md'],
  });
});

test('who looks back at a few tokens only gets what was said last, however long the conversation is', async () => {
  const { store, conversations } = await open();
  await conversations.finish(turn, answer, now());
  for (let at = 0; at < 300; at++) {
    const next = { ...testTurn(`how deep is harbour ${at}?`), id: `turn_${at}` };
    await conversations.begin(next, now);
    await conversations.finish(next, { text: `${at} metres.`, stop: 'answered' }, now());
  }
  const asked: string[] = [];
  const { read } = store;
  Object.defineProperty(store, 'read', {
    get: () => {
      asked.push('');
      return read;
    },
  });
  const history = await (await conversations.look({ ...turn, id: 'next' }, now)).history('classic', 50);
  expect(history.length).toBeLessThan(12);
  expect(history.at(-1)?.text).toBe('299 metres.');
  // One page of messages, the steps of the last turns, the summary.
  expect(asked).toHaveLength(3);
  const whole = await (await conversations.look({ ...turn, id: 'next' }, now)).history('classic');
  expect(whole).toHaveLength(602);
});
