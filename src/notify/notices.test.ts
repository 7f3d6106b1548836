import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { silentLog } from '../base/log.ts';
import type { Gateway, GatewayRequest } from '../net/types.ts';
import type { Store } from '../store/store.ts';
import { FakeClock } from '../testing/clock.ts';
import { NO_CHANNELS } from '../testing/no-channels.ts';
import { openTestStore } from '../testing/stores.ts';
import type { Face, FaceOptions } from './face.ts';
import type { RouteOptions } from './notice-ways.ts';
import { createNotifier } from './notifier.ts';
import type { FaceKind } from './presence.ts';
import { parseQuietHours, parseRoute } from './routes.ts';
import type { Notice, ShownNotice } from './types.ts';

type Answer = number | 'down';
const MINUTE = 60_000;

interface Given {
  readonly store?: Store;
  readonly clock?: FakeClock;
  readonly routes?: Partial<RouteOptions>;
  /** What Discord answers, in turn; the last one for ever. */
  readonly answers?: readonly Answer[];
  readonly discord?: boolean;
}

/** One program on a home. Discord is its only channel, and answers as it is told. */
async function program({ answers = [200], discord = true, routes, ...given }: Given = {}) {
  const store = given.store ?? (await openTestStore());
  const clock = given.clock ?? new FakeClock('2026-11-20T11:00:00Z');
  // On a server leases are in its time, which would not be this clock's.
  Object.assign(store, { now: async () => clock.now().toISOString() });
  const sent: string[] = [];
  const request = async ({ body }: GatewayRequest) => {
    const answer = answers[Math.min(sent.length, answers.length - 1)] ?? 200;
    if (answer === 'down') throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    sent.push(JSON.parse(String(body)).content);
    return { status: answer, headers: {}, text: () => '{"id":"42"}' };
  };
  const discordWebhookUrl = discord ? 'https://discord.example/api/webhooks/1/secret-token' : undefined;
  const notifier = createNotifier({
    ...{ options: { ...NO_CHANNELS, discordWebhookUrl }, store, now: clock.now, log: silentLog, timeZone: 'UTC' },
    ...{ gateway: { request } as unknown as Gateway, routes },
  });
  onTestFinished(() => notifier.close());
  const { notices } = notifier;
  const post = async (text: string, more: Partial<Notice> = {}) => {
    await store.transaction(() => notices.post({ key: text, text, ...more }));
    await notices.advance();
  };
  const face = async (kind: FaceKind = 'prompt', show?: FaceOptions['show']) => {
    const shown: ShownNotice[] = [];
    const opened: Face = await notices.openFace({
      kind,
      runsJobs: true,
      show: show ?? ((each) => void shown.push(...each)),
    });
    return Object.assign(opened, { shown, texts: () => shown.map(({ text }) => text) });
  };
  const pass = async (ms: number) => {
    clock.advance(ms);
    await notifier.flush();
  };
  const states = async () =>
    (await notices.list()).toReversed().map(({ state, deliveredBy }) => `${state} ${deliveredBy ?? '-'}`);
  return { store, clock, notifier, notices, sent, post, face, pass, states };
}

describe('a notice', () => {
  test('is shown where its owner is, once, and goes nowhere else', async () => {
    const { post, face, sent, pass, states } = await program();
    const prompt = await face();
    await post('tea');
    await pass(60 * MINUTE);
    expect([prompt.texts(), sent, await states()]).toEqual([['tea'], [], ['delivered prompt']]);
    expect(prompt.shown[0]).toMatchObject({ number: 1, urgent: false, repeated: false, again: false, why: undefined });
  });

  test('goes by the channel where nobody is, and is not shown any more', async () => {
    const { post, face, sent, states } = await program();
    await post('tea');
    expect([sent, await states()]).toEqual([['tea'], ['delivered discord']]);
    expect((await face()).texts()).toEqual([]);
  });

  test('that nobody can be told waits, and is shown by the next face with its time', async () => {
    const { post, face, pass, clock, states } = await program({ discord: false });
    const due = clock.now();
    await post('tea');
    expect(await states()).toEqual(['waiting -']);
    await pass(8 * 60 * MINUTE);
    const prompt = await face();
    expect(prompt.shown).toMatchObject([{ text: 'tea', at: due }]);
    expect(await states()).toEqual(['delivered prompt']);
  });

  test('posted twice under one key is one', async () => {
    const { post, notices } = await program();
    await post('tea');
    await post('tea');
    expect(await notices.list()).toHaveLength(1);
  });

  test('is told once by two programs that take it further at the same time', async () => {
    const one = await program();
    const other = await program(one);
    await one.store.transaction(() => one.notices.post({ key: 'tea', text: 'tea' }));
    await Promise.all([one.notices.advance(), other.notices.advance()]);
    expect([...one.sent, ...other.sent]).toEqual(['tea']);
  });
});

