import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../base/log.ts';
import { createGateway } from '../../net/gateway.ts';
import { eventually, startDiscord } from '../../testing/chat-world.ts';
import { dmOf } from '../../testing/discord-forms.ts';
import { DISCORD_OWNER, type DiscordService } from '../../testing/discord-service.ts';
import { NO_CHANNELS } from '../../testing/no-channels.ts';
import type { ChatEvent, Inbound } from '../inbound.ts';
import { discord } from './discord.ts';

const ROOM = '7700000000000001';

function inboundOf(api: DiscordService, heardIn: readonly string[] = []): Inbound {
  const gateway = createGateway({ allowPrivate: [], log: silentLog });
  onTestFinished(() => gateway.close());
  const { DISCORD_BOT_TOKEN: discordBotToken, DISCORD_API_URL: discordApiUrl } = api.env;
  const options = { ...NO_CHANNELS, discordBotToken, discordApiUrl };
  const { inbound } = discord.connect(options, { gateway, heardIn: async () => heardIn });
  if (!inbound) throw new Error('it cannot receive');
  return inbound;
}

/** What comes in until the test ends or `stop` is called. */
function listening(inbound: Inbound, since?: string) {
  const events: ChatEvent[] = [];
  const marks: string[] = [];
  const closing = new AbortController();
  onTestFinished(() => closing.abort());
  const run = async () => {
    for await (const received of inbound.receive(since, closing.signal)) {
      marks.push(received.mark);
      events.push(...received.events);
    }
  };
  const done = run().catch((error: unknown) => error);
  const texts = () => events.map(({ text }) => text);
  return { events, texts, marks, done, stop: () => closing.abort() };
}

test('a message says who wrote it, where, and whether it is meant for the bot', async () => {
  const api = await startDiscord();
  const heard = listening(inboundOf(api));
  await eventually(() => expect(api.begun).toEqual(['identify']));
  api.write('hello');
  api.write('never mind', { room: ROOM });
  api.write('and you?', { room: ROOM, mention: true });
  api.write('I am a program', { bot: true });
  await eventually(() => expect(heard.texts()).toEqual(['hello', 'never mind', 'and you?']));
  expect(heard.events).toMatchObject([
    { account: DISCORD_OWNER, chat: dmOf(DISCORD_OWNER), alone: true, addressed: true, name: 'User 001' },
    { chat: ROOM, alone: false, addressed: false },
    { chat: ROOM, alone: false, addressed: true },
  ]);
});

test('what was forwarded or quoted is the text of others; an edit is one only where its author made it', async () => {
  const api = await startDiscord();
  const heard = listening(inboundOf(api));
  await eventually(() => expect(api.begun).toEqual(['identify']));
  const snapshot = { message: { content: 'their words', attachments: [] } };
  api.write('', { more: { message_snapshots: [snapshot], message_reference: { type: 1 } } });
  const quoted = { content: 'said before', author: { id: '5550000000000001', username: 'x' } };
  const id = api.write('what of this?', { more: { type: 19, referenced_message: quoted } });
  api.write('Ann has joined', { more: { type: 7 } });
  api.edit(id, 'what of that?');
  await eventually(() => expect(heard.texts()).toEqual(['', 'what of this?', 'what of that?']));
  expect(heard.events).toMatchObject([
    { forwarded: true, foreign: [{ text: 'their words' }] },
    { forwarded: false, foreign: [{ text: 'said before' }] },
    { kind: 'edit', id },
  ]);
});

test('a connection that breaks or is ended goes on without a loss or a repetition', async () => {
  const api = await startDiscord();
  const heard = listening(inboundOf(api));
  await eventually(() => expect(api.begun).toEqual(['identify']));
  api.write('one');
  await eventually(() => expect(heard.texts()).toEqual(['one']));
  api.drop();
  api.write('two');
  await eventually(() => expect(heard.texts()).toEqual(['one', 'two']));
  api.say(7);
  await eventually(() => expect(api.begun.length).toBe(3));
  api.write('three');
  await eventually(() => expect(heard.texts()).toEqual(['one', 'two', 'three']));
  expect(api.begun).toEqual(['identify', 'resume', 'resume']);
});

