import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Log, silentLog } from '../../base/log.ts';
import { Redactor } from '../../base/redact.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { toldWaits } from '../../testing/told-waits.ts';
import { type WebMcpAnswers, webMcp } from '../../testing/web-mcp.ts';
import { OutcomeUnknown } from '../../tools/tool.ts';
import { type CallOptions, McpServer, type ServerDeps } from './server.ts';

const { signal } = new AbortController();
const fine = [{ type: 'text', text: 'fine' }];

/** A remote server with these answers. */
function far(answers: WebMcpAnswers = {}, more: Partial<ServerDeps> = {}, capabilities?: object) {
  const { fetch, methods } = webMcp(answers, capabilities);
  const logged: unknown[] = [];
  const log: Log = { ...silentLog, warn: (...given) => void logged.push(given) };
  const homeDir = temporaryFolder();
  let changes = 0;
  const server = new McpServer(
    {
      name: 'far',
      target: { kind: 'http', url: 'https://far.test/mcp', headers: {}, oauth: {} },
      ...{ enabled: true, deny: [], effects: {}, sampling: true },
    },
    {
      ...{ log, redactor: new Redactor(), env: {}, homeDir, fetchFor: () => fetch },
      catalogPath: join(homeDir, 'far.json'),
      changed: () => {
        changes += 1;
      },
      ...more,
    },
  );
  onTestFinished(() => server.close());
  const call = (options: Partial<CallOptions> = {}) =>
    server.call('echo', { text: 'hello' }, { timeoutMs: 10_000, signal, ...options });
  return { server, methods, logged, call, changes: () => changes };
}

describe('a server', () => {
  test('is idle until it is needed, and closed at the end', async () => {
    const { server, methods, call } = far();
    expect([server.name, server.state, server.problem]).toEqual(['far', 'idle', undefined]);
    const linking = server.link();
    expect(server.state).toBe('starting');
    expect(await server.link()).toBe(await linking);
    expect(server.state).toBe('ready');
    expect(methods.filter((method) => method === 'initialize')).toHaveLength(1);
    await server.close();
    expect(server.state).toBe('idle');
    await expect(call()).rejects.toThrow(new Error('the MCP server far is closed'));
  });

  test('that is not reached is down, and says why', async () => {
    const { server, logged } = far({
      initialize: () => {
        throw new Error('nobody there');
      },
    });
    const problem = 'it did not connect: nobody there';
    await expect(server.link()).rejects.toThrow(new Error(`the MCP server far is down: ${problem}`));
    expect([server.state, server.problem, server.catalog.known]).toEqual(['down', problem, true]);
    expect(logged).toEqual([['mcp server is down', { server: 'far', problem, ends: 1 }]]);
  });
});

test('a server that keeps failing is tried four times, then it rests for a minute', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const waits = toldWaits((waitMs) => vi.setSystemTime(Date.now() + waitMs));
  let tries = 0;
  const { server, logged } = far({
    initialize: () => {
      tries += 1;
      throw new Error('nobody there');
    },
  });
  const down = async () => expect(server.link()).rejects.toThrow('nobody there');
  for (let at = 0; at < 6; at++) await down();
  expect([waits, tries, logged.length]).toEqual([[250, 1000, 4000], 4, 4]);
  vi.setSystemTime(Date.now() + 59_999);
  await down();
  expect(tries).toBe(4);
  vi.setSystemTime(Date.now() + 1);
  await down();
  expect([waits.length, tries]).toEqual([3, 5]);
  await down();
  expect(waits).toEqual([250, 1000, 4000, 250]);
});

describe('a connection that ends', () => {
  const end = async (server: McpServer) => (await server.link()).client.close();

  test('leaves its server down until somebody needs it', async () => {
    const { server, logged, call, methods } = far();
    await end(server);
    expect([server.state, server.problem]).toEqual(['down', 'the connection was closed']);
    expect(logged).toMatchObject([['mcp server is down', { problem: 'the connection was closed', ends: 1 }]]);
    toldWaits();
    expect(await call()).toMatchObject({ content: fine });
    expect([server.state, methods.filter((method) => method === 'initialize').length]).toEqual(['ready', 2]);
  });

  test('is made anew by itself where its server is kept up', async () => {
    toldWaits();
    const { server, methods } = far();
    server.keepUp();
    server.keepUp();
    await server.refresh();
    await end(server);
    await server.refresh();
    expect([server.state, methods.filter((method) => method === 'initialize').length]).toEqual(['ready', 2]);
    expect(methods.filter((method) => method === 'tools/list')).toHaveLength(2);
  });

  test('after a minute counts as the first one', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const waits = toldWaits();
    const { server, logged } = far();
    for (const ranMs of [0, 60_000, 60_001]) {
      await server.link();
      vi.setSystemTime(Date.now() + ranMs);
      await end(server);
    }
    expect(logged.map((each) => (each as [string, { ends: number }])[1].ends)).toEqual([1, 2, 1]);
    expect(waits).toEqual([250, 1000]);
  });

  test('during a call tells that it may have acted', async () => {
    const { server, call } = far({
      'tools/call': async () => {
        void end(server);
        return new Promise(() => {});
      },
    });
    const why = 'the MCP server far ended during the call (the connection was closed)';
    await expect(call()).rejects.toThrow(new OutcomeUnknown(`${why}; whether the call has acted is unknown`));
  });

  test('because it was closed is nobody’s failure', async () => {
    const { server, logged } = far();
    await server.link();
    await server.close();
    expect([server.state, logged]).toEqual(['idle', []]);
  });
});

