import { appendFileSync, chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../face/app.ts';
import { effectsOf } from '../tools/gate/effect-rows.ts';
import type { FaultRun } from './fault-lab.ts';
import { type Behaviour, raw } from './fault-server.ts';
import { lie, type ServerFault } from './lying-server.ts';
import { ScriptedModel } from './scripted-model.ts';
import type { ServerTrial, ServerWorld, Verdict } from './server-faults.ts';
import { sqlAll, sqlRun } from './sql.ts';

const TURN = 'turn_faulty';
const MARK = '(may be repeated) ';
/** Of a text in two parts, the first and the last word. */
const [FIRST, LAST] = ['alpha', 'omega'];
const SHORT = `${FIRST} milk ${LAST}`;
const LONG = `${FIRST} ${'milk '.repeat(600)}${LAST}`;
/** As often as a message can wait for its next try. */
const FLUSHES = 7;

interface Way {
  readonly fault: ServerFault;
  /** Which request meets the fault, from 0: a text of two parts is two. */
  readonly at: number;
  readonly stays: boolean;
}

/** Messages to a webhook of Discord. */
export function tryDiscord(faults: readonly ServerFault[]): ServerTrial[] {
  const ways = faults.flatMap((fault) =>
    [0, 1].flatMap((at) => [true, false].map((stays): Way => ({ fault, at, stays }))),
  );
  const possible = ways.filter(({ fault, at }) => fault !== 'it is not there' || at === 0);
  return possible.map((way) => ({
    server: 'Discord',
    fault: way.fault,
    how: `part ${way.at + 1}, ${way.stays ? 'until a restart' : 'once'}`,
    run: (world) => messageTo(way, world),
  }));
}

async function messageTo({ fault, at, stays }: Way, world: ServerWorld): Promise<Verdict> {
  const { server, elsewhere } = world;
  const taken: string[] = [];
  const good: Behaviour = (response, request) => {
    const content = String(request.body.content);
    taken.push(content);
    return raw(JSON.stringify({ id: String(taken.length), content }), 'application/json')(response, request);
  };
  const { port } = server;
  const env = { DISCORD_WEBHOOK_URL: `http://127.0.0.1:${port}/api/webhooks/1/secret` };
  const bad = lie(fault, good, elsewhere);
  server.play(...Array.from({ length: at }, () => good), bad, ...(stays ? [] : [good]));
  if (fault === 'it is not there') await server.stop();
  return sendAndRestart(world, {
    ...{ env, channel: 'discord', taken: () => taken, text: at > 0 ? LONG : SHORT },
    mend: async () => {
      if (fault === 'it is not there') await server.start(port);
      server.play(good);
    },
  });
}

/** How the program that speaks to Signal's server ends, and whether the server has the message then. */
const SIGNAL: Readonly<Record<string, string>> = {
  'it is not there': '',
  'it hangs': 'exec sleep 60',
  'it takes it and hangs': 'take; exec sleep 60',
  'it ends by a signal': 'kill -9 $$',
  'it takes it and ends by a signal': 'take; kill -9 $$',
  'it says nothing': 'take; exit 0',
  'it prints noise': 'take; head -c 100000 /dev/urandom; exit 0',
  'it prints without end': 'take; exec yes noise',
  'it cannot reach the server': 'echo "Connection refused" >&2; exit 3',
  'it lost the server after it took it': 'take; echo "Read timed out" >&2; exit 3',
  'an unforeseen error': 'take; echo "Oops" >&2; exit 2',
  'it is not registered': 'echo "User is not registered" >&2; exit 1',
  'a rate limit': 'exit 5',
  'a report of somebody who cannot be reached': 'report NETWORK_FAILURE',
  'a report that took it and failed': 'take; report NETWORK_FAILURE',
  'half a report': `take; printf '{"timestamp": 17000'`,
};

/** Messages through the program for Signal. */
export function trySignal(): ServerTrial[] {
  return Object.entries(SIGNAL).flatMap(([fault, ending]) =>
    [true, false].map((stays) => ({
      ...{ server: 'Signal', fault, how: stays ? 'until a restart' : 'once' },
      run: (world: ServerWorld) => signalTo(ending, stays, world),
    })),
  );
}

async function signalTo(ending: string, stays: boolean, world: ServerWorld): Promise<Verdict> {
  const [path, takenBy, mended] = ['signal-cli', 'taken', 'mended'].map((name) => join(world.home, name)) as [
    string,
    string,
    string,
  ];
  const script = [
    '#!/bin/sh',
    `take() { printf '%s\\n' "$message" >> '${takenBy}'; }`,
    // The message is the last word.
    'for message; do :; done',
    `report() { printf '{"timestamp":1700000000000,"results":[{"recipientAddress":{"number":"+4915111111111"},"type":"%s"}]}' "$1"; }`,
    `if [ -e '${mended}' ]; then take; report SUCCESS; exit 0; fi`,
    ...(stays ? [] : [`: > '${mended}'`]),
    ending,
  ];
  const write = () => {
    writeFileSync(path, `${script.join('\n')}\n`);
    chmodSync(path, 0o755);
  };
  if (ending !== '') write();
  return sendAndRestart(world, {
    env: { SIGNAL_CLI_PATH: path, SIGNAL_CLI_NUMBER: '+4915100000000', SIGNAL_CLI_TIMEOUT_MS: '1500' },
    ...{ channel: 'signal', text: SHORT },
    taken: () => (existsSync(takenBy) ? readFileSync(takenBy, 'utf8').split('\n').filter(Boolean) : []),
    mend: async () => {
      write();
      appendFileSync(mended, '');
    },
  });
}

interface Sending {
  readonly env: Readonly<Record<string, string>>;
  readonly channel: 'discord' | 'signal';
  readonly text: string;
  /** What the server really has. */
  readonly taken: () => readonly string[];
  readonly mend: () => Promise<void>;
}

/** A turn sends a message; the program starts anew with a good server; all that waits is sent. */
async function sendAndRestart(world: ServerWorld, sending: Sending): Promise<Verdict> {
  const app = await openWith(world, sending);
  const { events } = await world.ask(app, `Send me: ${sending.text}`, 'classic_tools', TURN);
  const told = events.find((event) => event.type === 'tool');
  const saidSent = told?.type === 'tool' && told.ok && told.preview.startsWith('Sent');
  const early = saidSent && !hasAll(sending.taken());
  await app.close();
  await sending.mend();
  const again = await openWith(world, sending);
  for (let flush = 0; flush < FLUSHES; flush++) {
    await sqlRun(again.store, "UPDATE outbox SET due_at = created_at WHERE state = 'pending'");
    await sqlRun(again.store, 'UPDATE channel_states SET hold_until = NULL');
    await again.schedule.notifier.flush();
  }
  const wrong = await wrongDelivery(again, sending);
  return { ...wrong, wrong: [...wrong.wrong, ...(early ? [['lost', 'it was said to be sent'] as const] : [])] };
}

async function openWith({ open }: ServerWorld, { env, channel, text }: Sending): Promise<App> {
  const app = await open({ ...env, MODEL_NAME: 'scripted:test' });
  const send = { toolCalls: [{ name: `${channel}_notify`, args: { text } }] };
  const model = new ScriptedModel([send, 'Done.']);
  app.models.registerProvider('scripted', async () => model);
  return app;
}

async function wrongDelivery({ store }: App, { taken }: Sending): Promise<Verdict> {
  const has = taken();
  const parts = await sqlAll(store, 'SELECT body, state FROM outbox ORDER BY part');
  const states = new Set(parts.map(({ state }) => String(state)));
  const [row] = await effectsOf(store, TURN);
  const wrong: [FaultRun['broken'][number], string][] = [];
  const all = hasAll(has);
  const unknown = states.has('unknown') || has.some((text) => text.startsWith(MARK));
  if (states.has('pending') || states.has('sending')) wrong.push(['hang', 'it waits although the server is good']);
  if (parts.every(({ state }) => state === 'sent') && !all) wrong.push(['lost', 'it counts as sent']);
  if (
    states.has('failed') &&
    parts.some(({ body, state }) => state === 'failed' && has.some((text) => text.endsWith(String(body))))
  )
    wrong.push(['hidden', 'it counts as failed and has arrived']);
  const plain = has.filter((text) => !text.startsWith(MARK));
  if (new Set(plain).size < plain.length) wrong.push(['doubled', 'without a mark']);
  if (parts.length === 0 || !row) wrong.push(['lost', 'it is nowhere']);
  if (row?.state === 'failed' && all && !unknown) wrong.push(['hidden', 'the call counts as failed']);
  return { wrong, unknown };
}

function hasAll(taken: readonly string[]): boolean {
  return taken.some((text) => text.includes(FIRST)) && taken.some((text) => text.includes(LAST));
}
