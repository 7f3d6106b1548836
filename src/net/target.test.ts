import { describe, expect, test } from 'vitest';
import { tablesOf } from '../testing/rows.ts';
import { judgeTarget, type ReachRules } from './target.ts';

const rows = tablesOf(import.meta.dirname, 'target');

const NOTHING: ReachRules = { configured: [], allowPrivate: [] };
const hosts = (...entries: string[]): ReachRules => ({ ...NOTHING, reach: { hosts: entries, named: [] } });
const named = (...entries: string[]): ReachRules => ({ ...NOTHING, reach: { hosts: [], named: entries } });
const message = (address: string, rules: ReachRules): string => {
  try {
    judgeTarget(address, rules);
    return 'reached';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('a plugin reaches what its manifest names', () => {
  test.each(rows<[string, string, boolean]>('a plugin reaches what its manifest names'))(
    '%s: %s %s',
    (entry, url, reached) => {
      expect(message(url, hosts('other.test', entry)) === 'reached').toBe(reached);
    },
  );

  test('at public addresses only, and what its owner names on any port and although private', () => {
    expect(message('http://10.0.0.7/', hosts('10.0.0.7'))).toMatch(/private or special/u);
    expect(judgeTarget('https://example.org/', hosts('example.org')).open).toBe(false);
    expect(judgeTarget('http://10.0.0.7:8123/', named('10.0.0.7')).open).toBe(true);
    expect(message('http://10.0.0.7:8123/', named('10.0.0.7:80'))).toMatch(/not among the hosts/u);
  });

  test('and is told which those are', () => {
    const rules = { ...NOTHING, reach: { hosts: ['a.test'], named: ['b.test:99'] } };
    expect(message('https://c.test/', rules)).toBe(
      'c.test:443 is not among the hosts of this plugin (a.test, b.test:99).',
    );
    expect(message('http://c.test/', hosts())).toBe('c.test:80 is not among the hosts of this plugin (none).');
  });
});

test.each(rows<[string, string]>('target'))('%s: %s', (address, said) => {
  expect(message(address, NOTHING)).toBe(said);
});

test('what the person opened is one host and port, what is configured one origin', () => {
  const opened = { ...NOTHING, allowPrivate: ['10.0.0.7:8080', '10.0.0.8'] };
  expect(message('http://10.0.0.7:8080/', opened)).toBe('reached');
  expect(message('https://10.0.0.7/', opened)).not.toBe('reached');
  expect(message('http://10.0.0.8/', opened)).toBe('reached');
  expect(message('http://10.0.0.8:81/', opened)).not.toBe('reached');
  const configured = { ...NOTHING, configured: ['broken', 'http://10.0.0.9:11434/v1'] };
  expect(judgeTarget('http://10.0.0.9:11434/api', configured).open).toBe(true);
  expect(message('https://10.0.0.9:11434/api', configured)).not.toBe('reached');
});

test('a tool with a list of hosts reaches no other', () => {
  const rules = { ...NOTHING, onlyHosts: ['a.test', '*.b.test'] };
  expect(message('https://x.b.test/', rules)).toBe('reached');
  expect(message('https://c.test/', rules)).toBe('c.test is not on the list of hosts for this tool.');
});

test('an address whose host is only a dot names none', () => {
  expect(message('http://./', NOTHING)).toBe('The address names no host.');
});

test('the owner’s list is looked at before the author’s, and each for its ports', () => {
  const both = { ...NOTHING, reach: { hosts: ['example.org:8443'], named: ['*.example.org'] } };
  expect(judgeTarget('https://a.example.org:1/', both).open).toBe(true);
  expect(judgeTarget('https://example.org:8443/', { ...both, reach: { ...both.reach, named: [] } }).open).toBe(false);
  expect(message('http://example.org:80/', hosts('example.org'))).toBe('reached');
});
