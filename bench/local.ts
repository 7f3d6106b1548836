/**
 * What the installed model of a home does on this machine, in five minutes: `node bench/local.ts HOME [NAME] [--task ID]`.
 * Starts it, reads a prompt, writes 128 tokens, goes on with the conversation, takes a request back, and tries the tasks of
 * `wooster eval` as far as there is time.
 */
import { execFileSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import type { ChatEvent } from '../src/models/local/engine-client.ts';
import { LocalModels } from '../src/models/local/local-models.ts';
import type { ChatDone, ChatMessage } from '../src/models/local/protocol.ts';
import { loadSettings } from '../src/settings/settings.ts';
import { ROOT } from './harness/results.ts';

const ALL_MS = 300_000;
/** What is promised: a process that is up, and a machine that is free again. */
const UP_MS = 1000;
const FREE_MS = 500;

const began = performance.now();
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { task: { type: 'string', multiple: true } },
});
const [home = '', wanted] = positionals;
const settings = loadSettings(resolve(home), process.env);
const local = new LocalModels({
  ...{ modelsDir: settings.home.models, enginesDir: settings.home.engines, options: settings.models.local },
});
const name = wanted ?? local.names()[0];
const file = local.installed.list().find((model) => model.name === name)?.path;
if (name === undefined || file === undefined)
  throw new Error(`No such model is installed in ${home}: wooster models install`);
const client = local.client(name);
const NEVER = new AbortController().signal;

const hello: ChatMessage = { role: 'user', content: 'Say hello.' };
const question: ChatMessage = { role: 'user', content: 'Tell me about the tides, in five sentences.' };
/** @param salt  what makes it another one, of which nothing has been read. */
const system = (salt: string): ChatMessage => ({ role: 'system', content: `${salt} Be brief and kind. `.repeat(200) });

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const chat = (messages: readonly ChatMessage[], signal = NEVER) =>
  client.chat({ messages, tools: [], maxTokens: 128 }, signal);

interface Measured extends ChatDone {
  readonly firstMs: number;
  readonly restMs: number;
}

async function ask(messages: readonly ChatMessage[]): Promise<Measured> {
  const started = performance.now();
  let first: number | undefined;
  for await (const event of chat(messages)) {
    if (event.type === 'text') first ??= performance.now();
    if (event.type !== 'done') continue;
    const firstAt = first ?? performance.now();
    return { ...event.done, firstMs: firstAt - started, restMs: performance.now() - firstAt };
  }
  throw new Error('the model gave no answer');
}

/** From the moment at which a request is broken off until nothing works on it any more. */
async function freedMs(during: ChatEvent['type'], salt: string, breakOff: (stop: AbortController) => void) {
  const stop = new AbortController();
  let since: number | undefined;
  const request = (async () => {
    for await (const event of chat([system(salt), question], stop.signal)) {
      if (event.type !== during || since !== undefined) continue;
      since = performance.now();
      breakOff(stop);
    }
  })();
  await request.catch(() => undefined);
  if (since === undefined) throw new Error(`the model did not ${during}`);
  return performance.now() - since;
}

/** A process that was not there, with the model in it, up to its first word. */
async function startMs(): Promise<number> {
  await client.unload();
  const upMs = await timed(() => client.start(NEVER));
  return upMs + (await ask([hello])).firstMs;
}

const coldMs = await startMs();
const readMs = await timed(() => pipeline(createReadStream(file), new PassThrough().resume()));
const againMs = await startMs();
const first = await ask([system('One.'), question]);
const next = await ask([system('One.'), question, { role: 'assistant', content: 'They rise and fall.' }, hello]);
const freed = {
  'a request taken back while it is read': await freedMs('read', 'Two.', (stop) => stop.abort()),
  'a request taken back while it is answered': await freedMs('text', 'Three.', (stop) => stop.abort()),
  'its process killed while it reads': await freedMs('read', 'Four.', () => process.kill(client.pid ?? 0, 'SIGKILL')),
};
await local.close();

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
const perSecond = (tokens: number, ms: number) => `${((tokens / ms) * 1000).toFixed(1)} tokens/s`;
const against = (ms: number, barMs: number) =>
  `${seconds(ms)}, ${(ms / barMs).toFixed(2)} of the ${seconds(barMs)} promised`;
const fresh = ({ usage }: Measured) => usage.inputTokens - usage.cachedTokens;
console.table({
  'first word, file and all': seconds(coldMs),
  'the same again, without reading the file': against(Math.max(0, againMs - readMs), UP_MS),
  'reading a prompt': `${perSecond(fresh(first), first.firstMs)} (${fresh(first)} tokens)`,
  writing: perSecond(first.usage.outputTokens, first.restMs),
  'second turn reads': `${fresh(next)} of ${next.usage.inputTokens} tokens, first word after ${seconds(next.firstMs)}`,
  ...Object.fromEntries(Object.entries(freed).map(([what, ms]) => [`free after ${what}`, against(ms, FREE_MS)])),
});

const tasks = (values.task ?? []).flatMap((id) => ['--task', id]);
try {
  execFileSync(
    join(ROOT, 'bin/wooster'),
    ['--home', resolve(home), 'eval', '--mode', 'classic_tools', '--budget', 'none', ...tasks],
    {
      ...{
        stdio: 'inherit',
        timeout: Math.max(1, Math.round(began + ALL_MS - performance.now())),
        killSignal: 'SIGINT',
      },
      env: { ...process.env, MODEL_NAME: `local:${name}` },
    },
  );
} catch (error) {
  if ((error as NodeJS.ErrnoException).code !== 'ETIMEDOUT') throw error;
  console.log('The five minutes are over: the tasks above were tried, the rest was not.');
}
