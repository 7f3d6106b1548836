import { expect, test } from 'vitest';
import { crashText, secretVariables } from './secret-variables.ts';

test('the last words hold no value of a secret variable', () => {
  const env = { ACME_API_KEY: 'not-by-shape-9', PATH: '/usr/bin', EMPTY_TOKEN: '' };
  expect(crashText('request with not-by-shape-9 failed in /usr/bin', env)).toBe(
    'request with [secret] failed in /usr/bin',
  );
});

test.each([
  ...['DB_PASS', 'PASSPHRASE', 'KEY_PASSPHRASE', 'MYSQL_PWD', 'CLOUD_CREDENTIALS', 'pg_password', 'PASS', 'PGPASS'],
  ...['BEARER', 'SESSION_COOKIE', 'ACCESS_CODE', 'PRIVATE_PIN', 'SLACK_HOOK', 'TEAMS_WEBHOOK_URL', 'APP_JWT', 'APIKEY'],
])('%s names a secret', (name) => {
  expect(secretVariables({ [name]: 'not-by-shape-9' })).toEqual(['not-by-shape-9']);
});

test.each(['PWD', 'OLDPWD', 'COMPASS', 'BYPASS', 'KEYBOARD', 'PASSED', 'ZIPCODE', 'SPIN', 'PROMPT'])(
  '%s does not',
  (name) => {
    expect(secretVariables({ [name]: '/home/ada/work' })).toEqual([]);
  },
);
