import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../base/log.ts';
import { Redactor } from '../../base/redact.ts';
import { testTurn } from '../../testing/agent.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { type WebMcpAnswers, webMcp } from '../../testing/web-mcp.ts';
import { type McpDeps, McpHub } from './hub.ts';

const FAR = { url: 'https://far.test/mcp' };
const listing = (...names: string[]): WebMcpAnswers => ({
  'tools/list': () => ({ tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) }),
});

/** A home with these entries; all remote servers give the same answers. */
async function open(mcpServers: unknown, answers: WebMcpAnswers = {}, more: Partial<McpDeps> = {}) {
  const homeDir = temporaryFolder();
  const { fetch, methods } = webMcp(answers);
  const told: string[] = [];
  const hub = new McpHub({
    ...{ homeDir, env: {}, log: silentLog, redactor: new Redactor() },
    ...{ artifacts: { keep: async () => 'art_1' }, fetchFor: () => fetch, tell: (text) => told.push(text) },
    ...more,
  });
  onTestFinished(() => hub.close());
  const write = (servers: unknown) => writeFileSync(hub.file.path, JSON.stringify({ mcpServers: servers }));
  if (mcpServers !== undefined) write(mcpServers);
  await hub.load();
  return { hub, homeDir, methods, told, write, names: () => hub.tools().map(({ name }) => name) };
}

const row = (name: string, more: object) => ({ name, detail: '', tools: 0, changed: [], ...more });

describe('the servers of a home', () => {
  test('are none without a file', async () => {
    const { hub } = await open(undefined);
    expect([hub.status(), hub.tools(), await hub.ask(10_000)]).toEqual([[], [], []]);
  });

  test('are shown with what each of them is', async () => {
    const { hub } = await open({ far: FAR, off: { ...FAR, disabled: true }, bad: {} });
    expect(await hub.ask(10_000)).toEqual([]);
    expect(hub.status()).toEqual([
      row('far', { state: 'ready', tools: 1 }),
      row('off', { state: 'off' }),
      row('bad', { state: 'bad', detail: 'it has neither a command nor a url' }),
    ]);
    expect([hub.server('far')?.name, hub.server('off')]).toEqual(['far', undefined]);
  });

  test('are named with why they did not answer', async () => {
    const { hub } = await open({ far: FAR }, { initialize: () => Promise.reject(new Error('nobody there')) });
    const detail = 'it did not connect: nobody there';
    expect(await hub.ask(10_000)).toEqual([{ name: 'far', problem: `the MCP server far is down: ${detail}` }]);
    expect(hub.status()).toEqual([row('far', { state: 'down', detail })]);
  });

  test('are not followed where somebody else may have written the file', async () => {
    const { hub } = await open({ far: FAR }, {}, { whyNot: async () => 'it is not yours' });
    const { path } = hub.file;
    const detail = `it is not followed, because it is not yours; wooster trust ${path}`;
    expect(hub.status()).toEqual([row('mcp.json', { state: 'bad', detail })]);
  });

  test('that are programs are off where many people share a machine', async () => {
    const { hub } = await open({ far: FAR, here: { command: 'none' } }, {}, { remoteOnly: true });
    expect(hub.status().map(({ name, state }) => [name, state])).toEqual([
      ['far', 'idle'],
      ['here', 'off'],
    ]);
  });

  test('go on when the file is read anew, unless their entry is another', async () => {
    const { hub, write } = await open({ far: FAR, other: FAR, gone: FAR });
    const [far, other, gone] = ['far', 'other', 'gone'].map((name) => hub.server(name));
    await hub.ask(10_000);
    write({ far: FAR, other: { ...FAR, deny: ['echo'] } });
    await hub.load();
    expect(hub.server('far')).toBe(far);
    expect(hub.server('other')).not.toBe(other);
    expect([far?.state, other?.state, gone?.state, hub.server('gone')]).toEqual(['ready', 'idle', 'idle', undefined]);
    await expect(gone?.link()).rejects.toThrow('is closed');
  });

  test('have names that tools can begin with', async () => {
    const { hub } = await open({});
    hub.requireName('far');
    expect(() => hub.requireName('Far')).toThrow('"Far" is no name for a server.');
  });
});

