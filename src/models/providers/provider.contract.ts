import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { silentLog } from '../../base/log.ts';
import { Redactor } from '../../base/redact.ts';
import { openBuiltin } from '../../builtin/open.ts';
import { type ModelsChanges, modelRequest, modelsOptions } from '../../testing/models-options.ts';
import { openTestStore } from '../../testing/stores.ts';
import { configuredEndpoints, missingFor, named } from '../detect.ts';
import type { LocalModels } from '../local/local-models.ts';
import { withData } from '../message-data.ts';
import { createModels } from '../models.ts';
import { endMarker } from '../reply.ts';
import type { Provider } from './provider.ts';

/** How the contract meets one provider. */
export interface ProviderSetup {
  /** Settings that set it up, at a server on this machine where it has one. */
  options(): ModelsChanges;
  /** Where requests go in place of the provider's own address, for a provider that has no other. */
  server?(): string;
  /** The installed models that it opens. */
  local?(): LocalModels;
  /** A model of its servers that takes pictures, and one that does not. */
  readonly sight?: readonly [seeing: string, blind: string];
  readonly question: string;
  readonly answer: string;
}

/** The models, and every request body that they send. */
export async function openModels(options: ModelsChanges, server?: string, local?: LocalModels) {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const bodies: string[] = [];
  const hosts = new Set<string>();
  const recording: typeof fetch = async (input, init) => {
    const asked = new Request(input, init);
    const { origin, pathname } = new URL(asked.url);
    hosts.add(origin);
    const sent = server === undefined ? asked : new Request(`${server}${pathname}`, asked);
    // Servers are also asked for context windows, which does not count as a turn's request.
    if (sent.method !== 'GET' && !sent.url.endsWith('/api/show')) bodies.push(await sent.clone().text());
    return fetch(sent);
  };
  const deps = { store, log: silentLog, redactor: new Redactor(), now: () => new Date() };
  const handed = { builtin: openBuiltin };
  const models = createModels({
    ...{ timeZone: 'UTC', ...deps, handed, options: modelsOptions(options), fetchFor: () => recording },
    ...(local ? { local } : {}),
  });
  onTestFinished(() => models.close());
  return { models, bodies, hosts };
}

const note = tool(() => 'noted', { name: 'write_note', description: 'note', schema: z.object({ text: z.string() }) });
const place = tool(() => '', {
  name: 'place',
  description: 'Where and when',
  schema: z.object({ city: z.string(), year: z.number() }),
});

/**
 * What every bundled provider must do. The mock server must answer `where was the boat` with a call of `place`, and
 * `and now` with `Still there.`; a provider inside this process only needs `question` and `answer`.
 */
export function providerContract(provider: Provider, setup: ProviderSetup): void {
  describe(`${provider.label} as a descriptor`, () => descriptorContract(provider, setup));
  describe(`${provider.label} as a model`, () => modelContract(setup));
  if (!provider.inProcess && !provider.onMachine) describe(`${provider.label} over HTTP`, () => wireContract(setup));
}

function descriptorContract(provider: Provider, { options }: ProviderSetup): void {
  test('uses lower-case names', () => {
    for (const name of [provider.id, ...(provider.aliases ?? [])]) expect(name).toMatch(/^[a-z][a-z0-9-]*$/u);
  });

  test('is not set up by default, and is the first choice once it is', () => {
    expect(configuredEndpoints(modelsOptions())).toEqual([]);
    const [first] = configuredEndpoints(modelsOptions(options()));
    expect(first).toMatchObject({ provider: provider.id, source: expect.stringMatching(/^[A-Z][A-Z_]+$/u) });
    expect(first && missingFor(first)).toBeUndefined();
  });

  test('named without being set up, it says which variable is missing, or needs none', () => {
    const variable = provider.needsKey ?? (provider.defaultUrl === undefined ? provider.needsUrl : undefined);
    const missing = missingFor(named(`${provider.id}:m`, modelsOptions(), 'MODEL_NAME'));
    expect(missing).toBe(variable && `${variable} is not set`);
  });

  test('every row of its catalogue can be reached, and caching never costs more than not caching', () => {
    for (const [index, [pattern, window, quality, speed, prices]] of (provider.models ?? []).entries()) {
      const earlier = provider.models?.slice(0, index).some(([other]) => other.source === pattern.source);
      expect(earlier, `${pattern} comes twice`).toBe(false);
      expect(window).toBeGreaterThan(1000);
      for (const scale of [quality, speed]) expect([1, 2, 3, 4, 5]).toContain(scale);
      const [input = 0, cachedInput = 0, output = 0] = prices ?? [];
      expect(cachedInput, String(pattern)).toBeLessThanOrEqual(input);
      expect(input, String(pattern)).toBeLessThanOrEqual(output);
    }
  });
}

