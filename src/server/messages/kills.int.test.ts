import { expect, test } from 'vitest';
import { chatKills, signalService } from '../../testing/chat-kills.ts';
import { temporaryFolder } from '../../testing/home.ts';

test('a program that is killed while it answers loses no message and does nothing twice', async ({ signal }) => {
  const found = await chatKills(temporaryFolder(), 20, signal);
  expect(found).toMatchObject({ lost: [], doubledEffects: [], unmarked: [] });
  expect(found.atWrite).toBeGreaterThan(10);
}, 600_000);

test('nor does one on Signal, where the daemon gives again what came meanwhile', async ({ signal }) => {
  const found = await chatKills(temporaryFolder(), 20, signal, signalService);
  expect(found).toMatchObject({ lost: [], doubledEffects: [], unmarked: [] });
  expect(found.atWrite).toBeGreaterThan(10);
}, 600_000);
