import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../../testing/chat-world.ts';
import { phoneWorld, signalPhone, telegramPhone } from '../../testing/phones.ts';
import { SIGNAL_OWNER } from '../../testing/signal-daemon.ts';
import { webServer } from '../../testing/web-server.ts';

/** A service that hears the same in everything. */
async function listener(text: string, status = 200) {
  const server = await webServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ text, usage: { type: 'duration', seconds: 90 } }));
  });
  return { ...server, env: { TRANSCRIPTION_MODEL: 'whisper-1', TRANSCRIPTION_URL: `${server.origin}/v1` } };
}

const bytes = Buffer.from('OggS not really');
/** A phone sends what is spoken into it without a name. */
const NOTE = { name: '', bytes, type: 'audio/aac' };

test('what the owner speaks is what they ask, and the answer shows what was heard', async () => {
  const [phone, service] = [await signalPhone(), await listener('when is lunch?')];
  const { said, model, app } = await phoneWorld(phone, { replies: ['At noon.'], env: service.env });
  await phone.write('', { file: NOTE });
  await eventually(() => expect(said()).toEqual(['(heard: when is lunch?)\n\nAt noon.']));
  expect(JSON.stringify(model.requests[0]?.messages.at(-1)?.content)).toContain('when is lunch?');
  const [{ url, headers, body } = { url: '', headers: {}, body: '' }] = service.received;
  expect([url, headers['content-type']]).toEqual(['/v1/audio/transcriptions', expect.stringContaining('multipart/')]);
  for (const part of ['whisper-1', 'OggS not really', 'filename="']) expect(body).toContain(part);
  const usage = await app.models.usage('purpose');
  expect(usage.find(({ group }) => group === 'transcription')).toMatchObject({ calls: 1, failed: 0, unpricedCalls: 0 });
});

test('everyday words work when they are spoken, without a model', async () => {
  const [phone, service] = [await signalPhone(), await listener('Remind me tomorrow at 9 to call Ann.')];
  const { said, app } = await phoneWorld(phone, { env: service.env });
  await phone.write('', { file: NOTE });
  // What understands without a model is loaded with the first words.
  await expect.poll(() => said().join()).toContain('call Ann');
  expect(await app.schedule.jobs.list()).toHaveLength(1);
});

test('without a service it says so, keeps the file, and asks no model', async () => {
  const phone = await signalPhone();
  const { said, model, home } = await phoneWorld(phone, { replies: [] });
  await phone.write('', { file: NOTE });
  await eventually(() => expect(said()[0]).toContain('I cannot hear what you said'));
  expect(said()[0]).toContain('TRANSCRIPTION_MODEL');
  expect([model.requests.length, readdirSync(join(home, 'projects/home/received')).length]).toEqual([0, 1]);
});

test.each([
  ['that refuses', 401, 'x', 'refused this one (401)'],
  ['that hears nothing', 200, '', 'nothing was understood'],
])('a service %s is told as it is', async (_what, status, text, why) => {
  const [phone, service] = [await signalPhone(), await listener(text, status)];
  const { said, model } = await phoneWorld(phone, { replies: [], env: service.env });
  await phone.write('', { file: NOTE });
  await eventually(() => expect(said()[0]).toContain(why));
  expect(model.requests).toHaveLength(0);
});

test('nothing spoken approves, stops or commands, and recordings of others give no orders', async () => {
  const [phone, service] = [await signalPhone(), await listener('/new')];
  const { said, app } = await phoneWorld(phone, { replies: ['What?', 'A podcast.'], env: service.env });
  await phone.write('', { file: NOTE });
  await eventually(() => expect(said()).toEqual(['(heard: /new)\n\nWhat?']));
  const label = async () => {
    const [row] = await app.store.read.selectFrom('conversations').select('read_untrusted').execute();
    return row?.read_untrusted;
  };
  expect(await label()).toBe(0);
  await phone.write('', { file: { name: 'podcast.mp3', bytes, type: 'audio/mpeg' } });
  await eventually(() => expect(said()[1]).toBe('A podcast.'));
  expect(await label()).toBe(1);
  expect(phone.daemon.sent.every(({ to }) => to[0] === SIGNAL_OWNER)).toBe(true);
});

test('without a service the words beside a recording are answered', async () => {
  const phone = await telegramPhone();
  const { said, model } = await phoneWorld(phone, { replies: ['Kept.'] });
  await phone.write('keep this', { file: { name: 'song.mp3', bytes } });
  await eventually(() => expect(said()).toEqual(['Kept.']));
  expect(model.requests).toHaveLength(1);
});
