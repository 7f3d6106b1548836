import { expect, test } from 'vitest';
import { isKeychainEntry, readKeychain } from './keychain.ts';

/** A machine whose keychain gives this answer; requests are in `asked`. */
function machine(answer: string | Error, platform: NodeJS.Platform = 'linux') {
  const asked: unknown[] = [];
  const run = (program: string, args: readonly string[]) => {
    asked.push([program, ...args]);
    if (typeof answer === 'string') return answer;
    throw answer;
  };
  return { asked, platform, run };
}

const HINT =
  'Store it: `security add-generic-password -s wooster -a NAME -w` (macOS), ' +
  '`secret-tool store --label wooster service wooster account NAME` (Linux).';

test.each([
  ['keychain:search', true],
  ['keychain:', true],
  ['my keychain:search', false],
  ['search', false],
  [5, false],
  [undefined, false],
])('%j names an entry: %s', (value, expected) => {
  expect(isKeychainEntry(value)).toBe(expected);
});

test.each<[NodeJS.Platform, string[]]>([
  ['darwin', ['security', 'find-generic-password', '-w', '-s', 'wooster', '-a', 'search']],
  ['linux', ['secret-tool', 'lookup', 'service', 'wooster', 'account', 'search']],
])('on %s, the program of the system is asked for the entry', (platform, command) => {
  const here = machine('s3cret\n', platform);
  expect(readKeychain('keychain: search ', 'TAVILY_API_KEY', here)).toBe('s3cret');
  expect(here.asked).toEqual([command]);
});

test.each([
  ['s3cret', 's3cret'],
  ['s3cret\n', 's3cret'],
  ['s3cret\r\n', 's3cret'],
  ['two\nlines\n', 'two\nlines'],
  [' spaces \n', ' spaces '],
])('one line end after the value goes: %j', (printed, value) => {
  expect(readKeychain('keychain:search', 'TAVILY_API_KEY', machine(printed))).toBe(value);
});

const MISSING = Object.assign(new Error('spawn'), { code: 'ENOENT' });

test.each<[string, string | Error, NodeJS.Platform]>([
  ['secret-tool is not installed', MISSING, 'linux'],
  ['security is not installed', MISSING, 'darwin'],
  ['secret-tool found nothing', new Error('exit 1'), 'linux'],
  ['secret-tool found nothing', '', 'linux'],
  ['secret-tool found nothing', '\n', 'linux'],
  ['there is no keychain for win32', 's3cret', 'win32'],
])('no value: %s', (why, answer, platform) => {
  expect(() => readKeychain('keychain:search', 'TAVILY_API_KEY', machine(answer, platform))).toThrow(
    expect.objectContaining({
      code: 'bad_setting',
      message: `TAVILY_API_KEY names the keychain entry "search", but ${why}.`,
      hint: HINT,
    }),
  );
});
