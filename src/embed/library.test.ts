import { expect, onTestFinished, test, vi } from 'vitest';
import { completeWith } from '../models/complete-with.ts';
import type { CompleteOptions } from '../models/providers/completing.ts';
import { temporaryFolder } from '../testing/home.ts';
import { storeSettings } from '../testing/stores.ts';
import { EmbeddedAssistant } from './assistant.ts';
import { type InitOptions, Library, NamedProvider, type ProviderOptions } from './library.ts';

/** Nothing of this machine: no keys, no servers. */
const NO_SERVERS = { ROUTING_LOCAL_ENABLED: 'false' };
const HELLO: CompleteOptions = { systemPrompt: '', userMessage: 'hello' };
const PRICE = { input: 1, output: 2 };

function libraryWith({ env = {}, ...options }: InitOptions = {}): Library {
  const library = new Library();
  const home = temporaryFolder();
  library.init({ home, env: Object.assign(env, NO_SERVERS, storeSettings(home)), ...options });
  onTestFinished(() => library.close());
  return library;
}

/** A provider that says its name, and what it was made with. */
function echo(name: string) {
  const made: ProviderOptions[] = [];
  const provider = {
    complete: async () => ({ data: `I am ${name}.`, usage: { inputTokens: 1, outputTokens: 1 }, model: name }),
  };
  const factory = (options: ProviderOptions) => {
    made.push(options);
    return provider;
  };
  return { made, provider, factory };
}

/** What the library's model says. */
async function said(library: Library, model?: string): Promise<unknown> {
  const { models, project, signal } = await library.host();
  return (await completeWith({ models, project, signal }, { ...HELLO, ...(model ? { model } : {}) })).data;
}

test.each<[string, InitOptions, ProviderOptions]>([
  [
    'a key and an address',
    { apiKey: 'k', baseUrl: 'http://a' },
    { apiKey: 'k', baseUrl: 'http://a', model: 'default' },
  ],
  ['a model', { model: 'm' }, { model: 'm' }],
  ['a model by variable', { env: { THINKLANG_MODEL: 'n' } }, { model: 'n' }],
  ['a model, whatever the variable says', { model: 'm', env: { THINKLANG_MODEL: 'n' } }, { model: 'm' }],
  ['nothing', {}, { model: 'default' }],
])("a program's own provider is made with %s", async (_what, options, expected) => {
  const mine = echo('mine');
  const library = libraryWith({ provider: 'MINE', ...options });
  library.registerProvider('Mine', mine.factory);
  expect(await said(library)).toBe('I am mine.');
  expect(mine.made).toEqual([{ apiKey: undefined, baseUrl: undefined, ...expected }]);
});

test('a provider that is an object answers, and is the provider', async () => {
  const { provider } = echo('object');
  const library = libraryWith({ provider });
  expect(library.provider).toBe(provider);
  expect(await said(library)).toBe('I am object.');
});

test('a bundled provider is used by its name, for all or by itself', async () => {
  const library = libraryWith();
  const builtin = library.createProvider('builtin');
  const sum = { systemPrompt: '', userMessage: 'what is 2+2?' };
  expect(await builtin.complete(sum)).toMatchObject({ data: expect.stringContaining('4'), model: 'builtin' });
  const all = libraryWith({ provider: builtin });
  const { models, project, signal } = await all.host();
  expect(await completeWith({ models, project, signal }, sum)).toMatchObject({ model: 'builtin' });
});

test('a provider is created by its name in any case, with what it is given', () => {
  const library = libraryWith();
  const mine = echo('mine');
  library.registerProvider('Mine', mine.factory);
  expect(library.createProvider('mINE', { apiKey: 'k' })).toBe(mine.provider);
  expect(library.createProvider('mine')).toBe(mine.provider);
  expect(mine.made).toEqual([{ apiKey: 'k' }, {}]);
  expect(library.createProvider('OpenAI', { apiKey: 'k' })).toMatchObject({
    setup: { provider: 'OpenAI', apiKey: 'k' },
  });
  expect(() => library.createProvider('nobody')).toThrow(
    'There is no provider nobody. Known: anthropic, openai, gemini, ollama, custom, google, compatible, builtin, mine.',
  );
});

test('each provider is listed once', () => {
  const library = libraryWith();
  const bundled = ['anthropic', 'openai', 'gemini', 'ollama', 'custom', 'google', 'compatible', 'builtin'];
  expect(library.providers()).toEqual(bundled);
  library.registerProvider('OpenAI', echo('x').factory);
  library.registerProvider('Mine', echo('x').factory);
  expect(library.providers()).toEqual([...bundled, 'mine']);
});

test.each<[InitOptions, unknown]>([
  [{}, undefined],
  [{ model: 'openai:x' }, 'openai:x'],
  [{ env: { THINKLANG_MODEL: 'openai:y' } }, 'openai:y'],
  [{ apiKey: 'sk-ant-1' }, { provider: 'anthropic', apiKey: 'sk-ant-1' }],
  [{ apiKey: 'AIza1' }, { provider: 'gemini', apiKey: 'AIza1' }],
  [
    { apiKey: 'sk-1', model: 'm' },
    { provider: 'openai', apiKey: 'sk-1', model: 'm' },
  ],
  [{ apiKey: 'sk-1-AI-sk-ant-' }, { provider: 'openai', apiKey: 'sk-1-AI-sk-ant-' }],
  [{ baseUrl: 'http://a' }, { provider: 'compatible', baseUrl: 'http://a' }],
  [
    { apiKey: 'AI1', baseUrl: 'http://a' },
    { provider: 'gemini', apiKey: 'AI1', baseUrl: 'http://a' },
  ],
])('with %j the provider is %j', (options, setup) => {
  const { provider } = libraryWith(options);
  expect(provider).toBeInstanceOf(NamedProvider);
  expect((provider as NamedProvider).setup).toEqual(setup);
});