describe('a face', () => {
  test('that died before it said that it has shown something is followed by one that marks it', async () => {
    const { post, face, store } = await program({ discord: false });
    await post('tea');
    await store.db.updateTable('notices').set({ face: 'gone' }).execute();
    expect((await face()).shown).toMatchObject([{ text: 'tea', repeated: true }]);
  });

  test('that never returns from showing is no face any more', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { post, face, sent, pass } = await program();
    const began = Promise.withResolvers<void>();
    await face('prompt', () => {
      began.resolve();
      return new Promise(() => {});
    });
    const posting = post('tea');
    await began.promise;
    vi.advanceTimersByTime(10_000);
    await posting;
    await pass(6000);
    expect(sent).toEqual(['tea']);
  });

  test('that can show nothing any more leaves it to others, and is no face any more', async () => {
    const { post, face, sent, states, pass } = await program();
    await face('prompt', () => {
      throw new Error('EPIPE');
    });
    await post('tea');
    await pass(6000);
    expect([sent, await states()]).toEqual([['tea'], ['delivered discord']]);
  });

  test('shows nothing while the person is at another one', async () => {
    const { post, face, clock } = await program();
    const page = await face('page');
    clock.advance(1000);
    const prompt = await face('prompt');
    await post('tea');
    expect([page.texts(), prompt.texts()]).toEqual([[], ['tea']]);
    clock.advance(61_000);
    page.active();
    await page.beat();
    await post('milk');
    expect([page.texts(), prompt.texts()]).toEqual([['milk'], ['tea']]);
  });

  test('at which nobody did anything for long shows it, and it goes to the channel as well', async () => {
    const { post, face, sent, pass } = await program();
    const prompt = await face();
    await pass(16 * MINUTE);
    await post('tea');
    await prompt.look();
    await pass(1000);
    expect([sent, prompt.texts().length <= 1]).toEqual([['tea'], true]);
  });

  test('that does not confirm in time is not waited for', async () => {
    const one = await program();
    // A prompt of a program that hangs: it is there, and takes nothing.
    const { Presence } = await import('./presence.ts');
    const hangs = new Presence({ ...one, now: one.clock.now, log: silentLog }, { kind: 'prompt', runsJobs: true });
    await hangs.begin();
    onTestFinished(() => hangs.close());
    await one.post('tea');
    expect(one.sent).toEqual([]);
    await one.pass(5000);
    expect(one.sent).toEqual(['tea']);
  });
});

describe('a step with a wait', () => {
  const routes = { defaultRoute: parseRoute('here, discord after 2m') };

  test('is taken when the owner has not been seen since', async () => {
    const { post, face, sent, pass } = await program({ routes });
    await face();
    await post('tea');
    await pass(MINUTE);
    expect(sent).toEqual([]);
    await pass(MINUTE);
    expect(sent).toEqual(['tea']);
    await pass(60 * MINUTE);
    expect(sent).toEqual(['tea']);
  });

  test('is not taken once they did something at that face, or said that it is done', async () => {
    const { post, face, sent, pass, notices } = await program({ routes });
    const prompt = await face();
    await post('tea');
    prompt.active();
    await expect.poll(async () => (await notices.list())[0]?.nextAt).toBeUndefined();
    await post('milk');
    expect(await notices.done(2, 'page')).toMatchObject([{ text: 'milk' }]);
    await pass(3 * MINUTE);
    expect(sent).toEqual([]);
  });

  test('does not wait when nobody was reached', async () => {
    const { post, sent } = await program({ routes });
    await post('tea');
    expect(sent).toEqual(['tea']);
  });
});

describe('a channel that fails', () => {
  test('is followed by the next step, and the face says why', async () => {
    const { post, face, states } = await program({ answers: [400] });
    await post('tea', { to: 'discord' });
    expect((await face()).shown).toMatchObject([
      { text: 'tea', why: 'not sent to discord: Discord refused the message (400)' },
    ]);
    expect(await states()).toEqual(['delivered prompt']);
  });

  test('for now keeps the message; once it was delivered there, no face shows it', async () => {
    const { post, pass, sent, states, face } = await program({ answers: ['down'] });
    const answers: Answer[] = ['down'];
    const again = await program({ answers });
    await again.post('tea', { to: 'discord' });
    await again.pass(16_000);
    expect([again.sent, await again.states(), (await again.face()).texts()]).toEqual([[], ['waiting -'], []]);
    answers[0] = 200;
    await again.pass(60 * MINUTE);
    expect([again.sent, await again.states()]).toEqual([['tea'], ['delivered discord']]);
    await post('milk');
    await pass(16_000);
    expect([(await face()).texts(), await states()]).toEqual([['milk'], ['delivered prompt']]);
    await pass(60 * MINUTE);
    expect(sent).toEqual([]);
  });

  test('and is not set up at all is one of the reasons', async () => {
    const { post, face } = await program({ discord: false });
    await post('tea', { to: 'discord' });
    expect((await face()).shown[0]?.why).toContain('set DISCORD_BOT_TOKEN or DISCORD_WEBHOOK_URL');
  });

  test('for a day is told by the notice itself', async () => {
    const { post, face, pass } = await program({ answers: ['down'] });
    await post('tea', { to: 'discord' });
    await pass(24 * 60 * MINUTE);
    expect((await face()).shown).toMatchObject([{ text: 'tea', why: 'not sent to discord within a day' }]);
  });
});

