import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Log, silentLog } from '../base/log.ts';
import { Redactor } from '../base/redact.ts';
import type { TurnEvent } from '../base/turn.ts';
import type { Gateway } from '../net/types.ts';
import { createNotifier } from '../notify/notifier.ts';
import type { ShownNotice } from '../notify/types.ts';
import { createLog } from '../store/log.ts';
import type { Store } from '../store/store.ts';
import { testAgent, testContext, testTurn } from '../testing/agent.ts';
import { codeAgent, testSandbox } from '../testing/code-agent.ts';
import { type FakeSecret, fakeSecrets, SECRET_KINDS } from '../testing/fake-secrets.ts';
import { temporaryFolder } from '../testing/home.ts';
import { NO_CHANNELS } from '../testing/no-channels.ts';
import { sqlAll, tableNames } from '../testing/sql.ts';
import { openTestStore } from '../testing/stores.ts';
import { createNoteTools } from '../tools/builtin/notes.ts';
import { createNotifyTools } from '../tools/builtin/notify.ts';
import { ApprovalRules } from '../tools/gate/approvals.ts';
import { Toolbox } from '../tools/gate/toolbox.ts';
import { defineTool, type Tool } from '../tools/tool.ts';

const SINKS = [
  'prompt',
  'log',
  'database',
  'crash',
  'notice',
  'index',
  'tool arguments',
  'child environment',
  'error text',
] as const;
type Sink = (typeof SINKS)[number];

/** Forty kinds: of each, one token that the settings hold. */
const CANARIES = fakeSecrets(1, 42)
  .filter((_, index) => index % Math.floor(SECRET_KINDS.length / 40) === 0)
  .slice(0, 40);

const sandbox = testSandbox();
afterAll(() => sandbox.close());
afterAll(() => {
  for (const [index] of CANARIES.entries()) delete process.env[`CANARY_${index}`];
});

/** What reached each sink when everything that could repeat the secret does. */
async function spill({ value }: FakeSecret): Promise<Readonly<Record<Sink, string>>> {
  const dir = temporaryFolder();
  const redactor = new Redactor([value]);
  const log = createLog({ timeZone: 'UTC', dir, level: 'debug', verbose: false }, redactor);
  const store = await openTestStore();
  const [args, printed, noted]: string[][] = [[], [], []];
  const notifier = createNotifier({
    options: NO_CHANNELS,
    store,
    gateway: {} as Gateway,
    log,
    now: () => new Date(),
    timeZone: 'UTC',
    redactor,
  });
  const show = (notices: readonly ShownNotice[]) => void printed?.push(...notices.map(({ text }) => text));
  await notifier.notices.openFace({ kind: 'prompt', runsJobs: true, show });

  const journal = {
    append: async (_: string, text: string) => String(noted?.push(text)),
    thing: () => 'journal',
    entries: async () => [],
  };
  const tools = [...createNotifyTools(notifier), ...createNoteTools(journal), ...leaky(value, args ?? [], log)];
  const toolbox = new Toolbox({
    tools,
    rules: new ApprovalRules(store, () => new Date()),
    redactor,
    log,
    maxResultChars: 10_000,
  });
  const call = (name: string) => ({ toolCalls: [{ name, args: { text: `it is ${value}` } }] });
  const agent = await testAgent(
    [
      call('echo'),
      call('broken'),
      call('notify'),
      call('write_note'),
      `The key is ${value}.`,
      { error: new Error(`401: bad key ${value}`) },
    ],
    {
      store,
      deps: { toolbox, redactor, log, plugins: { prepare: async () => ({ context: [`key ${value}`], tools: [] }) } },
    },
  );
  const context = testContext();
  await agent.runTurn(testTurn(`my key is ${value}, keep it`, { id: 'turn_1' }), context);
  await agent.runTurn(testTurn('again', { id: 'turn_2' }), context);
  await notifier.close();
  const errors = context.events.filter((event: TurnEvent) => event.type === 'error');
  return {
    prompt: JSON.stringify(agent.model.requests.map(({ messages }) => messages)),
    log: readdirSync(dir)
      .map((file) => readFileSync(join(dir, file), 'utf8'))
      .join(''),
    database: await dump(store),
    crash: JSON.stringify(context.events),
    notice: (printed ?? []).join('\n'),
    index: (noted ?? []).join('\n'),
    'tool arguments': (args ?? []).join('\n'),
    'child environment': await childEnvironments(value),
    'error text': JSON.stringify(errors),
  };
}

/** A tool that repeats what it is given together with the secret, and one that fails with it. */
function leaky(value: string, args: string[], log: Log): Tool[] {
  const base = {
    description: '',
    input: z.object({ text: z.string() }),
    policy: { effect: 'none' },
    provenance: { readsFrom: [] },
    timeoutMs: 5000,
  } as const;
  return [
    defineTool({
      ...base,
      name: 'echo',
      execute: ({ text }) => {
        args.push(text);
        log.warn(`plugin says ${value}`, { [value]: { deep: [value] } });
        return { text, config: { apiKey: value } };
      },
    }),
    defineTool({ ...base, name: 'broken', execute: () => Promise.reject(new Error(`request with ${value} failed`)) }),
  ];
}