test('a named provider is the one of the options', () => {
  const setup = { provider: 'gemini', apiKey: 'k', model: 'm' };
  expect(libraryWith(setup).provider).toMatchObject({ setup });
  const mine = echo('mine');
  const library = libraryWith({ provider: 'mine', model: 'm' });
  library.registerProvider('mine', mine.factory);
  expect(library.provider).toBe(mine.provider);
  expect(mine.made).toMatchObject([{ model: 'm' }]);
});

test('what is registered while it is open counts at once', async () => {
  const library = libraryWith();
  library.registerProvider('early', echo('early').factory);
  library.registerPricing('early:m', PRICE);
  const { models } = await library.host();
  const late = echo('late');
  library.registerProvider('late', late.factory);
  library.registerPricing('late:m', PRICE);
  expect(await said(library, 'late:m')).toBe('I am late.');
  expect(await said(library, 'early:m')).toBe('I am early.');
  expect(late.made).toEqual([{ apiKey: undefined, baseUrl: undefined, model: 'm' }]);
  const priced = models as unknown as { registerPricing(model: string, price: unknown): void };
  const registered = vi.spyOn(priced, 'registerPricing');
  library.registerPricing('other', PRICE);
  await library.host();
  expect(registered.mock.calls).toEqual([['other', PRICE]]);
});

test('a host has what belongs to its assistant', async () => {
  const library = libraryWith({ project: 'garden', timeZone: 'Asia/Tokyo', mode: 'code_agent' });
  const host = await library.host();
  expect(host).toMatchObject({ project: 'garden', timeZone: 'Asia/Tokyo', mode: 'code_agent', origin: 'embed' });
  expect([host.costs, host.cache]).toEqual([library.costs, library.cache]);
  expect(host.now()).toBeInstanceOf(Date);
  expect(host).not.toHaveProperty('approve');
  expect(() => host.warn?.('careful')).not.toThrow();
  expect((await library.host()).signal).toBe(host.signal);
});

test.each([
  ['false', false],
  ['true', true],
])('with THINKLANG_CACHE=%s answers are remembered: %s', async (value, isKept) => {
  const { cache } = await libraryWith({ env: { THINKLANG_CACHE: value } }).host();
  expect(cache !== undefined).toBe(isKept);
});

test('the program answers what needs approval', async () => {
  const library = libraryWith({ approve: () => 'once' });
  const request = { tool: 'send_mail', input: {}, reason: 'it sends' };
  const decision = await (await library.host()).approve?.(request as never);
  expect(decision).toEqual({ verdict: 'once', by: 'the embedding program' });
});

test('closing ends what is open; the next call opens it again', async () => {
  const library = libraryWith();
  const { signal } = await library.host();
  await library.close();
  expect(signal.aborted).toBe(true);
  expect((await library.host()).signal.aborted).toBe(false);
  await expect(libraryWith().close()).resolves.toBeUndefined();
});

test('other options close the assistant before the next one is opened', async () => {
  const library = libraryWith({ timeZone: 'Asia/Tokyo' });
  const before = await library.host();
  const home = temporaryFolder();
  library.init({ home, env: { ...NO_SERVERS, ...storeSettings(home) }, timeZone: 'Europe/Oslo' });
  const after = await library.host();
  expect([before.signal.aborted, after.signal.aborted, after.timeZone]).toEqual([true, false, 'Europe/Oslo']);
});

test('what could not be opened is tried again with the next call, and closing it is no failure', async () => {
  const env: Record<string, string> = { CHAT_MODE: 'nonsense' };
  const library = libraryWith({ env });
  const builtin = library.createProvider('builtin');
  for (const attempt of [() => library.host(), () => builtin.complete(HELLO)])
    await expect(attempt()).rejects.toMatchObject({ code: 'bad_setting' });
  const failing = library.host();
  library.registerProvider('mine', echo('mine').factory);
  library.registerPricing('mine:m', PRICE);
  const closing = library.close();
  await expect(failing).rejects.toMatchObject({ code: 'bad_setting' });
  await closing;
  delete env.CHAT_MODE;
  expect(await said(library, 'mine:m')).toBe('I am mine.');
  expect(await builtin.complete(HELLO)).toMatchObject({ model: 'builtin' });
});

test('calls of a provider by itself share an assistant, which is closed with the library', async () => {
  const closing = vi.spyOn(EmbeddedAssistant.prototype, 'close');
  onTestFinished(() => closing.mockRestore());
  const library = libraryWith();
  const builtin = library.createProvider('builtin');
  await Promise.all([builtin.complete(HELLO), builtin.complete(HELLO)]);
  await library.createProvider('builtin', { model: 'builtin' }).complete(HELLO);
  expect(closing).not.toHaveBeenCalled();
  await library.close();
  expect(closing).toHaveBeenCalledTimes(2);
  await library.close();
  expect(closing).toHaveBeenCalledTimes(2);
});
