import { expect, test } from 'vitest';
import { wireReply } from './wire-reply.ts';

const MOST = 8_000_000;

test.each([
  ['a value', { ok: true, value: { a: [1, 'x'] } }, { ok: true, json: '{"a":[1,"x"]}' }],
  ['no value', { ok: true, value: undefined }, { ok: true, json: 'null' }],
  ['nothing', { ok: true, value: null }, { ok: true, json: 'null' }],
  ['zero', { ok: true, value: 0 }, { ok: true, json: '0' }],
  ['what JSON leaves out', { ok: true, value: () => 1 }, { ok: true, json: 'null' }],
  ['an error', { ok: false, error: 'no "good"' }, { ok: false, json: '"no \\"good\\""' }],
  ['the longest value', { ok: true, value: 'x'.repeat(MOST - 2) }, { ok: true, json: `"${'x'.repeat(MOST - 2)}"` }],
  [
    'a value that is too long',
    { ok: true, value: 'x'.repeat(MOST - 1) },
    { ok: false, json: '"the result has 8000001 characters, 8000000 is the limit"' },
  ],
  [
    'a value that JSON cannot hold',
    { ok: true, value: 1n },
    { ok: false, json: '"the result cannot be written as JSON: Do not know how to serialize a BigInt"' },
  ],
] as const)('%s is sent', (_what, reply, wire) => {
  expect(wireReply(reply)).toEqual(wire);
});
