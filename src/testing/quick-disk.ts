import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runs } from '../base/process-identity.ts';

/** Linux's file system in memory. */
const MEMORY = '/dev/shm';
const LEAST_BYTES = 4 * 2 ** 30;

/**
 * Vitest calls it once, before the first test of a run: homes of tests, and of the programs that they start, are kept in
 * memory. What a test wrote need not survive the machine, and waiting for the disk at every commit took most of the time
 * of tests that begin many homes. Power cuts are put together from the calls of a program, which are the same there.
 * With TMPDIR set, that folder is taken.
 *
 * @returns what vitest calls after the last test.
 */
export function setup(): (() => void) | undefined {
  if (process.env.TMPDIR !== undefined || !isRoomy()) return undefined;
  for (const name of leftBehind()) rmSync(join(MEMORY, name), { recursive: true, force: true });
  // Short: the paths of sockets have an end.
  const folder = mkdtempSync(join(MEMORY, `w-${process.pid}-`));
  // Servers that root starts give up being root, and keep their files in it.
  chmodSync(folder, 0o711);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  if (!runsPrograms(folder)) return void remove();
  process.env.TMPDIR = folder;
  return remove;
}

/** Of runs that were killed: nothing else gives their memory back. */
function leftBehind(): string[] {
  return readdirSync(MEMORY).filter((name) => {
    const pid = /^w-(\d+)-/u.exec(name)?.[1];
    return pid !== undefined && !runs(Number(pid));
  });
}

function isRoomy(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= LEAST_BYTES;
}

/** Containers often forbid it there, and tests write scripts. */
function runsPrograms(folder: string): boolean {
  const script = join(folder, 'runs');
  writeFileSync(script, '#!/bin/sh\n', { mode: 0o700 });
  return spawnSync(script).status === 0;
}
