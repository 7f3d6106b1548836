import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import * as fault from './testing/fault-server.ts';
import { temporaryFolder } from './testing/home.ts';
import { sqlRun } from './testing/sql.ts';
import { openTestStore } from './testing/stores.ts';
import { childEnvironment, rows, wooster, woosterOnTerminal } from './testing/wooster.ts';

const server = new fault.FaultServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const env = () => ({
  OPENAI_BASE_URL: server.url,
  OPENAI_MODEL_NAME: 'fault',
  OPENAI_API_KEY: 'sk-test-not-a-real-key-0000',
  AGENT_MAX_CONTINUATIONS: '0',
  AGENT_MAX_ITERATIONS: '2',
});
const cut = () => fault.ok('Once upon a time', { finish: 'length' });

test('an answer that was cut off is printed, and the exit code is 7', async () => {
  server.play(cut(), cut(), cut(), cut());
  const ran = await wooster(['ask', 'tell me'], { home: temporaryFolder(), env: env() });
  expect([ran.code, ran.stdout.trim()]).toEqual([7, 'Once upon a time']);
  expect(ran.stderr).toMatch(/^conversation conv_\w+\n/u);
  expect(ran.stderr).toContain('incomplete');
});

test('sessions, resume and log tell later that an answer was cut off', async () => {
  const home = temporaryFolder();
  server.play(cut());
  await wooster(['ask', 'tell me', '-c', 'tale'], { home, env: env() });
  const [listed] = rows((await wooster(['sessions', '--json'], { home })).stdout);
  expect(listed).toMatchObject({ id: 'tale', status: 'completed', lastTurn: 'cut_off' });
  expect((await wooster(['sessions'], { home })).stdout).toContain('[cut off]');
  const resumed = await wooster(['resume', 'tale', '--yes'], { home, env: env() });
  expect([resumed.code, resumed.stdout]).toEqual([0, expect.stringContaining('The last answer was cut off.')]);
  const store = await openTestStore(join(home, 'state', 'wooster.sqlite3'));
  const [{ id } = { id: '' }] = await store.db.selectFrom('turns').select('id').execute();
  await store.close();
  expect((await wooster(['log', '--turn', id], { home })).stdout).toContain(`${id}: cut off`);
}, 120_000);

test('with --json the stop says so', async () => {
  server.play(cut(), cut(), cut(), cut());
  const ran = await wooster(['ask', 'tell me', '--json'], { home: temporaryFolder(), env: env() });
  expect(ran.code).toBe(7);
  expect(rows(ran.stdout)).toContainEqual({ type: 'answer', text: 'Once upon a time', stop: 'cut_off' });
});

test('a call that cannot be read makes no package advertise itself on stderr', async () => {
  server.play(fault.ok('', { calls: [{ name: 'write_note', args: '{"text": ' }] }), fault.ok('Done.'));
  const ran = await wooster(['ask', 'note it'], { home: temporaryFolder(), env: env() });
  expect(ran).toMatchObject({
    code: 0,
    stdout: 'Done.\n',
    stderr: expect.stringMatching(/^conversation conv_\w+\s*$/u),
  });
});

test('a turn that reached its step limit is no failure, and goes on when it is resumed', async () => {
  const home = temporaryFolder();
  const note = (text: string) => fault.ok('', { calls: [{ name: 'write_note', args: JSON.stringify({ text }) }] });
  server.play(note('one'), note('two'));
  const first = await wooster(['ask', 'note three things', '-c', 'three'], { home, env: env() });
  expect(first.code).toBe(1);
  expect(first.stderr).toContain('It can go on: wooster resume three');
  expect((await wooster(['sessions'], { home, env: env() })).stdout).toContain('[interrupted]');
  server.play(note('three'), fault.ok('All three are noted.'));
  const second = await wooster(['resume', 'three'], { home, env: env() });
  expect([second.code, second.stdout]).toEqual([0, expect.stringContaining('All three are noted.')]);
  expect((await wooster(['sessions'], { home, env: env() })).stdout).not.toContain('[');
}, 120_000);

