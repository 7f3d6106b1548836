/**
 * What the installed model of a home does on this machine, in about five minutes: `node bench/local.ts HOME [NAME]`. Reads
 * a prompt of 1,000 tokens, writes 128, goes on with the conversation, and tries the tasks of `wooster eval`.
 */
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { LocalModels } from '../src/models/local/local-models.ts';
import type { ChatDone, ChatMessage } from '../src/models/local/protocol.ts';
import { loadSettings } from '../src/settings/settings.ts';
import { ROOT } from './harness/results.ts';

const [, , home = '', wanted] = process.argv;
const settings = loadSettings(resolve(home), process.env);
const local = new LocalModels({
  ...{ modelsDir: settings.home.models, enginesDir: settings.home.engines, options: settings.models.local },
});
const name = wanted ?? local.names()[0];
if (name === undefined) throw new Error(`No model is installed in ${home}: wooster models install`);
const client = local.client(name);

interface Measured extends ChatDone {
  readonly firstMs: number;
  readonly restMs: number;
}

async function ask(messages: readonly ChatMessage[]): Promise<Measured> {
  const began = performance.now();
  let first: number | undefined;
  for await (const event of client.chat({ messages, tools: [], maxTokens: 128 }, new AbortController().signal)) {
    if (event.type === 'text') first ??= performance.now();
    if (event.type === 'done')
      return {
        ...event.done,
        firstMs: (first ?? performance.now()) - began,
        restMs: performance.now() - (first ?? began),
      };
  }
  throw new Error('the model gave no answer');
}

const system: ChatMessage = { role: 'system', content: 'You answer in a few sentences. '.repeat(130) };
const hello: ChatMessage = { role: 'user', content: 'Say hello.' };
const question: ChatMessage = { role: 'user', content: 'Tell me about the tides, in five sentences.' };
const loading = await ask([hello]);
const first = await ask([system, question]);
const next = await ask([system, question, { role: 'assistant', content: 'They rise and fall.' }, hello]);
await local.close();

const perSecond = (tokens: number, ms: number) => `${((tokens / ms) * 1000).toFixed(1)} tokens/s`;
const fresh = ({ usage }: Measured) => usage.inputTokens - usage.cachedTokens;
console.table({
  'first answer, file and all': `${(loading.firstMs / 1000).toFixed(1)} s`,
  'reading a prompt': `${perSecond(fresh(first), first.firstMs)} (${fresh(first)} tokens)`,
  writing: perSecond(first.usage.outputTokens, first.restMs),
  'second turn reads': `${fresh(next)} of ${next.usage.inputTokens} tokens, first word after ${(next.firstMs / 1000).toFixed(1)} s`,
});
const words = ['--home', resolve(home), 'eval'];
execFileSync(join(ROOT, 'bin/wooster'), words, {
  stdio: 'inherit',
  env: { ...process.env, MODEL_NAME: `local:${name}` },
});
