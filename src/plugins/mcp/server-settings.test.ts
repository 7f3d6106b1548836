import { describe, expect, test } from 'vitest';
import { AssistantError } from '../../base/errors.ts';
import { documentOf, entriesOf, expandVariables, readServers, requireServerName } from './server-settings.ts';

const one = (entry: unknown, name = 'a') => readServers(JSON.stringify({ mcpServers: { [name]: entry } }));
const USUAL = { enabled: true, allow: undefined, deny: [], effects: {}, sampling: false };

describe('an entry', () => {
  test.each<[what: string, entry: object, settings: object]>([
    [
      'of a program says its command, and the rest is as usual',
      { command: 'npx' },
      { target: { kind: 'stdio', command: 'npx', args: [], env: {}, cwd: undefined } },
    ],
    [
      'of a program may say everything, in numbers too',
      { command: 'npx', args: ['x', 7], env: { PORT: 80 }, cwd: '/tmp', headers: { a: 'b' }, alwaysAllow: ['*'] },
      { target: { kind: 'stdio', command: 'npx', args: ['x', '7'], env: { PORT: '80' }, cwd: '/tmp' } },
    ],
    [
      'of a server elsewhere says its address',
      { url: 'https://a.test/mcp' },
      { target: { kind: 'http', url: 'https://a.test/mcp', headers: {}, oauth: {} } },
    ],
    [
      'of a server elsewhere may say everything',
      {
        ...{ type: 'http', url: 'http://a.test/mcp', headers: { k: 1 }, env: { A: 'b' } },
        oauth: { clientId: 'c', clientSecret: 's', scope: '', callbackPort: 65_535 },
      },
      {
        target: {
          ...{ kind: 'http', url: 'http://a.test/mcp', headers: { k: '1' } },
          oauth: { clientId: 'c', clientSecret: 's', scope: '', callbackPort: 65_535 },
        },
      },
    ],
    [
      'says what its owner lets it do',
      {
        ...{ command: 'c', disabled: true, allow: ['x'], deny: ['y'] },
        ...{ effects: { x: 'none', z: 'outbound' }, sampling: true },
      },
      {
        target: { kind: 'stdio', command: 'c', args: [], env: {}, cwd: undefined },
        ...{ enabled: false, allow: ['x'], deny: ['y'] },
        ...{ effects: { x: 'none', z: 'outbound' }, sampling: true },
      },
    ],
  ])('%s', (_what, entry, settings) => {
    expect(one(entry)).toEqual({ servers: [{ name: 'a', ...USUAL, ...settings }], bad: [] });
  });

  test.each<[what: string, entry: unknown, problem: string | RegExp]>([
    ['both', { command: 'c', url: 'https://a.test' }, 'it has both a command and a url; use one'],
    ['neither', { args: [] }, 'it has neither a command nor a url'],
    [
      'the older form',
      { type: 'sse', url: 'https://a.test' },
      'the older "sse" form is not spoken; give the "http" address of the server',
    ],
    ['another protocol', { url: 'ftp://a.test' }, 'url: "ftp://a.test" is no web address'],
    ['no address', { url: 'a.test' }, 'url: "a.test" is no web address'],
    ['a user', { url: 'https://ada@a.test' }, 'url: give the password as a header, not in the address'],
    ['a password', { url: 'https://:x@a.test' }, 'url: give the password as a header, not in the address'],
    ['no command', { command: '' }, /^command: ./u],
    ['a switch that is none', { command: 'c', disabled: 'yes' }, /^disabled: ./u],
    ['an effect that is none', { command: 'c', effects: { x: 'all' } }, /^effects\.x: ./u],
    ['no client', { url: 'https://a.test', oauth: { clientId: '' } }, /^oauth\.clientId: ./u],
    ['no client secret', { url: 'https://a.test', oauth: { clientSecret: '' } }, /^oauth\.clientSecret: ./u],
    ['no port', { url: 'https://a.test', oauth: { callbackPort: 0 } }, /^oauth\.callbackPort: ./u],
    ['no such port', { url: 'https://a.test', oauth: { callbackPort: 65_536 } }, /^oauth\.callbackPort: ./u],
    ['half a port', { url: 'https://a.test', oauth: { callbackPort: 80.5 } }, /^oauth\.callbackPort: ./u],
    ['no object', 7, /^the entry: ./u],
  ])('with %s is told with what is wrong', (_what, entry, problem) => {
    const { servers, bad } = one(entry);
    expect(servers).toEqual([]);
    const told = typeof problem === 'string' ? problem : expect.stringMatching(problem);
    expect(bad).toEqual([{ name: 'a', problem: told }]);
  });

  test('that is bad does not keep the others from being used', () => {
    const { servers, bad } = readServers('{"mcpServers": {"a": {"command": "c"}, "b": 7, "d": {"command": "e"}}}');
    expect(servers.map(({ name }) => name)).toEqual(['a', 'd']);
    expect(bad.map(({ name }) => name)).toEqual(['b']);
  });
});

