/**
 * What an editor waits for, by the protocol's own client over the real program: `npm run bench -- editors [RUNS]`. The
 * answer to `initialize` is measured in turn with the prompt's start, a long conversation at four sizes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { methods } from '@agentclientprotocol/sdk';
import { openStore } from '../src/store/store.ts';
import { startEditor } from '../src/testing/editor-connection.ts';
import { fillConversation } from '../src/testing/long-conversation.ts';
import { python } from './harness/python.ts';
import { report } from './harness/report.ts';
import { ROOT } from './harness/results.ts';
import { interleave } from './harness/statistics.ts';

const WOOSTER = join(ROOT, 'bin/wooster');
/** Seconds until the memory of a program that waits is read. */
const REST_S = 4;
const SIZES = [625, 1250, 2500, 5000];
const runs = Number(process.argv[2] ?? 9);
const home = mkdtempSync(join(tmpdir(), 'wooster-bench-'));
const env = { PATH: process.env.PATH, HOME: home, WOOSTER_HOME: home, TERM: 'xterm', ROUTING_LOCAL_ENABLED: 'false' };

/** Milliseconds until `initialize` is answered. */
async function initialized(): Promise<number> {
  const began = performance.now();
  const child = spawn(WOOSTER, ['acp'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const first = once(child.stdout, 'data');
  const params = { protocolVersion: 1 };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  await first;
  const took = performance.now() - began;
  child.stdin.end();
  await once(child, 'exit');
  return took;
}

/** MB that the program holds in an editor with one session open. */
async function resting(): Promise<number> {
  const editor = await startEditor({ env, cwd: home }, () => 'denied');
  await editor.agent.request(methods.agent.session.new, { cwd: '/', mcpServers: [] });
  await sleep(REST_S * 1000);
  const size = /^VmRSS:\s+(\d+)/mu.exec(readFileSync(`/proc/${editor.pid}/status`, 'utf8'))?.[1];
  await editor.leave();
  return Number(size) / 1024;
}

/** Milliseconds until a conversation of so many messages is loaded. */
async function loaded(messages: number): Promise<number> {
  const editor = await startEditor({ env, cwd: home }, () => 'denied');
  // The program is open then.
  await editor.agent.request(methods.agent.session.list, {});
  const began = performance.now();
  await editor.agent.request(methods.agent.session.load, {
    ...{ sessionId: `conv_${messages}`, cwd: '/', mcpServers: [] },
  });
  while (editor.told.length < messages) await sleep(1);
  const took = performance.now() - began;
  await editor.leave();
  return took;
}

/** The bar is for the longest. */
const most = (size: number) => (size === SIZES.at(-1) ? { must: 2000 } : {});

try {
  await initialized();
  const store = await openStore({ kind: 'sqlite', path: join(home, 'state', 'wooster.sqlite3') });
  for (const size of SIZES) await fillConversation(store, `conv_${size}`, size);
  await store.close();
  const prompt = () => python('on-terminal.py', ['--until', '> ', WOOSTER, '--home', home], env)[0] ?? Number.NaN;
  const start = await interleave({ prompt, initialized }, { rounds: runs });
  const atPrompt = () =>
    python('on-terminal.py', ['--rest', `${REST_S}`, '--until', '> ', WOOSTER, '--home', home], env)[1] ?? Number.NaN;
  const memory = await interleave({ atPrompt, resting }, { rounds: Math.min(runs, 3), warm: 0 });
  const loads = await interleave(Object.fromEntries(SIZES.map((size) => [`${size}`, () => loaded(size)])), {
    rounds: Math.min(runs, 5),
    warm: 0,
  });
  const more = memory.resting.map((size, at) => size - (memory.atPrompt[at] ?? Number.NaN));
  report([
    { what: 'prompt visible', unit: 'ms', samples: start.prompt },
    { what: 'initialize answered', unit: 'ms', samples: start.initialized, against: 'prompt visible', must: 2 },
    { what: `memory at the prompt after ${REST_S} s`, unit: 'MB', samples: memory.atPrompt },
    { what: 'more memory in an editor', unit: 'MB', kind: 'count', samples: more, must: 30 },
    ...SIZES.map((size) => ({
      what: `${size} messages loaded`,
      unit: 'ms',
      samples: loads[`${size}`] ?? [],
      ...most(size),
    })),
  ]);
} finally {
  rmSync(home, { recursive: true, force: true });
}
