import { afterAll, expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { loadChildFiles } from './child-files.ts';
import { Pool } from './pool.ts';
import { createSandbox } from './sandbox.ts';
import { TurnChild } from './turn-child.ts';
import { Worker } from './worker.ts';

const pool = new Pool({ size: 1, timeZone: 'UTC' });
afterAll(() => pool.close());

test('scripts of a turn share a child while each ends cleanly, and only then', async () => {
  let trusted = true;
  const turn = new TurnChild(pool, () => trusted);
  const first = await turn.take(64);
  turn.giveBack(first, true);
  expect(await turn.take(64)).toBe(first);
  turn.giveBack(first, false);
  expect(await first.ended).toMatchObject({ detail: 'SIGKILL' });
  const second = await turn.take(64);
  turn.giveBack(second, true);
  const bigger = await turn.take(96);
  expect(bigger).not.toBe(second);
  turn.giveBack(bigger, true);
  // Read between two scripts.
  trusted = false;
  const third = await turn.take(96);
  expect(third).not.toBe(bigger);
  await bigger.ended;
  turn.giveBack(third, true);
  await third.ended;
  trusted = true;
  const last = await turn.take(96);
  turn.close();
  await last.ended;
});

test('a child that kept much memory is given to nobody', async () => {
  const sandbox = createSandbox({ log: silentLog });
  const bridge = { log: () => {}, call: async () => ({ ok: true, value: 1 }) as const };
  const options = { functions: [], bridge, signal: new AbortController().signal };
  const turn = sandbox.forTurn(() => true);
  const deep = 'let o = 1; for (let i = 0; i < 1e6; i++) o = [o]; o;';
  for (let n = 0; n < 6; n++) {
    await turn.run(deep, options);
    expect(await turn.run('1 + 1', options)).toMatchObject({ value: 2 });
  }
  turn.close();
  await sandbox.close();
});

test('a script finds nothing of the one before it', async () => {
  const sandbox = createSandbox({ log: silentLog });
  const bridge = { log: () => {}, call: async () => ({ ok: true, value: 1 }) as const };
  const options = { functions: [], bridge, signal: new AbortController().signal };
  const turn = sandbox.forTurn(() => true);
  const leaves = "globalThis.left = 1; Array.prototype.map = null; Object.prototype.then = 1; 'over'";
  expect(await turn.run(leaves, options)).toMatchObject({ value: 'over' });
  const looks = "[typeof left, [1].map((x) => x + 1), 'then' in {}]";
  expect(await turn.run(looks, options)).toMatchObject({ value: ['undefined', [2], false] });
  turn.close();
  await sandbox.close();
});

/** A child that has been taken over: it says what it likes. */
function rogue(onRenew: string): Worker {
  const program = `
    const fs = process.getBuiltinModule('node:fs');
    const say = (...message) => {
      const body = Buffer.from(JSON.stringify(message));
      const head = Buffer.alloc(4);
      head.writeUInt32BE(body.length);
      fs.writeSync(4, Buffer.concat([head, body]));
    };
    new (process.getBuiltinModule('node:net').Socket)({ fd: 3 }).on('data', () => { ${onRenew} });
    say(1, 'ready', 0, '', '');`;
  return new Worker({ files: { ...loadChildFiles(), program }, memoryMb: 64, timeZone: 'UTC' });
}

test.each([
  ['speaks for the script before', "say(2, 'ready', 0, '', ''); say(1, 'call', 1, 'send', '[]');", 'another script'],
  ['speaks for a script to come', "say(3, 'ready', 0, '', '');", 'another script'],
  ['speaks while none runs', "say(2, 'ready', 0, '', ''); say(2, 'call', 1, 'send', '[]');", 'without a script'],
  ['is ready twice', "say(2, 'ready', 0, '', ''); say(2, 'ready', 0, '', '');", 'ready twice'],
  ['is never ready again', '', 'SIGKILL'],
])('a child that %s is killed', async (_name, onRenew, why) => {
  const worker = rogue(onRenew);
  await worker.ready();
  const heard: unknown[] = [];
  worker.onMessage((message) => heard.push(message));
  worker.renew();
  expect((await worker.ended).detail).toContain(why);
  expect(heard).toEqual([]);
});

test('what the last script said before its isolate was gone is dropped', async () => {
  const worker = rogue("say(1, 'log', 0, '', 'late'); say(2, 'ready', 0, '', '');");
  await worker.ready();
  worker.renew();
  await worker.ready();
  const heard: unknown[] = [];
  worker.onMessage((message) => heard.push(message));
  expect([heard, worker.hasEnded]).toEqual([[], false]);
  worker.kill();
  await worker.ended;
});

test('where a child from the snapshot crashes, whoever waits for it gets one without, and so do all later ones', async () => {
  const files = loadChildFiles();
  const fragile = `if (!process.execArgv.includes('--no-node-snapshot')) process.kill(process.pid, 'SIGSEGV');\n`;
  const frail = new Pool({ size: 1, timeZone: 'UTC', files: { ...files, program: fragile + files.program } });
  frail.fill(64);
  const first = await frail.take(64);
  expect(first.hasEnded).toBe(false);
  frail.fill(64);
  const second = await frail.take(64);
  expect(second.hasEnded).toBe(false);
  for (const worker of [first, second]) worker.kill();
  frail.close();
});
