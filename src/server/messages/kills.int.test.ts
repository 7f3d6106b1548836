import { expect, test } from 'vitest';
import { chatKills } from '../../testing/chat-kills.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { KILLED_SERVICES } from '../../testing/killed-services.ts';
import { needs } from '../../testing/needs.ts';

const { email, ...others } = KILLED_SERVICES;
const services = Object.entries({ ...others, ...(email && needs('dovecot', 'openssl') && { email }) });

test.each(services)(
  'a program killed while it deals with %s loses nothing and does nothing twice',
  {
    timeout: 600_000,
  },
  async (_name, open) => {
    // What is not answered until then never is, and fails the test by its name.
    const found = await chatKills(temporaryFolder(), 20, AbortSignal.timeout(540_000), open);
    expect(found).toMatchObject({ lost: [], doubledEffects: [], unmarked: [] });
    expect(found.atWrite).toBeGreaterThan(10);
  },
);
