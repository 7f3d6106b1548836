import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { type Log, silentLog } from '../../base/log.ts';
import { warningsTo } from './sdk-warnings.ts';

const shown: unknown[][] = [];
const terminal = (...given: unknown[]): void => {
  shown.push(given);
};
const inPlace = (): typeof terminal => Reflect.get(console, 'warn');
const warn = (...given: unknown[]) => inPlace()(...given);

/** A log that records its entries. */
function opened() {
  const logged: unknown[] = [];
  const log: Log = { ...silentLog, info: (message, fields) => void logged.push([message, fields]) };
  return { log, logged };
}

const real = inPlace();
afterAll(() => void Reflect.set(console, 'warn', real));
beforeEach(() => {
  shown.length = 0;
  Reflect.set(console, 'warn', (...given: unknown[]) => terminal(...given));
});

test('a warning of the SDK goes to the log of the work that it belongs to', async () => {
  const [one, other] = [opened(), opened()];
  const works = [one, other].map(({ log }, index) =>
    warningsTo(log, async () => {
      await turn();
      warn('[mcp-sdk] no stamp', 'in', index);
      return `work ${index}`;
    }),
  );
  expect(await Promise.all(works)).toEqual(['work 0', 'work 1']);
  expect(one.logged).toEqual([['mcp sdk', { text: '[mcp-sdk] no stamp in 0' }]]);
  expect(other.logged).toEqual([['mcp sdk', { text: '[mcp-sdk] no stamp in 1' }]]);
  expect(shown).toEqual([]);
});

test('other warnings, and those of no work, are shown as ever', () => {
  const { log, logged } = opened();
  warningsTo(log, () => {
    warn('the disk is full', { at: 7 });
    warn('of [mcp-sdk]');
    warn();
  });
  warn('[mcp-sdk] of another');
  expect(shown).toEqual([['the disk is full', { at: 7 }], ['of [mcp-sdk]'], [], ['[mcp-sdk] of another']]);
  expect(logged).toEqual([]);
});

test('it is in place once, and again where another has taken its place', () => {
  const { log, logged } = opened();
  warningsTo(log, () => {});
  const first = inPlace();
  warningsTo(log, () => {});
  expect(inPlace()).toBe(first);
  Reflect.set(console, 'warn', terminal);
  warningsTo(log, () => warn('[mcp-sdk] anew'));
  expect(inPlace()).not.toBe(first);
  expect(logged).toEqual([['mcp sdk', { text: '[mcp-sdk] anew' }]]);
});
