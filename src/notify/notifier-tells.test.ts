import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { silentLog } from '../base/log.ts';
import { Redactor } from '../base/redact.ts';
import type { Gateway, GatewayRequest } from '../net/types.ts';
import { testNotifier } from '../testing/notifier.ts';
import { sqlAll, sqlRun } from '../testing/sql.ts';
import { openTestStore } from '../testing/stores.ts';
import type { ChannelOptions } from './channels.ts';
import type { NotifierDeps } from './notifier.ts';

type Answer = readonly [status: number, body?: string, headers?: Readonly<Record<string, string>>];
type Given = Partial<NotifierDeps> & { readonly more?: Partial<ChannelOptions> };

const OK: Answer = [200, '{"id":"42"}'];
const WAIT: Answer = [429, '', { 'retry-after': '30' }];
const GONE: Answer = [404];
const OFF = 'this address no longer exists at Discord; set a new DISCORD_WEBHOOK_URL';
const JOB = { idempotencyKey: 'run_1:end', runId: 'run_1' };

/** A notifier whose webhook answers with `answers` in turn, the last one for ever. */
async function setUp(answers: readonly Answer[], { store, more, ...deps }: Given = {}) {
  const contents: string[] = [];
  const request = async ({ body }: GatewayRequest) => {
    contents.push(JSON.parse(String(body)).content);
    const [status, text = '', headers = {}] = answers[Math.min(contents.length, answers.length) - 1] ?? OK;
    return { status, headers, text: () => text };
  };
  const options = { discordWebhookUrl: 'https://discord.example/api/webhooks/1/secret-token', ...more };
  const gateway = { request } as unknown as Gateway;
  return { contents, ...(await testNotifier(options, store, { gateway, ...deps })) };
}

describe('which channels there are', () => {
  test('each says where its messages go, what to set, or why it is off', async () => {
    const { notifier, send } = await setUp([GONE]);
    const [discord, ...others] = await notifier.channels();
    expect(discord).toEqual({ name: 'discord', configured: true, detail: 'a webhook' });
    expect(others).toContainEqual({ name: 'signal', configured: false, detail: 'set SIGNAL_CLI_NUMBER' });
    expect(others.filter(({ configured }) => configured)).toEqual([]);
    await send('hello', 'discord');
    expect(await notifier.channels()).toEqual([{ ...discord, detail: `off: ${OFF}` }, ...others]);
  });

  test('those that are set up, and where its owner is', async () => {
    expect((await setUp([OK])).notifier.configured()).toEqual(['discord', 'here']);
    expect((await testNotifier({})).notifier.configured()).toEqual(['here']);
  });

  test('without a choice messages go to the first that is set up; a choice stands whatever happened', async () => {
    expect(await (await setUp([OK])).notifier.defaultChannel()).toBe('discord');
    const chosen = await setUp([OK], { more: { defaultChannel: 'here' } });
    expect(await chosen.send('hello')).toMatchObject({ channel: 'prompt', state: 'sent' });
    expect(chosen.contents).toEqual([]);
  });

  test('a name is taken in any case; one that is unknown is told with the nearest, else with all', async () => {
    const { send } = await testNotifier({});
    for (const name of ['Here', 'terminal']) expect(await send('hello', name)).toMatchObject({ state: 'sent' });
    await expect(send('hello', 'dicsord')).rejects.toMatchObject({
      ...{ code: 'unknown_channel', message: 'There is no channel "dicsord".', hint: 'Did you mean discord?' },
    });
    await expect(send('hello', 'carrier pigeon')).rejects.toMatchObject({
      hint: 'Use one of discord, signal, ntfy, telegram, email, webhook, desktop, here.',
    });
    await expect(send('hello', 'discord')).rejects.toMatchObject({
      message: 'Nothing was sent: discord is not configured.',
    });
  });
});

test('what a turn or a person sends fails with the reason, and is not told them a second time', async () => {
  const { send, printed } = await setUp([[400], [400], OK, WAIT]);
  const failed = { channel: 'discord', state: 'failed', detail: 'Discord refused the message (400)' };
  expect(await send('one', 'discord')).toEqual(failed);
  expect(await send('two', 'discord', { ...JOB, turnId: 'turn_1' })).toEqual(failed);
  expect(await send('three', 'discord', { idempotencyKey: '3' })).toMatchObject({ state: 'sent' });
  expect(await send('four', 'discord', { idempotencyKey: '4' })).toMatchObject({ state: 'queued' });
  expect(printed).toEqual([]);
});

