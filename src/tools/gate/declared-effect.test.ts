import { expect, test } from 'vitest';
import { PLAIN_TOOL } from '../../testing/tools.ts';
import { defineTool } from '../tool.ts';
import { OncePerReply } from './once-per-reply.ts';
import { classOf, type DeclaredEffect } from './policy.ts';
import { readWhy, writeWhy } from './why.ts';

const local = { effect: 'local', change: undefined, versioned: false, control: false, recipient: undefined } as const;
const to = (more: object) => ({ channel: 'mail', address: 'x', own: false, ...more });

test.each<[Partial<DeclaredEffect>, string]>([
  [{ effect: 'none', control: true, change: 'purge' }, 'none'],
  [{ effect: 'outbound', recipient: to({ own: true }) }, 'owner'],
  [{ effect: 'outbound', recipient: to({ service: true }) }, 'service'],
  [{ effect: 'outbound', recipient: to({}) }, 'others'],
  [{ effect: 'outbound' }, 'others'],
  [{ control: true, change: 'append' }, 'control'],
  [{ change: 'settings', versioned: true }, 'control'],
  [{ change: 'purge', versioned: true }, 'irrecoverable'],
  [{ change: 'schedule' }, 'later'],
  [{ change: 'append' }, 'recoverable'],
  [{ change: 'overwrite', versioned: true }, 'recoverable'],
  [{ change: 'overwrite' }, 'unkept'],
  [{}, 'unkept'],
])('a call that declares %o is %s', (declared, found) => expect(classOf({ ...local, ...declared })).toBe(found));

test('why a call was decided upon as it was reads back, with the answer of the policy', () => {
  const question = { can: 'others', ruled: false, untrusted: true, private: false, destination: 'none' } as const;
  const why = { question, sources: ['fetch_text https://a.example'] };
  expect(readWhy(writeWhy(why))).toEqual({
    ...why,
    answer: { verdict: 'approve', reason: 'it reaches somebody other than the owner' },
  });
  expect(readWhy(null)).toBeUndefined();
});

test('equal effects of one reply run once; those that failed, and those of the next reply, again', async () => {
  const tool = (name: string) => defineTool({ ...PLAIN_TOOL, name, execute: () => null });
  const [note, send] = [tool('note'), tool('send')];
  const once = new OncePerReply();
  let runs = 0;
  const act = async () => ({ ok: ++runs !== 2, run: runs });
  const both = await Promise.all([once.run(note, { a: 1, b: 2 }, act), once.run(note, { b: 2, a: 1 }, act)]);
  expect(both).toEqual([
    { ok: true, run: 1 },
    { ok: true, run: 1, cached: true },
  ]);
  expect(await once.run(send, { a: 1, b: 2 }, act)).toEqual({ ok: false, run: 2 });
  expect(await once.run(send, { a: 1, b: 2 }, act)).toEqual({ ok: true, run: 3 });
  expect(await once.run(note, { a: 1 }, act)).toEqual({ ok: true, run: 4 });
  once.next();
  expect(await once.run(note, { a: 1 }, act)).toEqual({ ok: true, run: 5 });
});
