import { describe, expect, test } from 'vitest';
import type { Turn } from '../../base/turn.ts';
import { testTurn } from '../../testing/agent.ts';
import { testScope } from '../../testing/scope.ts';
import { toSchema } from '../../tools/signature.ts';
import type { Tool, ToolContext } from '../../tools/tool.ts';
import type { ListedTool } from './listed-tools.ts';
import { idOf, type McpToolDeps, mcpTool, shownDescription } from './mcp-tool.ts';
import type { CallOptions, McpServer } from './server.ts';

const LISTED: ListedTool = {
  ...{ name: 'Say It', description: 'Say it.', hash: '' },
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};

interface Given {
  readonly listed?: Partial<ListedTool>;
  readonly effects?: Readonly<Record<string, 'none' | 'outbound'>>;
  /** The server's result, and what it does during the call. */
  readonly answer?: object;
  readonly during?: (options: CallOptions) => unknown;
  readonly offered?: McpToolDeps['offered'];
}

/** A server's tool, and the calls that the server got. */
async function toolOf({ listed, effects = {}, answer = {}, during, offered = () => true }: Given = {}) {
  const calls: { tool: string; args: unknown; options: CallOptions }[] = [];
  const kept: unknown[] = [];
  const call: McpServer['call'] = async (tool, args, options) => {
    calls.push({ tool, args, options });
    await during?.(options);
    return { content: [], isError: false, ...answer };
  };
  const server = { name: 'far', settings: { effects }, call } as unknown as McpServer;
  const artifacts: McpToolDeps['artifacts'] = {
    keep: async (...given) => {
      kept.push(given);
      return 'art_7';
    },
  };
  const tool = await mcpTool(server, { ...LISTED, ...listed }, { artifacts, offered });
  return { tool, calls, kept };
}

async function contextOf(more: Partial<ToolContext> = {}): Promise<ToolContext> {
  const { context, turn } = await testScope();
  return { ...context, turn, said: [], untrusted: false, ...more } as unknown as ToolContext;
}

const run = async (tool: Tool, input: unknown, more?: Partial<ToolContext>) =>
  tool.execute(input as never, await contextOf(more));

describe('the id of a tool', () => {
  test.each([
    ['echo', 'far.echo'],
    ['Get-Sum', 'far.get-sum'],
    ['a.b_c-1', 'far.a.b_c-1'],
    ['with blanks', 'far.with_blanks'],
    ['ünï/x', 'far._n__x'],
    ['n'.repeat(60), `far.${'n'.repeat(60)}`],
    ['n'.repeat(61), `far.${'n'.repeat(51)}_7e1688bb`],
  ])('%s is %s', (name, id) => {
    expect(idOf('far', name)).toBe(id);
    expect(id.length).toBeLessThanOrEqual(64);
  });

  test('two long names that begin alike have two', () => {
    expect(idOf('far', `${'n'.repeat(100)}a`)).not.toBe(idOf('far', `${'n'.repeat(100)}b`));
  });
});

describe('a description as it is shown', () => {
  test.each([
    [' Say\n it \t again. ', 'Say it again.'],
    ['Say\u202E it\u200B.', 'Say it.'],
    ['a\u2028b\u{E0041}c\u{F0000}\u{E000}d', 'a bcd'],
    ['\uD800x\u0007y', 'xy'],
    ['\u200B\u200B', ''],
    ['x'.repeat(400), 'x'.repeat(400)],
    ['x'.repeat(401), `${'x'.repeat(399)}…`],
  ])('%j is %j', (description, shown) => {
    expect(shownDescription(description)).toBe(shown);
  });

  test('may be as long as whoever shows it says', () => {
    expect([shownDescription('abcd', 4), shownDescription('abcde', 4)]).toEqual(['abcd', 'abc…']);
  });
});

