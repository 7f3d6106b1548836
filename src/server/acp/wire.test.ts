import { methods } from '@agentclientprotocol/sdk';
import { expect, test, vi } from 'vitest';
import { openApp } from '../../testing/app.ts';
import { cancelPrompts, turnsOfLoop } from '../../testing/editor-cancels.ts';
import { bareEditor, openEditor } from '../../testing/editor-client.ts';
import { fillConversation } from '../../testing/long-conversation.ts';

const bare = async () => bareEditor((await openApp({ replies: [] })).app);

const TEXTS = [undefined, null, 5, 'x', [], {}, { sessionId: 5 }, { sessionId: 'conv_none', prompt: 'hi' }];
const MALFORMED = [
  'session/prompt',
  'session/load',
  'session/set_mode',
  'session/set_config_option',
  'session/close',
].flatMap((method) => TEXTS.map((params) => [method, params] as const));

test('40 malformed requests of the protocol’s own client are refused, and the next one is answered', async () => {
  const { app } = await openApp({ replies: ['Hello.'] });
  const { agent } = await openEditor(app);
  const refusals = MALFORMED.map(async ([method, params]) => {
    const code = await agent.request(method, params).then(
      () => 'taken',
      (error: { code?: number }) => error.code,
    );
    return { method, params, refused: code === -32_600 || code === -32_602 };
  });
  expect(MALFORMED).toHaveLength(40);
  expect((await Promise.all(refusals)).filter(({ refused }) => !refused)).toEqual([]);
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd: '/', mcpServers: [] });
  const prompt = [{ type: 'text' as const, text: 'hi' }];
  expect(await agent.request(methods.agent.session.prompt, { sessionId, prompt })).toEqual({ stopReason: 'end_turn' });
});

test.each(['nonsense', '{"jsonrpc":"2.0","id":1,"method":"session/fly","params":{}}', '[]', '\u0000'])(
  'the line %j ends nothing',
  async (line) => {
    const { send, sendLine, read } = await bare();
    sendLine(line);
    send('initialize', { protocolVersion: 99 });
    const answers = [await read()];
    if (answers[0]?.id !== 7) answers.push(await read());
    expect(answers.at(-1)).toMatchObject({ id: 7, result: { protocolVersion: 1 } });
  },
);

test('an editor that leaves ends the service', async () => {
  const { leave, served } = await bare();
  leave();
  await served;
});

test('turns cancelled at any moment all end, and change nothing afterwards', async () => {
  const rounds = 60;
  const note = { toolCalls: [{ name: 'write_note', args: { text: 'x' } }] };
  const { app } = await openApp({ replies: Array.from({ length: 2 * rounds }, (_, at) => (at % 2 ? 'Noted.' : note)) });
  const editor = await openEditor(app);
  const effects = () => app.knowledge.projects.journalEntries('home').length;
  const { ended, late } = await cancelPrompts(editor, { rounds, moment: (round) => turnsOfLoop(2 ** (round / 4)), effects });
  expect(late).toBe(0);
  expect(ended.cancelled).toBeGreaterThan(0);
  expect(ended.end_turn).toBeGreaterThan(0);
});

test('a conversation of 5,000 messages is loaded whole, in its order', async () => {
  const { app } = await openApp({ replies: [] });
  const { agent, told } = await openEditor(app);
  await fillConversation(app.store, 'conv_long', 5000);
  await agent.request(methods.agent.session.load, { sessionId: 'conv_long', cwd: '/', mcpServers: [] });
  await vi.waitFor(() => expect(told).toHaveLength(5000));
  expect(told.map(({ text }) => text)).toEqual(Array.from({ length: 5000 }, (_, at) => `message ${at + 1}`));
});
