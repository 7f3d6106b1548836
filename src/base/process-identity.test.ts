import { readFileSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { expect, test } from 'vitest';
import { isAlive, isGone, leaseHolder, processIdentity, runs } from './process-identity.ts';

/** Higher than any pid. */
const NO_PID = '99999999';

/** This process's name, with one part replaced. */
function renamed({ pid, host, boot, start }: Partial<Record<'pid' | 'host' | 'boot' | 'start', string>>): string {
  const own = /^(.*):(\d+)@([^#]*)#(\d*)$/u.exec(processIdentity()) ?? [];
  return `${host ?? own[1]}:${pid ?? own[2]}@${boot ?? own[3]}#${start ?? own[4]}`;
}

test('the name of this process is alive, also as a holder of leases, and each of those is another', () => {
  expect(renamed({})).toBe(processIdentity());
  expect(isAlive(processIdentity())).toBe(true);
  expect([isAlive(leaseHolder()), isGone(leaseHolder())]).toEqual([true, false]);
  expect(leaseHolder()).not.toBe(leaseHolder());
  expect(leaseHolder()).toContain(`${processIdentity()}/`);
});

test.each([
  ['of an earlier start of the machine', { boot: 'other' }],
  ['whose number another process has by now', { start: '1' }],
])('a process %s is not alive', (_what, other) => {
  expect(isAlive(renamed(other))).toBe(false);
  // The pid is this process's own, which is certainly running.
  expect(isGone(renamed(other))).toBe(false);
  expect(isGone(renamed({ ...other, pid: '1' }))).toBe(true);
});

test('a process that ended is gone', () => {
  const name = renamed({ pid: NO_PID });
  expect([isAlive(name), isGone(name)]).toEqual([false, true]);
});

test('where the system does not tell when a process began, its number decides', () => {
  expect(isAlive(renamed({ start: '' }))).toBe(true);
});

test('one on another host is never taken for gone', () => {
  expect(isGone(renamed({ pid: NO_PID, host: 'elsewhere' }))).toBe(false);
});

test.each([null, '', 'x', 'host:@boot#1', 'host:12'])('%j names no process: not alive, and not gone either', (name) => {
  expect(isAlive(name)).toBe(false);
  expect(isGone(name ?? '')).toBe(false);
});

test('a process of another user runs, one that ended does not', () => {
  expect([process.pid, 1, Number(NO_PID)].map(runs)).toEqual([true, true, false]);
});

test.runIf(process.platform === 'linux')('the name says the boot, and when the process began', () => {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const [, start] = /^[^:]+:\d+@[0-9a-f-]{36}#(\d+)$/u.exec(processIdentity()) ?? [];
  expect(processIdentity()).toContain(`${hostname()}:${process.pid}@${boot}#`);
  // Both count from boot.
  expect(Math.abs(Number(start) / 100 - (uptime() - process.uptime()))).toBeLessThan(60);
});