async function dump(store: Store): Promise<string> {
  const tables = await tableNames(store);
  return (
    await Promise.all(tables.map(async (name) => JSON.stringify(await sqlAll(store, `SELECT * FROM "${name}"`))))
  ).join('\n');
}

/** The environment of every process that this one has started while a script runs. */
async function childEnvironments(value: string): Promise<string> {
  process.env[`CANARY_${CANARIES.findIndex((canary) => canary.value === value)}`] = value;
  let seen = '';
  const look = defineTool({
    name: 'look',
    description: '',
    input: z.object({}),
    policy: { effect: 'none' },
    provenance: { readsFrom: [] },
    timeoutMs: 5000,
    execute: () => {
      seen = `children:${childrenOf(process.pid).map(environmentOf).join('\n')}`;
      return 'looked';
    },
  });
  const agent = await codeAgent(sandbox, ["```js\nawait tools.look({}); finalAnswer('done')\n```"], { tools: [look] });
  await agent.runTurn(testTurn('look', { mode: 'code_agent' }), testContext());
  return seen;
}

function childrenOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
}

/** Empty for a child that has just ended. */
function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}

/** The parts of a token that would be of use to a thief. */
function partsOf(value: string): string[] {
  return value
    .split(/[\s/@:]+/u)
    .filter(
      (part) => part.length >= 12 && !/^(?:https?|-+BEGIN|KEY-+|-+END)/u.test(part) && !/\.(?:com|org)$/u.test(part),
    );
}

describe('what a model wrote itself within a turn', () => {
  const [SECRET, BASE64] = ['not-by-shape-at-all-9x', Buffer.from('not-by-shape-at-all-9x').toString('base64')];
  const redactor = new Redactor([SECRET]);
  const told = (agent: Awaited<ReturnType<typeof testAgent>>) =>
    JSON.stringify(agent.model.requests.map(({ messages }) => messages));
  const look = leaky('nothing', [], silentLog)[0] as Tool;
  const toolbox = (store: Store) =>
    new Toolbox({
      ...{ tools: [look], rules: new ApprovalRules(store, () => new Date()), redactor, log: silentLog },
      maxResultChars: 10_000,
    });

  test.each([SECRET, BASE64])('is not told again, nor kept, in calls, words and data: %s', async (secret) => {
    const store = await openTestStore();
    const call = { name: 'echo', args: { text: `in ${secret}`, deep: [{ [secret]: secret }] } };
    const parts = [
      { type: 'text', text: `I use ${secret}.` },
      { type: 'tool_use', id: 'call_1', name: 'echo', input: call.args },
    ];
    const replies = [
      { toolCalls: [call], text: `I use ${secret}.` },
      { parts, toolCalls: [call] },
      { toolCalls: [{ name: 'no_such_tool', args: { text: secret } }] },
      `echo({"text": "${secret}`,
      'Done.',
    ];
    const agent = await testAgent(replies, { store, deps: { toolbox: toolbox(store), redactor } });
    await agent.runTurn(testTurn('use it'), testContext());
    expect(agent.model.requests.length).toBeGreaterThan(3);
    expect(told(agent)).toContain('[secret]');
    expect(told(agent)).not.toContain(secret);
    expect(await dump(store)).not.toContain(secret);
  });

  test.each([SECRET, BASE64])('nor in scripts, whether they run, fail or cannot be read: %s', async (secret) => {
    const store = await openTestStore();
    const js = (code: string) => `\`\`\`js\n${code}\n\`\`\``;
    const replies = [
      js(`const key = '${secret}'; await tools.echo({ text: key }); console.log(key); store('k', key); output(key)`),
      js(`throw new Error('${secret}')`),
      js(`const x = '${secret}`),
      js(`finalAnswer('Done.')`),
    ];
    const agent = await codeAgent(sandbox, replies, { store, redactor, deps: { toolbox: toolbox(store) } });
    await agent.runTurn(testTurn('use it', { mode: 'code_agent' }), testContext());
    expect(agent.model.requests.length).toBeGreaterThan(2);
    expect(told(agent)).toContain('[secret]');
    expect(told(agent)).not.toContain(secret);
    expect(await dump(store)).not.toContain(secret);
  });
});

test('there are 40 kinds of secrets and 9 sinks', () => {
  expect([new Set(CANARIES.map(({ kind }) => kind)).size, SINKS.length]).toEqual([40, 9]);
});

describe.each(CANARIES)('$kind', (canary) => {
  let spilled: Promise<Readonly<Record<Sink, string>>> | undefined;

  test.each(SINKS)('reaches no %s', async (sink) => {
    spilled ??= spill(canary);
    const text = (await spilled)[sink];
    if (sink !== 'child environment') expect(text, 'the sink was reached at all').toContain('[secret]');
    else expect(text).toMatch(/^children:/u);
    for (const part of partsOf(canary.value)) expect(text).not.toContain(part);
  });
});
