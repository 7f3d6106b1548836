import { expect, test } from 'vitest';
import { crashText } from './secret-variables.ts';

test('the last words hold no value of a secret variable', () => {
  const env = { ACME_API_KEY: 'not-by-shape-9', PATH: '/usr/bin', EMPTY_TOKEN: '' };
  expect(crashText('request with not-by-shape-9 failed in /usr/bin', env)).toBe(
    'request with [secret] failed in /usr/bin',
  );
});
