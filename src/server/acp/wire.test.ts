import { methods } from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';
import { openApp } from '../../testing/app.ts';
import { bareEditor, openEditor } from '../../testing/editor-client.ts';

const bare = async () => bareEditor((await openApp({ replies: [] })).app);

const TEXTS = [undefined, null, 5, 'x', [], {}, { sessionId: 5 }, { sessionId: 'conv_none', prompt: 'hi' }];
const MALFORMED = [
  'session/prompt',
  'session/load',
  'session/set_mode',
  'session/set_config_option',
  'session/close',
].flatMap((method) => TEXTS.map((params) => [method, params] as const));

test.each(MALFORMED)('%s with %j is refused, and the next request is answered', async (method, params) => {
  const { send, read } = await bare();
  send(method, params);
  expect(await read()).toMatchObject({ id: 7, error: { code: expect.toBeOneOf([-32600, -32602]) } });
  send('initialize', { protocolVersion: 1 });
  expect(await read()).toMatchObject({ id: 7, result: { protocolVersion: 1 } });
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
  const ROUNDS = 60;
  const note = { toolCalls: [{ name: 'write_note', args: { text: 'x' } }] };
  const { app } = await openApp({ replies: Array.from({ length: 2 * ROUNDS }, (_, at) => (at % 2 ? 'Noted.' : note)) });
  const { agent, updates } = await openEditor(app);
  const { session } = methods.agent;
  const { sessionId } = await agent.request(session.new, { cwd: '/', mcpServers: [] });
  for (let round = 0; round < ROUNDS; round += 1) {
    const done = agent.request(session.prompt, { sessionId, prompt: [{ type: 'text', text: 'note x' }] });
    // After so many updates, from none to all.
    const from = updates.length;
    const moments = round % 8;
    while (updates.length < from + moments && (await Promise.race([done.then(() => false), nextTurn()])));
    await agent.notify(session.cancel, { sessionId });
    const { stopReason } = await done.catch(() => ({ stopReason: 'failed' }));
    expect(['end_turn', 'cancelled', 'failed']).toContain(stopReason);
    const entries = app.knowledge.projects.journalEntries('home').length;
    await nextTurn();
    expect(app.knowledge.projects.journalEntries('home')).toHaveLength(entries);
  }
});

const nextTurn = () => new Promise<boolean>((resolve) => setImmediate(() => resolve(true)));