test('a service that no longer answers heartbeats is left, and found again', async () => {
  const api = await startDiscord();
  [api.heartbeatMs, api.alive] = [50, false];
  const heard = listening(inboundOf(api));
  await eventually(() => expect(api.begun).toContain('resume'));
  [api.heartbeatMs, api.alive] = [41_250, true];
  api.drop();
  api.write('hello');
  await eventually(() => expect(heard.texts()).toEqual(['hello']));
});

test('another program goes on with the session behind the mark', async () => {
  const api = await startDiscord();
  const first = listening(inboundOf(api));
  await eventually(() => expect(api.begun).toEqual(['identify']));
  api.write('one');
  await eventually(() => expect(first.texts()).toEqual(['one']));
  first.stop();
  await first.done;
  api.write('two');
  const second = listening(inboundOf(api), first.marks.at(-1));
  await eventually(() => expect(second.texts()).toEqual(['two']));
  expect(api.begun).toEqual(['identify', 'resume']);
});

test('after a session that is lost, what was missed is fetched where the owner was heard', async () => {
  const api = await startDiscord();
  const heardIn = [dmOf(DISCORD_OWNER), ROOM, '1110000000000001'];
  const first = listening(inboundOf(api, heardIn));
  await eventually(() => expect(api.begun).toEqual(['identify']));
  api.write('one');
  await eventually(() => expect(first.texts()).toEqual(['one']));
  first.stop();
  await first.done;
  api.forget();
  for (let at = 0; at < 150; at += 1) api.write(`missed ${at}`);
  api.write('missed there', { room: ROOM, mention: true });
  api.faults.push({ route: 'channel', status: 403, body: { message: 'Missing Access' } });
  api.faults.push({ route: 'channel', status: 200, body: { id: dmOf(DISCORD_OWNER), type: 1 } });
  const second = listening(inboundOf(api, ['1110000000000001', ...heardIn]), first.marks.at(-1));
  await eventually(() => expect(second.texts().at(-1)).toBe('missed there'));
  const missed = second.texts().filter((text) => text.startsWith('missed'));
  expect(missed).toHaveLength(151);
  expect(second.events.at(-1)).toMatchObject({ alone: false, addressed: true, chat: ROOM });
});

test.each([
  [4004, 'refuses the token'],
  [4014, 'Message Content Intent'],
])('a close with %i is told and ends it', async (code, words) => {
  const api = await startDiscord();
  const heard = listening(inboundOf(api));
  await eventually(() => expect(api.begun).toEqual(['identify']));
  api.drop(code);
  const error = (await heard.done) as { message: string; hint: string };
  expect(`${error.message} ${error.hint}`).toContain(words);
});

test('a bot that may not read content asks for none, and its probe says so', async () => {
  const api = await startDiscord();
  api.content = false;
  const inbound = inboundOf(api);
  expect(await inbound.probe(AbortSignal.timeout(60_000))).toContain('only what mentions it');
  const heard = listening(inbound);
  await eventually(() => expect(api.begun).toEqual(['identify']));
  api.write('not for it', { room: ROOM });
  api.write('for it', { room: ROOM, mention: true });
  await eventually(() => expect(heard.texts()).toEqual(['', 'for it']));
});

test('a gateway without encryption behind an address with it gets no token', async () => {
  const api = await startDiscord();
  const url = 'ws://gateway.example';
  api.faults.push({ route: 'gateway', status: 200, body: { url, shards: 1 } });
  const error = await listening(inboundOf(api)).done;
  expect(String(error)).toContain('without encryption');
});

test('a short wait that the service asks for is kept, and a press is noticed once', async () => {
  const api = await startDiscord();
  const inbound = inboundOf(api);
  const { signal } = new AbortController();
  api.faults.push({ route: 'createMessage', status: 429, body: { message: 'slow down', retry_after: 0.05 } });
  const id = await inbound.post?.(dmOf(DISCORD_OWNER), 'working', signal);
  expect(api.messages.map((each) => [each.id, each.silent])).toEqual([[id, true]]);
  api.faults.push({ route: 'editMessage', status: 429, body: { message: 'slow down', retry_after: 60 } });
  const edited = inbound.edit?.({ chat: dmOf(DISCORD_OWNER), id: id ?? '' }, 'done', signal);
  await expect(edited).rejects.toMatchObject({ code: 'not_received' });
});
