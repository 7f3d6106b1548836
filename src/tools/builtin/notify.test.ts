import { describe, expect, test } from 'vitest';
import { AssistantError } from '../../base/errors.ts';
import { STRANGER } from '../../base/turn.ts';
import { REMOTE_CHANNELS } from '../../notify/channels.ts';
import type { Notifier } from '../../notify/contract.ts';
import type { Delivery, Message } from '../../notify/types.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { propertiesOf, toSchema } from '../signature.ts';
import { OutcomeUnknown } from '../tool.ts';
import { createNotifyTools, messageOutcome, tellsOwner } from './notify.ts';

/** The tools where these channels are set up, and what they sent. */
async function tools(configured: readonly string[], answer: Partial<Delivery> | Error = {}) {
  const sent: Message[] = [];
  const notifier: Pick<Notifier, 'configured' | 'defaultChannel' | 'send'> = {
    configured: () => configured,
    defaultChannel: async () => configured[0] ?? 'terminal',
    send: async (message) => {
      sent.push(message);
      if (answer instanceof Error) throw answer;
      return { channel: message.to ?? 'terminal', state: 'sent', detail: '', ...answer };
    },
  };
  const scope = await testScope();
  const all = createNotifyTools(notifier as Notifier);
  const toolbox = testToolbox(all, scope);
  return { all, sent, scope, call: (name: string, input: unknown) => toolbox.call(name, input, scope) };
}

/** Names of those that a model is offered. */
async function offered(configured: readonly string[]): Promise<string[]> {
  const { all } = await tools(configured);
  const answers = await Promise.all(all.map(async (tool) => (await tool.presentation.offer?.({} as never)) ?? true));
  return all.filter((_, nth) => answers[nth]).map(({ name }) => name);
}

test.each([
  [[], ['notify'], undefined],
  [['terminal'], ['notify'], undefined],
  [['terminal', 'discord'], ['notify'], undefined],
  [['terminal', 'discord', 'signal'], ['notify', 'discord_notify', 'signal_notify'], 'terminal, discord, signal'],
])('with %j set up, a model chooses among what there is', async (configured, names, to) => {
  expect(await offered(configured)).toEqual(names);
  const { all } = await tools(configured);
  expect(all[0] && propertiesOf(toSchema(all[0].input, 'input')).to).toEqual(
    expect.objectContaining(to ? { description: to } : { seldom: true }),
  );
  expect(all.map(({ name }) => name)).toEqual(['notify', ...REMOTE_CHANNELS.map(({ id }) => `${id}_notify`)]);
});

test('only these tools reach nobody but the owner', () => {
  const names = ['notify', 'discord_notify', 'signal_notify', 'send_mail', 'discord', ''];
  expect(names.map((name) => tellsOwner({ name }))).toEqual([true, true, true, false, false, false]);
});