function modelContract({ options, server, local, question, answer }: ProviderSetup): void {
  test('answers, says why it stopped, and reports its tokens', async () => {
    const { models } = await openModels(options(), server?.(), local?.());
    const used: number[] = [];
    const { model } = await models.pick(modelRequest({ onUsage: ({ inputTokens }) => used.push(inputTokens) }));
    const reply = await model.invoke(question);
    expect([reply.text, endMarker(reply) === undefined]).toEqual([answer, false]);
    expect(used[0]).toBeGreaterThan(0);
  });

  test('streams the same answer', async () => {
    const { model } = await (await openModels(options(), server?.(), local?.())).models.pick(modelRequest());
    let text = '';
    for await (const chunk of await model.stream(question)) text += chunk.text;
    expect(text).toBe(answer);
  });

  test('stops when its turn is cancelled', async () => {
    const { model } = await (await openModels(options(), server?.(), local?.())).models.pick(
      modelRequest({ signal: AbortSignal.abort() }),
    );
    await expect(model.invoke(question)).rejects.toThrow();
  });
}

/** Nobody decodes it on the way. */
const JPEG = Buffer.from('a picture of a boat').toString('base64');

function wireContract({ options, server, sight: [seeing, blind] = ['', ''] }: ProviderSetup): void {
  test.each([
    ['seeing', seeing, true],
    ['seeing', blind, false],
    ['local', seeing, undefined],
    ['none', seeing, false],
  ] as const)('with pictures for %s models, %s gets one: %s', async (pictures, model, isSent) => {
    const { models, bodies } = await openModels({ ...options(), pictures }, server?.());
    const choice = await models.pick(modelRequest({ model }));
    await choice.model.invoke([new HumanMessage({ content: 'and now', ...withData({ pictures: [{ jpeg: JPEG }] }) })]);
    expect(bodies[0]).toContain('and now');
    expect(bodies[0]?.includes(JPEG)).toBe(isSent ?? choice.local);
  });

  test('sends the whole conversation, tool results included, and the stop sequences', async () => {
    const { models, bodies, hosts } = await openModels(options(), server?.());
    const { model } = await models.pick(modelRequest());
    const call = { id: 'call_1', name: 'write_note', args: { text: 'a boat' }, type: 'tool_call' as const };
    const messages = [
      new SystemMessage('Be brief'),
      new HumanMessage('remember the boat'),
      new AIMessage({ content: '', tool_calls: [call] }),
      new ToolMessage({ content: 'noted in home.md', tool_call_id: 'call_1', name: 'write_note' }),
      new AIMessage('Done.'),
      new HumanMessage('and now'),
    ];
    const reply = await (model.bindTools?.([note]) ?? model).invoke(messages, { stop: ['ENOUGH'] });
    expect(reply.text).toBe('Still there.');
    for (const part of ['Be brief', 'remember the boat', 'a boat', 'noted in home.md', 'and now', 'ENOUGH'])
      expect(bodies[0]).toContain(part);
    expect(hosts.size).toBe(1);
  });

  test('sends nothing of what messages and calls carry for models of ours', async () => {
    const { models, bodies } = await openModels(options(), server?.());
    const { model } = await models.pick(modelRequest({ purpose: 'compaction', jobId: 'job_secret' }));
    const call = { id: 'call_1', name: 'write_note', args: { text: 'a boat' }, type: 'tool_call' as const };
    const artifact = { ok: false, told: { code: 'secret_code', values: {} }, value: 'secret_value' };
    await model.invoke([
      new SystemMessage({ content: 'Be brief', ...withData({ facts: ['secret_fact'] }) }),
      new HumanMessage({ content: 'remember the boat', ...withData({ said: 'secret_words' }) }),
      new AIMessage({ content: '', tool_calls: [call], ...withData({ script: true }) }),
      new ToolMessage({ content: 'full', tool_call_id: 'call_1', name: 'write_note', status: 'error', artifact }),
      new HumanMessage({ content: 'and now', ...withData({ feedback: { failed: 'secret_failure' } }) }),
    ]);
    expect(bodies[0]).not.toMatch(/secret|wooster|compaction|"due"/u);
  });

  test.each(['auto', 'required', 'none', 'place'] as const)('takes the tool choice %s', async (choice) => {
    const { models, bodies } = await openModels(options(), server?.());
    const { model } = await models.pick(modelRequest());
    const bound = model.bindTools?.([place], { tool_choice: choice }) ?? model;
    const reply = await bound.invoke('where was the boat');
    expect(reply.tool_calls?.[0]).toMatchObject({ name: 'place', args: { city: 'Oslo', year: 2020 } });
    expect(bodies[0]?.includes('"place"')).toBe(choice !== 'none');
  });

  test('is asked for JSON, and for as many tokens as the mode allows', async () => {
    const { models, bodies } = await openModels(options(), server?.());
    const { model } = await models.pick(modelRequest({ mode: 'code_agent', jsonResponse: true }));
    await model.invoke('and now');
    expect(bodies[0]).toContain('4096');
    expect(bodies[0]).toMatch(/json|max_tokens":4096/u);
  });
}
