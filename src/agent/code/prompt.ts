import type { TextCounter } from '../../conversation/tokens.ts';
import type { Tool } from '../../tools/tool.ts';
import { internalPrompt } from '../prompt.ts';
import { declareTool } from './declare.ts';
import { type NamedTool, spelling } from './names.ts';

/** The share of a model's context window that declarations may take. */
const WINDOW_SHARE = 0.25;
const MAX_DECLARATION_TOKENS = 4000;
/** The share of that for the names of undeclared tools. */
const NAMES_SHARE = 0.25;

/** How much the declarations of tools may take, and how it is counted. */
export interface DeclarationBudget {
  readonly tokens: number;
  readonly count: TextCounter;
}

/** The budget of declarations for a context window of this many tokens. */
export function declarationBudget(windowTokens: number, count: TextCounter): DeclarationBudget {
  return { tokens: Math.min(MAX_DECLARATION_TOKENS, Math.floor(windowTokens * WINDOW_SHARE)), count };
}

export interface CodePromptOptions {
  readonly promptsDir: string;
  readonly tools: readonly NamedTool[];
  /** Names of the modules that scripts may import. */
  readonly modules: readonly string[];
  /** Names of the functions that plugins registered. */
  readonly functions: readonly string[];
  readonly budget: DeclarationBudget;
  /** For a small model: short rules, and more examples. */
  readonly small?: boolean | undefined;
}

/**
 * Code mode's part of the system prompt: rules, built-in functions, tools, modules, examples. It is the same to the
 * letter as long as the tools are, whatever is asked, so that servers can reuse their cache of it.
 */
export function codePrompt(options: CodePromptOptions): string {
  const { promptsDir, tools, small = false, budget } = options;
  const prompt = internalPrompt(promptsDir, small ? 'code_agent_small' : 'code_agent');
  const sections: Readonly<Record<string, string>> = {
    tools: declarations(tools, budget) || '(no tools)',
    modules: moduleLines(options),
  };
  return (small ? withFittingExamples(prompt, tools) : prompt)
    .replace(/\{\{(\w+)\}\}/gu, (_mark, name: string) => sections[name] ?? '')
    .replace(/\n{3,}/gu, '\n\n')
    .trim();
}

/**
 * One line for each tool, in the order in which they come. Those that do not fit the budget follow by name, and the
 * last of very many are only counted: scripts can search them.
 *
 * @param known the tools that descriptions may mention.
 */
export function declarations(
  tools: readonly NamedTool[],
  { tokens, count }: DeclarationBudget,
  known: readonly NamedTool[] = tools,
): string {
  const among = known.map((named) => `${named.tool.name} ${spelling(named)}`).join();
  const lines = tools.map((named) => ({ named, line: lineOf(named, known, among) }));
  const declared = fitting(lines, tokens, ({ line }) => count(`${line}\n`));
  if (declared.length === lines.length) return declared.map(({ line }) => line).join('\n');
  const forNames = Math.floor(tokens * NAMES_SHARE);
  const first = new Set(fitting(lines, tokens - forNames, ({ line }) => count(`${line}\n`)));
  const names = lines.filter((each) => !first.has(each)).map(({ named }) => spelling(named));
  const shown = fitting(names, forNames - count(moreTools([], names.length)), (name) => count(`${name}, `));
  return [...[...first].map(({ line }) => line), moreTools(shown, names.length - shown.length)].join('\n');
}

/** The line of each tool as it was last declared, among which names. */
const LINES = new WeakMap<Tool, { readonly among: string; readonly line: string }>();

/** Every turn declares the same tools, mostly among the same others. @param among the names of those, as text. */
function lineOf(named: NamedTool, known: readonly NamedTool[], among: string): string {
  const last = LINES.get(named.tool);
  if (last?.among === among) return last.line;
  const line = declareTool(named, known);
  LINES.set(named.tool, { among, line });
  return line;
}

/** Those that fit, in their order; one that is too long does not keep out those behind it. */
function fitting<Each>(all: readonly Each[], tokens: number, cost: (each: Each) => number): Each[] {
  let left = tokens;
  return all.filter((each) => {
    const needed = cost(each);
    if (needed > left) return false;
    left -= needed;
    return true;
  });
}

function moreTools(names: readonly string[], others: number): string {
  const rest = others === 0 ? '' : `${names.length === 0 ? '' : ', and '}${others} others`;
  const how = "toolSchema(name) tells how to call one, discoverTools('some words') finds one by what it does.";
  return `More tools: ${names.join(', ')}${rest}. ${how}`;
}

/** A prompt without examples that call missing tools: a model would call them too. */
function withFittingExamples(prompt: string, tools: readonly NamedTool[]): string {
  const known = new Set(tools.map(spelling));
  return prompt
    .split('\n\n')
    .filter((part) => [...part.matchAll(/\bawait (\w+)\(/gu)].every(([, name = '']) => known.has(name)))
    .join('\n\n');
}

function moduleLines({ modules, functions }: CodePromptOptions): string {
  const importable =
    modules.length === 0
      ? ''
      : `Modules you may import (import … from 'name'): ${modules.join(', ')}. No others exist.`;
  return functions.length === 0 ? importable : `${importable}\nMore functions: ${functions.join(', ')}.`;
}