describe('a name', () => {
  test.each(['a', '7', 'a-b_9', 'x'.repeat(32)])('%s is one', (name) => {
    expect(requireServerName(name)).toBe(name);
    expect(one({ command: 'c' }, name).bad).toEqual([]);
  });

  test.each(['', '-a', '_a', 'A', 'a.b', 'a b', 'ä', 'a\n', 'x'.repeat(33)])('%j is none', (name) => {
    expect(one({ command: 'c' }, name).bad).toEqual([
      { name, problem: 'its name must be small letters, digits, "-" and "_", at most 32' },
    ]);
    expect(refusal(() => requireServerName(name))).toEqual({
      ...{ code: 'bad_usage', message: `"${name}" is no name for a server.` },
      hint: 'Use up to 32 small letters, digits, "-" and "_", beginning with a letter or digit.',
    });
  });
});

function refusal(work: () => unknown) {
  try {
    work();
  } catch (error) {
    if (error instanceof AssistantError) return { code: error.code, message: error.message, hint: error.hint };
  }
  return undefined;
}

describe('the text of mcp.json', () => {
  test.each(['', ' \n', '{}', '{"others": 1}', '{"mcpServers": null}'])('%j has no servers', (text) => {
    expect(readServers(text)).toEqual({ servers: [], bad: [] });
    expect(entriesOf(text)).toEqual({});
  });

  test('may hold more than servers', () => {
    expect(documentOf('{"others": 1, "mcpServers": {"a": 7}}')).toEqual({ others: 1, mcpServers: { a: 7 } });
    expect(entriesOf('{"others": 1, "mcpServers": {"a": 7}}')).toEqual({ a: 7 });
    expect(documentOf(' ')).toEqual({});
  });

  test.each([
    ['[]', 'it is not a JSON object'],
    ['"text"', 'it is not a JSON object'],
    ['{"mcpServers": []}', '"mcpServers" is not an object'],
    ['{"mcpServers": 7}', '"mcpServers" is not an object'],
  ])('%s is refused', (text, why) => {
    expect(refusal(() => readServers(text))).toEqual({
      ...{ code: 'bad_setting', message: `mcp.json cannot be read: ${why}.` },
      hint: 'It must be {"mcpServers": {"NAME": {"command": …}}}; correct it or move it away.',
    });
  });

  test('that is no JSON is refused with where it ends being one', () => {
    const told = refusal(() => readServers('{"mcpServers": }'));
    expect(told?.message).toMatch(/^mcp\.json cannot be read: .*JSON.*\.$/u);
    expect(() => documentOf('{')).toThrow(expect.objectContaining({ cause: expect.any(SyntaxError) }));
  });
});

describe('variables', () => {
  const values = { HOME: '/home/ada', EMPTY: '', _A1: 'b' };

  test.each([
    ['nothing to say', 'nothing to say'],
    [`\${HOME}/x`, '/home/ada/x'],
    [`\${_A1}\${HOME}`, 'b/home/ada'],
    [`\${HOME:-other}`, '/home/ada'],
    [`\${NONE:-other}`, 'other'],
    [`\${EMPTY:-other}`, 'other'],
    [`\${NONE:-}`, ''],
    [`\${NONE:-a b-c}`, 'a b-c'],
    ['$HOME', '$HOME'],
    [`\${HO-ME}`, `\${HO-ME}`],
    [`\${}`, `\${}`],
  ])('%s is %j', (text, expanded) => {
    expect(expandVariables(text, values)).toBe(expanded);
  });

  test.each(['NONE', 'EMPTY'])('%s that is not set is named', (name) => {
    expect(() => expandVariables(`a \${${name}}`, values)).toThrow(new Error(`${name} is not set`));
  });
});