describe('a tool of a server', () => {
  test('may act, carry anything anywhere, and bring anything back', async () => {
    const { tool } = await toolOf();
    expect(tool).toMatchObject({
      ...{ name: 'far.say_it', functionName: 'farSayIt', server: 'far', origin: 'MCP server far' },
      description: 'Say it.',
      policy: { effect: 'outbound', network: true },
      timeoutMs: 600_000,
    });
    const to = { channel: 'mcp', address: 'far', own: false };
    expect(await tool.policy.recipient?.({} as never, {} as never)).toEqual({ ...to, service: true });
    const { tool: destructive } = await toolOf({ listed: { destructive: true } });
    expect(await destructive.policy.recipient?.({} as never, {} as never)).toEqual({ ...to, service: false });
  });

  test('only reads where its owner says so, unless its server calls it destructive', async () => {
    const effects = { 'Say It': 'none' } as const;
    const { tool } = await toolOf({ effects });
    expect([tool.policy.effect, await tool.policy.recipient?.({} as never, {} as never)]).toEqual(['none', undefined]);
    const { tool: destructive } = await toolOf({ effects, listed: { destructive: true } });
    expect(destructive.policy.effect).toBe('outbound');
  });

  test('has words of ours where its server has none', async () => {
    const { tool } = await toolOf({ listed: { description: '\u200B' } });
    expect(tool.description).toBe('The tool Say It of far.');
  });

  test('is told of in the turns in which it is offered', async () => {
    const asked: [string, Turn][] = [];
    const offered = (id: string, turn: Turn) => asked.push([id, turn]) > 1;
    const { tool } = await toolOf({ offered });
    const turn = testTurn('say it');
    expect([await tool.presentation.offer?.(turn), await tool.presentation.offer?.(turn)]).toEqual([false, true]);
    expect(asked).toEqual(Array(2).fill(['far.say_it', turn]));
  });

  test('takes what its server says, and gives anything', async () => {
    const outputSchema = { type: 'object', properties: { n: { type: 'number', pattern: '^(a+)+$' } } };
    const { tool } = await toolOf({ listed: { outputSchema } });
    expect(toSchema(tool.input, 'input')).toMatchObject(LISTED.inputSchema);
    expect(tool.input.safeParse({ text: 7 }).success).toBe(false);
    expect(tool.output && toSchema(tool.output, 'output')).toMatchObject({
      ...{ type: 'object', properties: { n: { type: 'number' } } },
    });
    expect(JSON.stringify(tool.output && toSchema(tool.output, 'output'))).not.toContain('pattern');
    expect(tool.output?.safeParse('any').success).toBe(true);
    expect((await toolOf()).tool.output).toBeUndefined();
  });

  test.each<[what: string, inputSchema: Record<string, unknown>]>([
    ['broken', { type: 'object', properties: 7 }],
    ['of references that nobody can resolve', { type: 'object', properties: { a: { $ref: 'https://a.test' } } }],
  ])('whose schema is %s takes any fields', async (_what, inputSchema) => {
    const { tool } = await toolOf({ listed: { inputSchema } });
    expect(toSchema(tool.input, 'input')).toMatchObject({ type: 'object' });
    expect(tool.input.safeParse({ a: 1 }).success).toBe(true);
    expect(tool.input.safeParse('text').success).toBe(false);
  });

  test('that refers to itself without end gives any fields', async () => {
    const part = (n: number) => ({ properties: { a: { $ref: `#/$defs/d${n}` }, b: { $ref: `#/$defs/d${n}` } } });
    const defs = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`d${n}`, part(n + 1)]));
    const large = { type: 'object', ...part(0), anyOf: Array(100).fill(part(0)), $defs: defs };
    const { tool } = await toolOf({ listed: { outputSchema: large } });
    expect(JSON.stringify(tool.output && toSchema(tool.output, 'output'))).not.toContain('$ref');
  });
});

describe('a call', () => {
  test('is made by the name that its server has for it, for a minute of silence', async () => {
    const { tool, calls } = await toolOf({ answer: { structuredContent: { said: true } } });
    const { signal } = new AbortController();
    expect(await run(tool, { text: 'hello' }, { signal })).toEqual({ said: true });
    expect(calls).toStrictEqual([
      {
        ...{ tool: 'Say It', args: { text: 'hello' } },
        options: { timeoutMs: 60_000, signal, progress: undefined, elicit: undefined },
      },
    ]);
    await run(tool, undefined);
    expect(calls[1]?.args).toEqual({});
  });

  test('tells how far it is by the id of the tool', async () => {
    const told: string[] = [];
    const { tool } = await toolOf({ during: ({ progress }) => progress?.('50 %') });
    await run(tool, {}, { progress: (text) => void told.push(text) });
    expect(told).toEqual(['far.say_it: 50 %']);
  });

  test('shows a form of its server to the person', async () => {
    let answer: unknown;
    const { tool } = await toolOf({
      during: async ({ elicit }) => {
        answer = await elicit?.({ message: 'Who?', requestedSchema: { properties: { name: {} } } });
      },
    });
    const ask = async (question: string) => (question.startsWith('The MCP server far asks: Who?') ? 'yes' : 'Ada');
    await run(tool, {}, { ask });
    expect(answer).toEqual({ action: 'accept', content: { name: 'Ada' } });
  });

  test('keeps a picture of its result as an artifact of the turn', async () => {
    const content = [{ type: 'image', mimeType: 'image/png', data: 'aGk=' }];
    const { tool, kept } = await toolOf({ answer: { content } });
    const context = await contextOf();
    expect(await tool.execute({} as never, context)).toBe('[image image/png, kept as artifact art_7]');
    const about = { description: 'image (image/png) from far.say_it', untrusted: true };
    expect(kept).toEqual([[context.turn, { mimeType: 'image/png', base64: 'aGk=' }, about]]);
  });

  test('fails with the words of its server', async () => {
    const { tool } = await toolOf({ answer: { isError: true, content: [{ type: 'text', text: 'no such word' }] } });
    await expect(run(tool, {})).rejects.toThrow(new Error('no such word'));
  });
});