describe('quiet hours', () => {
  const routes = { quietHours: parseQuietHours('22:00-07:00') };
  const night = () => new FakeClock('2026-11-20T23:10:00Z');

  test('end with one message of all that came in them', async () => {
    const { post, pass, sent, states } = await program({ routes, clock: night() });
    await post('tea');
    await pass(10 * MINUTE);
    await post('milk');
    await pass(7 * 60 * MINUTE + 39 * MINUTE);
    expect(sent).toEqual([]);
    await pass(MINUTE);
    expect(sent).toEqual(['While it was quiet:\n- 23:10  tea\n- 23:20  milk']);
    expect(await states()).toEqual(['delivered discord', 'delivered discord']);
  });

  test('do not hold what is urgent, and a face that is there shows everything', async () => {
    const { post, sent, face } = await program({ routes, clock: night() });
    await post('fire', { urgent: true });
    expect(sent).toEqual(['fire\n(urgent; `wooster notices done 1` ends it)']);
    await post('tea');
    expect((await face()).texts()).toEqual(['tea']);
  });
});

describe('an urgent notice', () => {
  test('comes again by its whole route until it is done, wherever that is said', async () => {
    const { post, pass, sent, notices } = await program();
    await post('fire', { urgent: true });
    await pass(9 * MINUTE);
    expect(sent).toHaveLength(1);
    await pass(MINUTE);
    await pass(10 * MINUTE);
    expect(sent.map((text) => text.split('\n')[0])).toEqual(['fire', '(again) fire', '(again) fire']);
    expect(await notices.done(1, 'page')).toMatchObject([{ text: 'fire', urgent: true }]);
    await pass(60 * MINUTE);
    expect(sent).toHaveLength(3);
    expect(await notices.list()).toMatchObject([{ state: 'done', doneBy: 'page' }]);
  });

  test('is shown again at the face, and goes to the channel after a minute', async () => {
    const { post, pass, sent, face } = await program();
    const prompt = await face();
    await post('fire', { urgent: true });
    prompt.active();
    await pass(MINUTE);
    expect([prompt.texts(), sent.length]).toEqual([['fire'], 1]);
    await pass(10 * MINUTE);
    expect(prompt.shown).toMatchObject([{ again: false }, { again: true }]);
  });

  test('ends after a day', async () => {
    const { post, pass, sent } = await program();
    await post('fire', { urgent: true });
    for (let hour = 0; hour < 30; hour++) await pass(60 * MINUTE);
    expect(sent).toHaveLength(25);
  });
});

describe('its owner', () => {
  test('puts it off: it comes again then, by its whole route', async () => {
    const { post, pass, sent, notices, clock } = await program();
    await post('tea');
    await notices.snooze(1, new Date(clock.now().getTime() + 30 * MINUTE));
    await pass(29 * MINUTE);
    expect(sent).toEqual(['tea']);
    await pass(MINUTE);
    expect(sent).toEqual(['tea', '(again) tea']);
  });

  test('ends all at once, and hears that there is none with a number that nobody has', async () => {
    const { post, notices } = await program();
    await post('tea');
    await post('milk');
    expect(await notices.done(7, 'cli')).toEqual([]);
    expect((await notices.done(undefined, 'cli')).map(({ number }) => number)).toEqual([1, 2]);
    expect(await notices.done(1, 'cli')).toEqual([]);
  });

  test('has read the result of a run that they waited for', async () => {
    const { post, notices, face } = await program({ discord: false });
    await post('tea', { runId: 'run_1' });
    expect(await notices.reported(['run_1', 'run_2'])).toEqual(new Map([['run_1', 'waiting']]));
    await notices.readBy('run_1', 'cli');
    expect(await notices.reported(['run_1'])).toEqual(new Map([['run_1', 'delivered (cli)']]));
    expect((await face()).texts()).toEqual([]);
  });

  test('is listed what came in the last thirty days', async () => {
    const { post, notices, clock } = await program();
    await post('old');
    clock.advance(31 * 24 * 60 * MINUTE);
    await post('new');
    expect((await notices.list()).map(({ text, number }) => [text, number])).toEqual([['new', 2]]);
  });
});