describe('a message', () => {
  test('says who speaks: what the turn has read, and which addresses the owner or a search named', async () => {
    const { call, sent, scope } = await tools(['discord']);
    const said = ['read known.example/page and https://known.example/other'];
    const text = '[x](https://known.example/page), known.example/page?d=1 (https://found.example/). known.example/page';
    await scope.labels.read({ untrusted: true, private: true }, 'a page');
    scope.destinations.add('https://found.example/');
    Object.assign(scope, { said });
    await call('notify', { text });
    Object.assign(scope, { bornUntrusted: true });
    await call('notify', { text: 'known.example/page https://found.example/' });
    expect(sent.map(({ voice }) => voice)).toEqual([
      { untrusted: true, links: ['https://known.example/page', 'https://found.example/', 'known.example/page'] },
      { untrusted: true, links: ['https://found.example/'] },
    ]);
  });

  test('goes out as it was given, under the key of its call, to where it should', async () => {
    const { call, sent, scope } = await tools(['discord', 'signal']);
    expect(await call('notify', { text: ' dinner ' })).toMatchObject({
      ok: true,
      value: { sent: true, via: 'terminal' },
    });
    expect(await call('notify', { text: 'dinner', to: 'signal' })).toMatchObject({
      value: { sent: true, via: 'signal' },
    });
    expect(await call('discord_notify', { message: 'dinner' })).toMatchObject({
      value: { sent: true, via: 'discord' },
    });
    const voice = { untrusted: false, links: [] };
    const about = { text: 'dinner', voice, turnId: scope.turn.id, idempotencyKey: expect.stringMatching(/\S/u) };
    expect(sent).toEqual([about, { ...about, to: 'signal' }, { ...about, to: 'discord' }]);
    expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
  });

  test.each<[Partial<Delivery>, boolean, string]>([
    [{ state: 'queued' }, true, '{"sent":false,"via":"terminal","queued":true}'],
    [{ state: 'queued', detail: 'no network' }, true, '"queued":true,"detail":"no network"}'],
    [{ state: 'failed', detail: 'no such user' }, false, 'the message was not sent to terminal (no such user)'],
    [{ state: 'unknown' }, false, 'it is unknown whether the message reached terminal'],
  ])('that is %j is told as such', async (answer, ok, words) => {
    const { call } = await tools([], answer);
    const result = await call('notify', { text: 'dinner' });
    expect(result.ok).toBe(ok);
    expect(result.ok ? result.text : result.error).toContain(words);
  });

  test('to somebody else is refused with whom it can reach', async () => {
    const refused = new AssistantError('unknown_channel', 'There is no channel "ann".', { hint: 'Use discord.' });
    const { call } = await tools(['discord', 'signal'], refused);
    const words = 'There is no channel "ann". This tool reaches the user alone: discord, signal.';
    expect(await call('notify', { text: 'dinner', to: 'ann' })).toMatchObject({
      ok: false,
      error: expect.stringContaining(words),
    });
  });

  test.each([new AssistantError('not_sent', 'The queue is full.', { hint: 'Wait.' }), new Error('The queue is full.')])(
    'that fails otherwise is told as it is: %s',
    async (error) => {
      const { call } = await tools(['discord'], error);
      const result = await call('notify', { text: 'dinner' });
      expect(result.ok ? '' : result.error).toContain('The queue is full.');
      expect(result.ok ? '' : result.error).not.toContain('reaches the user alone');
    },
  );

  test.each([{ text: ' ' }, { text: 'x'.repeat(20_001) }, { text: 'dinner', to: ' ' }, {}])(
    'that is none is not sent',
    async (input) => {
      const { call, sent } = await tools([]);
      expect(await call('notify', input)).toMatchObject({ ok: false });
      expect(sent).toEqual([]);
    },
  );
});

test.each<[Delivery['state'] | undefined, object]>([
  [undefined, { state: 'undone' }],
  ['failed', { state: 'undone' }],
  ['unknown', { state: 'unknown' }],
  ['sent', { state: 'done', text: 'Sent to discord.' }],
  ['queued', { state: 'done', text: 'Not sent yet: queued for discord (no network).' }],
])('of a call that was cut off, a message that is %s tells the outcome', async (state, expected) => {
  const asked: string[] = [];
  const outcome = async (key: string) => {
    asked.push(key);
    return state && { channel: 'discord', state, detail: 'no network' };
  };
  expect(await messageOutcome({ outcome }, 'key_1')).toEqual(expected);
  expect(asked).toEqual(['key_1']);
});

test('who an outgoing message reaches is asked of the channel', async () => {
  const { all } = await tools(['discord']);
  const [notify] = all;
  const recipient = async (input: object) => notify?.policy.recipient?.(input as never, {} as never);
  expect(await recipient({ text: 'x' })).toMatchObject({ channel: 'discord', address: 'owner' });
  expect(await recipient({ text: 'x', to: 'nowhere' })).toEqual({ channel: 'nowhere', address: 'owner', own: true });
});

test('an unknown end is an error of its own kind', async () => {
  const { all, scope } = await tools([], { state: 'unknown', detail: 'timeout' });
  const context = { ...scope.context, turn: scope.turn, voiceOf: () => STRANGER };
  const call = async () => all[0]?.execute({ text: 'x' } as never, context as never);
  await expect(call()).rejects.toBeInstanceOf(OutcomeUnknown);
});
