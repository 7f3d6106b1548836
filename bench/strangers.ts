/**
 * How long the owner waits while somebody else writes 10,000 messages at once, on each channel that hears words: `npm run bench -- strangers [MESSAGES [SERVICE]]`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareHome, startProgram } from '../src/testing/chat-kills.ts';
import { KILLED_SERVICES, type KilledService } from '../src/testing/killed-services.ts';
import type { Figure } from './harness/figure.ts';
import { report } from './harness/report.ts';

const messages = Number(process.argv[2] ?? 10_000);

/** Milliseconds until the owner is answered: alone, and behind the messages of a stranger. */
async function waited(service: KilledService, strange: () => void): Promise<readonly [number, number]> {
  const path = mkdtempSync(join(tmpdir(), 'wooster-bench-'));
  await using home = await prepareHome(path, service);
  const program = startProgram(home, service, 0);
  const answered = async (number: number) => {
    await service.begin(number, home);
    const began = performance.now();
    while (!service.texts().some((text) => new RegExp(`kept ${number}\\b`, 'u').test(text))) await sleep(5);
    return performance.now() - began;
  };
  try {
    while (service.isHeard?.() === false) await sleep(50);
    await answered(1);
    const alone = await answered(2);
    for (let at = 0; at < messages; at += 1) strange();
    return [alone, await answered(3)];
  } finally {
    program.kill('SIGKILL');
    await service.close();
    rmSync(path, { recursive: true, force: true });
  }
}

const figures: Figure[] = [];
for (const [name, open] of Object.entries(KILLED_SERVICES)) {
  if ((process.argv[3] ?? name) !== name) continue;
  const service = await open();
  const { channel, strange } = service;
  if (!strange) {
    await service.close();
    continue;
  }
  const [alone, beside] = await waited(service, strange);
  figures.push(
    { what: `${channel}: the owner alone`, unit: 'ms', samples: [alone] },
    { what: `${channel}: the owner behind ${messages} messages`, unit: 'ms', samples: [beside], must: 2000 },
  );
}
report(figures);
