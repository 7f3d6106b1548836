import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from './testing/home.ts';
import { STORE_KINDS } from './testing/stores.ts';
import { serverUrl } from './testing/test-database.ts';
import { ownJobs, rows, wooster, woosterOnTerminal } from './testing/wooster.ts';

const PROGRAM = resolve(import.meta.dirname, '../bin/wooster');
const LONG = 120_000;

type Settings = Readonly<Record<string, string>>;

/** `wooster serve` on a machine of its own. */
async function serve(env: Settings) {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const home = temporaryFolder();
  const child = spawn(PROGRAM, ['serve'], {
    cwd: home,
    env: { PATH, HOME, NODE_COMPILE_CACHE, ROUTING_LOCAL_ENABLED: 'false', WOOSTER_HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      said.text += part;
    });
  }
  const ended = new Promise((done) => child.once('close', done));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  await vi.waitFor(() => expect(said.text).toContain('Running schedules'), { timeout: LONG });
  return said;
}

describe.runIf(STORE_KINDS.includes('postgres'))('several machines share a home', () => {
  test('a REPL, an ask and two serves are one assistant', { timeout: 2 * LONG }, async () => {
    const env = { WOOSTER_STORE_URL: serverUrl(), WOOSTER_HOME_ID: `test-${randomUUID()}` };
    const serves = [await serve(env), await serve(env)];
    // Added on one machine, run by one of the others, and announced once.
    const laptop = temporaryFolder();
    const add = ['schedule', 'add', '--when', 'in 3 seconds', '--prompt', 'what is 6 * 7?', '--json'];
    const added = await wooster(add, { home: laptop, env });
    expect(added.code).toBe(0);
    const id = String(ownJobs(added.stdout)[0]?.id);
    const told = () => serves.map(({ text }) => text.split('42').length - 1);
    await vi.waitFor(() => expect(told().sort()).toEqual([0, 1]), { timeout: LONG });
    const shown = rows((await wooster(['schedule', 'show', id, '--json'], { home: laptop, env })).stdout);
    expect(JSON.stringify(shown)).toContain('succeeded');
    // A conversation that began on one machine continues on another.
    const asked = await wooster(['ask', 'what is 2 + 3?', '-c', 'shared_talk'], { home: temporaryFolder(), env });
    expect(asked.stdout).toContain('5');
    const desk = woosterOnTerminal(['-c', 'shared_talk'], { home: temporaryFolder(), env });
    await desk.see('>');
    desk.type('what is 20 + 3?\r');
    await desk.see('23');
    desk.type('/quit\r');
    expect(await desk.ended()).toBe(0);
    const talks = rows((await wooster(['sessions', '--json'], { home: laptop, env })).stdout);
    expect(talks.find((talk) => talk.id === 'shared_talk')).toMatchObject({ turns: 2 });
    expect(told().sort()).toEqual([0, 1]);
  });
});
