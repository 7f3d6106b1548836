import { expect, test } from 'vitest';
import { chatKills } from '../../testing/chat-kills.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { KILLED_SERVICES } from '../../testing/killed-services.ts';
import { needs } from '../../testing/needs.ts';

const { email, ...others } = KILLED_SERVICES;
const services = Object.entries({ ...others, ...(email && needs('dovecot', 'openssl') && { email }) });

const TIMEOUT_MS = 600_000;

test.each(services)(
  'a program killed while it deals with %s loses nothing and does nothing twice',
  async (_name, open) => {
    const found = await chatKills(temporaryFolder(), 20, { patienceMs: TIMEOUT_MS / 4 }, open);
    expect(found).toMatchObject({ lost: [], doubledEffects: [], unmarked: [] });
    expect(found.atWrite).toBeGreaterThan(10);
  },
  TIMEOUT_MS,
);