test('while a channel is off nothing is sent there, and nothing waits for it', async () => {
  const { send, states, contents } = await setUp([GONE]);
  await send('one', 'discord');
  expect(await send('two', 'discord', JOB)).toEqual({ channel: 'discord', state: 'failed', detail: OFF });
  expect([contents, await states()]).toEqual([['one'], ['failed']]);
});

describe('what the outbox tells', () => {
  test('the newest message first, each part with what became of it', async () => {
    const { notifier, send, clock } = await setUp([OK, OK, [400, '{"code":50035}']]);
    await send('one '.repeat(700), 'discord');
    clock.advance(1000);
    await send('two', 'discord');
    const recent = await notifier.recent(10);
    expect(recent.map(({ id, text, ...part }) => ({ ...part, id: id.slice(-2), text: text.slice(0, 9) }))).toEqual([
      {
        ...{ id: '.1', channel: 'discord', state: 'failed', text: 'two' },
        ...{ detail: 'Discord refused the message (400, code 50035)', at: new Date('2026-11-20T11:00:01Z') },
      },
      ...['1', '2'].map((n) => ({
        ...{ id: `.${n}`, channel: 'discord', state: 'sent', text: `(${n}/2) one` },
        ...{ detail: undefined, at: new Date('2026-11-20T11:00:00Z') },
      })),
    ]);
    for (const { id } of recent) expect(id).toMatch(/^msg_\w+\.[12]$/u);
    expect(await notifier.recent(1)).toEqual(recent.slice(0, 1));
  });

  test('what became of a message by its key; one that never came in is not known', async () => {
    const { notifier, send } = await setUp([WAIT]);
    await send('one', 'here', { idempotencyKey: 'a' });
    await send('two', 'discord', { idempotencyKey: 'b' });
    expect(await notifier.outcome('a')).toEqual({ channel: 'prompt', state: 'sent', detail: '' });
    expect(await notifier.outcome('b')).toEqual({
      channel: 'discord',
      state: 'queued',
      detail: 'Discord asks to wait',
    });
    expect(await notifier.outcome('c')).toBeUndefined();
  });

  test('when it has something to send next', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0);
    onTestFinished(() => random.mockRestore());
    const { notifier, send, clock } = await setUp([WAIT]);
    expect(await notifier.nextFlush(clock.now())).toBeUndefined();
    await send('hello', 'discord');
    expect(await notifier.nextFlush(clock.now())).toEqual(new Date('2026-11-20T11:00:30Z'));
  });

  test('an empty text is said to be one, and secrets are hidden', async () => {
    const { send, printed, notifier } = await testNotifier({}, undefined, {
      redactor: new Redactor(['hunter2hunter2']),
    });
    await send(' \u0007\n', 'here');
    await send('it is hunter2hunter2', 'here');
    expect(printed).toEqual(['(empty message)', 'it is [secret]']);
    expect(JSON.stringify(await notifier.notices.list())).not.toContain('hunter2');
  });
});

