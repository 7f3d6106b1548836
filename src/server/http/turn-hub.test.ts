import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type ApprovalRequest, type Decision, NO_USAGE, type Turn, type TurnContext } from '../../base/turn.ts';
import type { App } from '../../face/app.ts';
import { EventLog } from './event-log.ts';
import { TurnHub } from './turn-hub.ts';

const REQUEST: ApprovalRequest = {
  ...{ id: 'apr_1', tool: 'send_mail', input: {}, reason: 'it reaches somebody', hash: 'abc' },
  provenance: { untrusted: false, private: false, sources: [] },
};
const ORDER = { text: 'go', conversationId: 'c', project: 'home', mode: 'classic_tools', origin: 'http' } as const;

/** A hub whose turns ask one question each. */
function scene(request: Partial<ApprovalRequest> = {}) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const decided: Decision[] = [];
  const run = async (_turn: Turn, { approve }: TurnContext) => {
    decided.push(await approve({ ...REQUEST, ...request }));
    return { text: '', stop: 'answered' as const, usage: NO_USAGE, steps: 1 };
  };
  const app = { home: { timeZone: 'UTC' }, turns: { run } } as unknown as Pick<App, 'home' | 'turns'>;
  return { hub: new TurnHub(app, new EventLog()), decided };
}

/** Somebody who reads, until they leave. */
function reader(hub: TurnHub, decides: 'page' | 'program' | undefined) {
  const leave = new AbortController();
  const reading = (async () => {
    for await (const _ of hub.read(0, { decides, signal: leave.signal }));
  })();
  return async () => {
    leave.abort();
    await reading;
  };
}

/** A turn begins in a round of the event loop of its own. */
const settled = async () => {
  await nextRound();
  await vi.advanceTimersByTimeAsync(0);
};
const NOBODY = [{ verdict: 'denied', by: 'no approver' }];

test('with nobody there a question is not put', async () => {
  const { hub, decided } = scene();
  reader(hub, undefined);
  hub.start('t', ORDER);
  await settled();
  expect(decided).toEqual(NOBODY);
});

test('a question waits for whoever has begun the turn, and for a page that is loaded anew; not for long', async () => {
  for (const begin of ['by one who will read', 'while a page is away']) {
    const { hub, decided } = scene();
    if (begin === 'while a page is away') await reader(hub, 'page')();
    hub.start('t', { ...ORDER, decides: begin === 'by one who will read' ? 'program' : undefined });
    await vi.advanceTimersByTimeAsync(4000);
    expect(decided).toEqual([]);
    const leave = reader(hub, 'page');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(decided).toEqual([]);
    await leave();
    await vi.advanceTimersByTimeAsync(6000);
    expect(decided).toEqual(NOBODY);
  }
});

test('what only a person may decide does not wait for a program', async () => {
  const { hub, decided } = scene({ ownerOnly: true });
  reader(hub, 'program');
  hub.start('t', { ...ORDER, decides: 'program' });
  await settled();
  expect(decided).toEqual(NOBODY);
});

test('of two who decide, the first one does', async () => {
  const { hub, decided } = scene();
  reader(hub, 'program');
  hub.start('t', ORDER);
  await settled();
  expect([hub.decide('apr_1', 'once', 'a'), hub.decide('apr_1', 'denied', 'b')]).toEqual([true, false]);
  await settled();
  expect(decided).toEqual([{ verdict: 'once', by: 'a' }]);
});