describe('their tools', () => {
  test.each<[entry: object, names: readonly string[]]>([
    [{}, ['far.echo', 'far.get_sum', 'far.mail']],
    [{ allow: ['echo', 'far.get_sum'] }, ['far.echo', 'far.get_sum']],
    [{ deny: ['Get Sum', 'far.mail'] }, ['far.echo']],
    [{ allow: ['echo', 'mail'], deny: ['mail'] }, ['far.echo']],
    [{ allow: [] }, []],
  ])('are those that %j lets in', async (entry, wanted) => {
    const { hub, names } = await open({ far: { ...FAR, ...entry } }, listing('echo', 'Get Sum', 'mail'));
    await hub.ask(10_000);
    expect(names()).toEqual(wanted);
  });

  test('are known after a restart without asking, until they are forgotten', async () => {
    const { hub, homeDir } = await open({ far: FAR });
    await hub.ask(10_000);
    const login = join(homeDir, 'state', 'mcp', 'far.login.json');
    writeFileSync(login, '{}');
    expect(existsSync(join(homeDir, 'state', 'mcp', 'far.json'))).toBe(true);
    const again = await open({ far: FAR }, {}, { homeDir });
    expect([again.names(), again.methods]).toEqual([['far.echo'], []]);
    again.hub.forget('far');
    expect([existsSync(join(homeDir, 'state', 'mcp', 'far.json')), existsSync(login)]).toEqual([false, false]);
  });
});

test('a tool that has changed is off and named, until its owner wants it', async () => {
  let description = 'As ever.';
  const tools = () => ({ tools: [{ name: 'echo', description, inputSchema: { type: 'object' } }] });
  const { hub, names } = await open({ far: FAR }, { 'tools/list': tools });
  await hub.ask(10_000);
  description = 'Reads your mail.';
  await hub.ask(10_000);
  expect([names(), hub.status()]).toEqual([[], [row('far', { state: 'ready', changed: ['echo'] })]]);
  await hub.pin('far');
  await hub.pin('none');
  expect(hub.tools().map((tool) => tool.description)).toEqual(['Reads your mail.']);
  expect(hub.status()).toEqual([row('far', { state: 'ready', tools: 1 })]);
});

test('servers are started in the background, those of a later file as well', async () => {
  const { hub, methods, write } = await open({ far: FAR });
  expect(methods).toEqual([]);
  hub.start();
  await hub.ask(10_000);
  expect(methods.filter((method) => method === 'tools/list')).toHaveLength(1);
  write({ far: FAR, other: FAR });
  await hub.load();
  expect(hub.status().map(({ name, state }) => [name, state])).toEqual([
    ['far', 'ready'],
    ['other', 'starting'],
  ]);
});

describe('a turn', () => {
  test('waits for a server that was never asked, and is told what it goes without, once', async () => {
    const answers = { initialize: () => Promise.reject(new Error('nobody there')) };
    const { hub, told } = await open({ far: FAR }, answers);
    expect(await hub.prepare(testTurn('hello'))).toEqual({ context: [] });
    await hub.prepare(testTurn('hello'));
    const why = 'the MCP server far is down: it did not connect: nobody there';
    expect(told).toEqual([
      `This request goes without the tools of an MCP server (far: ${why}); see wooster mcp test far.`,
    ]);
  });

  test('has the tools of a server that answers, which is not asked again', async () => {
    const { hub, told, methods, names } = await open({ far: FAR });
    await hub.prepare(testTurn('hello'));
    const asked = methods.length;
    await hub.prepare(testTurn('hello'));
    expect([names(), told, methods.length]).toEqual([['far.echo'], [], asked]);
  });
});

describe('a login', () => {
  test.each([
    ['here', { here: { command: 'none' } }, 'The MCP server here has no login.'],
    ['none', {}, 'There is no MCP server none.'],
  ])('is for servers elsewhere: not for %s', async (name, servers, message) => {
    const { hub } = await open(servers);
    await expect(hub.logOut(name)).rejects.toMatchObject({ code: 'bad_usage', message });
    await expect(hub.logIn(name, () => undefined, new AbortController().signal)).rejects.toThrow(message);
  });

  test('that is forgotten starts its server anew, and whether there was one is told', async () => {
    const { hub, homeDir } = await open({ far: FAR });
    const before = hub.server('far');
    mkdirSync(join(homeDir, 'state', 'mcp'), { recursive: true });
    writeFileSync(join(homeDir, 'state', 'mcp', 'far.login.json'), '{}');
    expect([await hub.logOut('far'), await hub.logOut('far')]).toEqual([true, false]);
    expect(hub.server('far')).not.toBe(before);
  });
});