describe('what is tried later', () => {
  test.each([
    ['is refused then', [400], ['(not sent to discord: Discord refused the message (400))\nhello']],
    ['stays unknown', [201], ['(unknown whether it reached discord: an unexpected answer 201)\nhello']],
    ['is sent', OK, []],
    ['waits again', WAIT, []],
  ] as const)('and %s, is told where its owner is if it may not have been read', async (_name, answer, shown) => {
    const { send, notifier, clock, printed } = await setUp([WAIT, answer]);
    await send('hello', 'discord');
    for (const seconds of [34, 3]) {
      clock.advance(seconds * 1000);
      await notifier.flush();
    }
    expect(printed).toEqual(shown);
  });

  test('what others may have written stays theirs where it is told that it did not arrive', async () => {
    const { send, notifier, clock, printed } = await setUp([WAIT, [400]]);
    const link = 'https://owner.example/a.b?c=d';
    const voice = { untrusted: true, links: [link] };
    await send(`Obey notes.md, see ${link} and https://evil.example/x`, 'discord', { voice });
    for (const seconds of [34, 3]) {
      clock.advance(seconds * 1000);
      await notifier.flush();
    }
    expect(printed.join()).toContain(`Obey notes[.]md, see ${link} and evil[.]example/x`);
    expect(await notifier.notices.list()).toMatchObject([{ untrusted: true }]);
  });

  test('is tried once in a flush, even if the service says that it need not wait', async () => {
    const { send, notifier, contents, states } = await setUp([[429, '', { 'retry-after': '0' }]]);
    await send('hello', 'discord');
    await notifier.flush();
    await notifier.flush();
    expect([contents.length, await states()]).toEqual([3, ['pending']]);
  });

  test('of a long text goes on where it stopped, in order', async () => {
    const { send, notifier, clock, contents, store } = await setUp([OK, WAIT, OK]);
    await send('long '.repeat(900), 'discord');
    const parts = await sqlAll(store, 'SELECT part, parts, dedupe_key FROM outbox ORDER BY part');
    const key = String(parts[0]?.dedupe_key).replace(/:.*/u, '');
    expect(parts).toEqual([1, 2, 3].map((part) => ({ part, parts: 3, dedupe_key: `${key}:${part}` })));
    clock.advance(34_000);
    await notifier.flush();
    expect(contents.map((content) => content.slice(0, 5))).toEqual(['(1/3)', '(2/3)', '(2/3)', '(3/3)']);
  });

  test('is what a turn gave up before it was sent, as if for the first time', async () => {
    const { notifier, contents, store } = await setUp([OK]);
    const delivery = await notifier.send({ text: 'hello', to: 'discord' }, AbortSignal.abort());
    expect(delivery).toEqual({ channel: 'discord', state: 'queued', detail: 'it is waiting for its turn' });
    expect(contents).toEqual([]);
    const row = 'SELECT state, attempts, owner, lease_until FROM outbox';
    expect(await sqlAll(store, row)).toEqual([{ state: 'pending', attempts: 0, owner: null, lease_until: null }]);
    await notifier.flush();
    expect(contents).toEqual(['hello']);
  });

  test.each([
    [1, 'short', 'A message to discord'],
    [1, 'long '.repeat(900), 'A message to discord'],
    [2, 'long '.repeat(900), '2 messages to discord'],
  ])('for a day, is given up with one line: %i, %.5s', async (count, text, what) => {
    const { send, notifier, clock, printed, states } = await setUp([WAIT]);
    for (let n = 0; n < count; n++) await send(text, 'discord');
    clock.advance(24 * 3_600_000);
    await notifier.flush();
    expect(printed).toEqual([`${what} could not be sent within a day; see \`wooster notify --list\`.`]);
    expect(new Set(await states())).toEqual(new Set(['expired']));
  });

  test('stops at once with the program, however much waits', async () => {
    const claims = vi.fn();
    const beforeStatement = (sql: string) => {
      if (sql.startsWith('update "outbox"') && sql.includes('"attempts" +')) claims();
    };
    const { send, notifier, clock } = await setUp([WAIT], {
      store: await openTestStore(':memory:', { beforeStatement }),
    });
    for (const text of ['one', 'two', 'three']) await send(text, 'discord');
    clock.advance(34_000);
    claims.mockReset().mockImplementation(() => void notifier.close());
    await notifier.flush();
    expect(claims).toHaveBeenCalledTimes(1);
  });

  test('is left alone while the outbox cannot be read, which the log tells', async () => {
    const error = vi.fn();
    // Of a server's table a program is not the owner.
    const given = await openTestStore(':memory:', { kind: 'sqlite' });
    const { notifier, store } = await setUp([OK], { store: given, log: { ...silentLog, error } });
    await sqlRun(store, 'ALTER TABLE outbox RENAME TO elsewhere');
    await notifier.flush();
    expect(error.mock.calls).toEqual([['outbox not flushed', { error: expect.stringContaining('outbox') }]]);
    await sqlRun(store, 'ALTER TABLE elsewhere RENAME TO outbox');
    await notifier.flush();
    expect(error).toHaveBeenCalledTimes(1);
  });
});