describe('its list', () => {
  test('is known once it was asked for, and whether it is news is told', async () => {
    const { server, methods, changes } = far();
    await Promise.all([server.refresh(), server.refresh()]);
    expect(server.catalog.tools.map(({ name }) => name)).toEqual(['echo']);
    expect(methods.filter((method) => method.endsWith('/list'))).toEqual(['tools/list', 'prompts/list']);
    await server.refresh();
    expect([changes(), methods.filter((method) => method === 'tools/list').length]).toEqual([1, 2]);
  });

  test('is empty where it has no tools', async () => {
    const { server, methods } = far({}, {}, {});
    await server.refresh();
    expect([server.catalog.known, server.catalog.tools]).toEqual([true, []]);
    expect(methods).not.toContain('tools/list');
  });

  test('that cannot be read is told with the reason', async () => {
    const { server } = far({ 'tools/list': () => ({ tools: 7 }) });
    const why = 'the MCP server far did not list its tools: its answer to tools/list has no list of tools';
    await expect(server.refresh()).rejects.toThrow(new Error(why));
    expect(server.catalog.known).toBe(true);
  });
});

describe('a call', () => {
  test('brings back what the server gives', async () => {
    const given: unknown[] = [];
    const { call } = far({ 'tools/call': (params) => ({ content: fine, structuredContent: given.push(params) }) });
    expect(await call()).toMatchObject({ content: fine, structuredContent: 1, isError: false });
    expect(given).toMatchObject([{ name: 'echo', arguments: { text: 'hello' } }]);
  });

  test('that the server refuses has not acted', async () => {
    const status = (code: number) => ({ 'tools/call': () => new Response('no', { status: code }) });
    const refused = await far(status(400))
      .call()
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Error);
    expect(refused).not.toBeInstanceOf(OutcomeUnknown);
    const failed = await far(status(500))
      .call()
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(OutcomeUnknown);
    expect((failed as Error).message).toMatch(
      /^the MCP server far gave no clear answer \(.+\); whether the call has acted is unknown$/u,
    );
  });

  test('of which nothing is heard is given up, and may have acted', async () => {
    const { server, call } = far({
      'tools/call': () => {
        vi.advanceTimersByTime(10_000);
        return new Promise(() => {});
      },
    });
    await server.link();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const why = 'the MCP server far did not answer in time; whether the call has acted is unknown';
    await expect(call()).rejects.toThrow(new OutcomeUnknown(why));
  });

  test('that its person stops ends with their reason, before it was made and while it runs', async () => {
    const { call, methods } = far();
    await expect(call({ signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow(new Error('stopped'));
    expect(methods).not.toContain('tools/call');
    const stop = new AbortController();
    const { call: long } = far({
      'tools/call': () => {
        stop.abort(new Error('stopped'));
        return new Promise(() => {});
      },
    });
    await expect(long({ signal: stop.signal })).rejects.toThrow(new Error('stopped'));
  });

  test.each<[step: object, told: string]>([
    [{ progress: 1, total: 3 }, '33 %'],
    [{ progress: 2, total: 3, message: 'half  \n done' }, '67 %, half done'],
    [{ progress: 3 }, 'step 3'],
    [{ progress: 3, total: 0 }, 'step 3'],
    [{ progress: 3, total: -1, message: 'x'.repeat(81) }, `step 3, ${'x'.repeat(79)}…`],
  ])('tells how far it is: %j is %s', async (step, told) => {
    const { call } = far({
      'tools/call': ({ _meta }, id) => {
        const { progressToken } = _meta as { progressToken: unknown };
        const messages = [
          { method: 'notifications/progress', params: { progressToken, ...step } },
          { id, result: { content: fine } },
        ];
        const lines = messages.map((message) => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
        return new Response(lines.join(''), { headers: { 'content-type': 'text/event-stream' } });
      },
    });
    const steps: string[] = [];
    expect(await call({ progress: (text) => void steps.push(text) })).toMatchObject({ content: fine });
    expect(steps).toEqual([told]);
  });
});
