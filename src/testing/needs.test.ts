import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { lackingReport, lacks, PROGRAMS } from './needs.ts';

afterEach(() => vi.unstubAllEnvs());

test('what was lacking is named once, with one line that installs it', () => {
  const lines =
    'radicale: install it: apt-get install radicale\nbwrap: no namespaces\nradicale: install it: apt-get install radicale\n' +
    'dovecot: install it: apt-get install dovecot-imapd\n';
  expect(lackingReport(lines)).toBe(
    '\nTests were skipped that need bwrap, dovecot, radicale.\n' +
      '  bwrap is of no use here: no namespaces\n' +
      '  apt-get install dovecot-imapd radicale\n',
  );
  expect(lackingReport('')).toBe('');
});

test('where all are needed, a lack is a failure', () => {
  vi.stubEnv('WOOSTER_TESTS_LACKING', '');
  vi.stubEnv('WOOSTER_TESTS_NEED_ALL', '');
  expect(() => lacks('radicale')).not.toThrow();
  vi.stubEnv('WOOSTER_TESTS_NEED_ALL', '1');
  expect(() => lacks('radicale')).toThrow('apt-get install radicale');
  expect(() => lacks('chromium')).toThrow('apt-get install chromium');
});

test('.ci/run installs all that it lets no test do without', () => {
  const script = readFileSync(join(import.meta.dirname, '../../.ci/run'), 'utf8');
  const installed = new Map(
    [...script.matchAll(/^need (\S+) (\S+)$/gmu)].map(([, name = '', command = '']) => [command, name]),
  );
  for (const [command, name] of Object.entries(PROGRAMS)) expect(installed.get(command)).toBe(name);
  expect(script).toContain('export WOOSTER_TESTS_NEED_ALL=1');
});