test('whoever resumes a request is told of the call whose outcome nobody knows, and it is not made again', async () => {
  const home = temporaryFolder();
  const args = JSON.stringify({ path: 'a.md', content: 'tulips' });
  server.play(fault.ok('', { calls: [{ name: 'write_file', args }] }), fault.ok('It is written.'));
  await wooster(['ask', 'write it', '-c', 'garden'], { home, env: env() });
  const store = await openTestStore(join(home, 'state', 'wooster.sqlite3'));
  await sqlRun(store, "UPDATE effects SET state = 'intent', result = NULL");
  await sqlRun(store, 'DELETE FROM messages WHERE sequence > 2');
  await sqlRun(store, "UPDATE turns SET status = 'running', owner = '999999@gone#1'");
  await store.close();
  const file = join(home, 'projects', 'home', 'a.md');
  writeFileSync(file, 'by hand');
  server.play(fault.ok('I do not know whether it was written.'));
  const resumed = await wooster(['resume', 'garden', '--yes'], { home, env: env() });
  expect(resumed.code).toBe(0);
  expect(resumed.stdout + resumed.stderr).toMatch(/write_file .*a\.md.* outcome is unknown/u);
  expect(readFileSync(file, 'utf8')).toBe('by hand');
  expect((await wooster(['log', '--unknown'], { home })).stdout).toContain('unknown write_file');
}, 120_000);

/** A server that takes requests and never answers. @returns its address, and a promise of its first request. */
async function silentServer() {
  const asked = Promise.withResolvers<void>();
  const silent = createServer(() => asked.resolve());
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  return { url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`, asked: asked.promise };
}

describe('SIGTERM ends the program while something hangs', () => {
  test('a message that is being sent stays in the outbox, marked', async () => {
    const { url, asked } = await silentServer();
    const home = temporaryFolder();
    const hanging = { home, env: { DISCORD_WEBHOOK_URL: `${url}/api/webhooks/1/x` } };
    const program = woosterOnTerminal(['notify', 'tea is ready', '--to', 'discord'], hanging);
    await asked;
    program.signal('SIGTERM');
    expect(await program.ended()).toBe(143);
    const listed = await wooster(['notify', '--list', '--json'], hanging);
    expect(rows(listed.stdout)).toMatchObject([
      { channel: 'discord', state: 'pending', detail: expect.stringContaining('once more') },
    ]);
  });

  test('a model that never answers', async () => {
    const { url, asked } = await silentServer();
    const hanging = { home: temporaryFolder(), env: { ...env(), OPENAI_BASE_URL: `${url}/v1` } };
    const program = woosterOnTerminal(['ask', 'hello'], hanging);
    await asked;
    program.signal('SIGTERM');
    expect(await program.ended()).toBe(143);
  });

  test('Ctrl-C does so too: a plugin that never shuts down is not waited for', async () => {
    const { url, asked } = await silentServer();
    const home = temporaryFolder();
    const plugin = join(home, 'user-plugins', 'stuck');
    mkdirSync(plugin, { recursive: true });
    writeFileSync(
      join(plugin, 'index.ts'),
      `import { definePlugin } from '#plugin';
      const shutdown = () => new Promise<void>(() => setInterval(() => undefined, 1000));
      export default definePlugin({ name: 'stuck', version: '1.0.0', description: 'Never ends.', shutdown });`,
    );
    const own = { ...env(), OPENAI_BASE_URL: `${url}/v1`, PLUGIN_STUCK_ENABLED: 'true' };
    const program = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), 'ask', 'hello'], {
      env: childEnvironment({ home, env: own }),
      stdio: 'ignore',
    });
    await asked;
    program.kill('SIGINT');
    expect(await once(program, 'exit')).toEqual([null, 'SIGINT']);
  });
});
