import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ContentBlock, methods } from '@agentclientprotocol/sdk';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Answering, startEditor } from './testing/editor-connection.ts';
import { FaultServer, ok } from './testing/fault-server.ts';
import { temporaryFolder } from './testing/home.ts';
import { childEnvironment } from './testing/wooster.ts';

const { session } = methods.agent;

/** An editor before the real program, in a folder of its own, with a model that says what it is told to. */
async function desk() {
  const [home, folder] = [temporaryFolder(), join(temporaryFolder(), 'house')];
  mkdirSync(folder);
  const server = new FaultServer();
  await server.start();
  onTestFinished(() => server.stop());
  const model = { OPENAI_BASE_URL: server.url, OPENAI_MODEL_NAME: 'fault-model' };
  const env = childEnvironment({ home, env: model });
  const open = async (answering: Answering) => {
    const editor = await startEditor({ env, cwd: folder }, answering);
    onTestFinished(async () => void (await editor.leave()));
    const say = (sessionId: string, ...prompt: (string | ContentBlock)[]) =>
      editor.agent.request(session.prompt, {
        sessionId,
        prompt: prompt.map((each) => (typeof each === 'string' ? { type: 'text', text: each } : each)),
      });
    return { ...editor, say };
  };
  return { folder, server, open };
}

const called = (name: string, args: unknown) => ok('', { calls: [{ name, args: JSON.stringify(args) }] });

test('a day in an editor: open a folder, ask, see the diff, accept, undo, and go on the next day', {
  timeout: 60_000,
}, async () => {
  const { folder, server, open } = await desk();
  const lease = join(folder, 'lease.md');
  writeFileSync(lease, 'Rent: 900\n');
  const yes: Answering = ({ toolCall }) => (toolCall.title?.startsWith('Is ') ? 'link' : 'once');
  const today = await open(yes);
  const { sessionId } = await today.agent.request(session.new, { cwd: folder, mcpServers: [] });

  const settings = { path: '.vscode/settings.json', content: '{"editor.rulers": [120]}\n' };
  server.play(called('write_file', settings), ok('Set.'));
  expect(await today.say(sessionId, 'set a ruler at 120')).toEqual({ stopReason: 'end_turn' });
  expect(today.asked.map(({ toolCall }) => toolCall.title)).toEqual([
    `Is ${folder} your work?`,
    'write_file: .vscode/settings.json',
  ]);
  expect(readFileSync(join(folder, settings.path), 'utf8')).toBe(settings.content);

  server.play(called('edit_file', { path: 'lease.md', old: '900', new: '950' }), ok('The rent is 950 now.'));
  const selection: ContentBlock = { type: 'resource', resource: { uri: `file://${lease}#L1`, text: 'Rent: 900' } };
  await today.say(sessionId, 'make that 950', selection);
  const diff = { type: 'diff', path: lease, oldText: 'Rent: 900\n', newText: 'Rent: 950\n' };
  expect(today.updates).toContainEqual(expect.objectContaining({ content: [diff] }));
  expect(readFileSync(lease, 'utf8')).toBe('Rent: 950\n');
  await today.say(sessionId, '/undo');
  expect(readFileSync(lease, 'utf8')).toBe('Rent: 900\n');
  expect(await today.leave()).toBe(0);

  const tomorrow = await open(() => 'denied');
  const { sessions } = await tomorrow.agent.request(session.list, { cwd: folder });
  expect(sessions).toMatchObject([{ sessionId, cwd: folder }]);
  await tomorrow.agent.request(session.load, { sessionId, cwd: folder, mcpServers: [] });
  const history = () => tomorrow.told.map(({ text }) => text);
  await vi.waitFor(() => expect(history()).toEqual(expect.arrayContaining(['set a ruler at 120', 'Set.'])));
  server.play(ok('At 120.'));
  await tomorrow.say(sessionId, 'where is the ruler?');
  expect(history().join('')).toContain('At 120.');
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('set a ruler at 120');
  expect(tomorrow.asked).toEqual([]);
  expect(await tomorrow.leave()).toBe(0);
});

test('an editor is greeted before the home is open, and told what keeps it from opening', {
  timeout: 60_000,
}, async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'state'));
  writeFileSync(join(home, 'state', 'wooster.sqlite3'), 'no database'.repeat(1000));
  const env = childEnvironment({ home, store: 'sqlite' });
  const { agent, ended, complaints } = await startEditor({ env, cwd: home }, () => 'denied');
  const told = await agent.request(session.new, { cwd: '/', mcpServers: [] }).catch((error: unknown) => error);
  expect(told).toMatchObject({ code: -32_603, data: { code: 'store_damaged' } });
  expect(await ended).toBe(1);
  expect(await complaints).toContain((told as Error).message);
});
