import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import * as tools from './builtin-tools.ts';
import * as compiler from './compiler.ts';
import * as whole from './index.ts';
import * as parser from './parser.ts';
import type {
  AgentOptions,
  AgentResult,
  CompleteOptions,
  CompleteResult,
  InitOptions,
  Message,
  ModelPricing,
  ModelProvider,
  ProviderFactory,
  ProviderOptions,
  ProviderTool,
  Tool,
  ToolCall,
  ToolResult,
  UsageInfo,
} from './runtime.ts';
import * as runtime from './runtime.ts';

/** The names that the plan for agents and providers asks for: see docs/library.md. */
const VALUES = [
  ...['init', 'think', 'infer', 'reason', 'agent', 'defineTool', 'zodSchema', 'registerProvider', 'createProvider'],
  ...['registerPricing', 'AgentMaxTurnsError', 'ToolExecutionError', 'OpenAIProvider', 'AnthropicProvider'],
  ...['GeminiProvider', 'OllamaProvider', 'fetchUrl', 'readFile', 'writeFile', 'runCommand', 'searchWeb'],
  ...['Confident', 'batch', 'mapThink', 'reduceThink', 'Dataset', 'streamThink', 'chunkText', 'globalCostTracker'],
];

/** Types are ticked by the compiler: fields under the names of the plan. */
interface Types {
  readonly complete: keyof Pick<
    CompleteOptions,
    'systemPrompt' | 'userMessage' | 'jsonSchema' | 'schemaName' | 'model' | 'maxTokens' | 'tools' | 'toolChoice'
  >;
  readonly more: keyof Pick<CompleteOptions, 'messages' | 'stopSequences'>;
  readonly result: keyof Pick<CompleteResult, 'data' | 'usage' | 'model' | 'toolCalls' | 'stopReason'>;
  readonly init: keyof Pick<InitOptions, 'provider' | 'apiKey' | 'model' | 'baseUrl'>;
  readonly provider: [keyof Pick<ModelProvider, 'complete'>, ProviderFactory, ProviderOptions, ModelPricing];
  readonly tool: [keyof Pick<ProviderTool, 'name' | 'description' | 'inputSchema'>, Tool, Message, UsageInfo];
  readonly agent: keyof Pick<
    AgentOptions<unknown>,
    'prompt' | 'tools' | 'context' | 'maxTurns' | 'model' | 'jsonSchema' | 'schemaName' | 'guards' | 'abortSignal'
  >;
  readonly hooks: keyof Pick<AgentOptions<unknown>, 'onToolCall' | 'onToolResult'>;
  readonly outcome: keyof Pick<AgentResult<unknown>, 'data' | 'turns' | 'totalUsage' | 'toolCallHistory'>;
  readonly calls: [keyof Pick<ToolCall, 'id' | 'name' | 'input'>, keyof Pick<ToolResult, 'toolCallId' | 'output'>];
  readonly nodes: [parser.ToolDeclarationNode, parser.AgentExpressionNode];
}

test.each(VALUES)('%s is there, from wooster/runtime and from wooster', (name) => {
  expect([name in runtime, name in whole]).toEqual([true, true]);
});

test('the package exports what the plan names', () => {
  const file = resolve(import.meta.dirname, '../package.json');
  const { exports } = JSON.parse(readFileSync(file, 'utf8')) as { exports: Record<string, unknown> };
  expect(Object.keys(exports)).toEqual(expect.arrayContaining(['.', './runtime', './compiler', './parser', './tools']));
  expect(Object.keys(tools).toSorted()).toEqual(['fetchUrl', 'readFile', 'runCommand', 'searchWeb', 'writeFile']);
  const ticked: keyof Types = 'agent';
  expect(ticked).toBe('agent');
});

const PROGRAM = `tool fetchPrice(ticker: string): float {
  return 1.5
}
type PortfolioAdvice { text: string }
let mine = { cash: 1 }
fn validateAdvice(advice: PortfolioAdvice): bool { return true }
let result = agent<PortfolioAdvice>("Analyze my portfolio and suggest rebalancing")
  with tools: fetchPrice
  with context: { portfolio: mine }
  max turns: 15
  guard passes(validateAdvice)
  on fail retry 2 with fallback { { text: "none" } }
print result.text
`;

test('the program of the plan is read, checked and compiled', async () => {
  const { code, errors, warnings, tools: declared } = compiler.compile(PROGRAM);
  expect([errors, warnings]).toEqual([[], []]);
  expect(code).toContain('$.agent');
  expect(declared).toMatchObject([{ name: 'fetchPrice', schema: { required: ['ticker'] } }]);
  const { statements } = await parser.parse(PROGRAM);
  expect(statements[0]).toMatchObject({ type: 'ToolDeclaration' } satisfies Partial<parser.ToolDeclarationNode>);
  expect(compiler.compileToAst(PROGRAM)).toEqual(parser.parseSync(PROGRAM));
});

test('what is wrong has its place', () => {
  expect(compiler.compile('print nope').errors).toMatchObject([{ code: 'TL2001', location: { start: { column: 7 } } }]);
  expect(() => parser.parseSync('let = 1\nlet b = ]')).toThrow(/<text>:1:5: error TL1[\s\S]*:2:9:/u);
});
