import { methods } from '@agentclientprotocol/sdk';
import { expect, test, vi } from 'vitest';
import { openApp } from '../../testing/app.ts';
import { bareEditor, openEditor } from '../../testing/editor-client.ts';

const { session } = methods.agent;

async function home() {
  const { app } = await openApp({ replies: ['Hello.'] });
  const { notices } = app.schedule.notifier;
  const post = async (text: string) => {
    await app.store.transaction(() => notices.post({ key: text, text }));
    await notices.advance();
  };
  const states = async () => (await notices.list()).map(({ state, deliveredBy }) => `${state} ${deliveredBy ?? '-'}`);
  const faces = async () => (await app.schedule.present()).map(({ kind, runsJobs }) => `${kind} ${runsJobs}`);
  return { app, post, states, faces };
}

async function editorOf({ app }: Awaited<ReturnType<typeof home>>) {
  const { agent, told } = await openEditor(app);
  const open = async () => (await agent.request(session.new, { cwd: '/', mcpServers: [] })).sessionId;
  return { agent, told, open };
}

test('a reminder is told in the panel that was used last, and counts as shown once the editor has read it', async () => {
  const opened = await home();
  const { agent, told, open } = await editorOf(opened);
  const [first, second] = [await open(), await open()];
  await vi.waitFor(async () => expect(await opened.faces()).toEqual(['editor true']));
  await agent.request(session.prompt, { sessionId: first, prompt: [{ type: 'text', text: 'hi' }] });
  await opened.post('tea is ready');
  await vi.waitFor(async () => expect(await opened.states()).toEqual(['delivered editor']));
  expect(told.filter(({ text }) => text.includes('tea is ready')).map(({ sessionId }) => sessionId)).toEqual([first]);
  expect(second).not.toBe(first);
});

test('with its last panel closed the editor is no face; the next panel shows what came meanwhile', async () => {
  const opened = await home();
  const { agent, told, open } = await editorOf(opened);
  const sessionId = await open();
  await vi.waitFor(async () => expect(await opened.faces()).toHaveLength(1));
  await agent.request(session.close, { sessionId });
  expect(await opened.faces()).toEqual([]);
  await opened.post('tea is ready');
  expect(await opened.states()).toEqual(['waiting -']);
  await open();
  await vi.waitFor(async () => expect(await opened.states()).toEqual(['delivered editor']));
  expect(told.map(({ text }) => text).join('')).toContain('tea is ready');
});

test('what an editor was sent that went without reading it waits for the next face', async () => {
  const opened = await home();
  const { send, until, leave, served } = await bareEditor(opened.app);
  send('initialize', { protocolVersion: 1 });
  send('session/new', { cwd: '/', mcpServers: [] });
  await opened.post('tea is ready');
  await until('_wooster/have_read');
  leave();
  await served;
  expect(await opened.states()).toEqual(['waiting -']);
});

test('the servers that an editor would bring along stay off, and it is said', async () => {
  const { agent, told } = await editorOf(await home());
  const mcpServers = [{ name: 'evil', command: '/bin/false', args: [], env: [] }];
  await agent.request(session.new, { cwd: '/', mcpServers });
  await vi.waitFor(() => expect(told.map(({ text }) => text).join('')).toContain('The MCP server evil'));
});
