import { estimateTokens } from '../../base/text.ts';
import { REMOTE_CHANNELS, toolNameOf } from '../../notify/channels.ts';
import type { Tool } from '../../tools/tool.ts';
import { internalPrompt } from '../prompt.ts';
import { declareBarely, declareBriefly, declareTool, untyped } from './declare.ts';
import { declareFew, fewFunctions, withFittingExamples } from './few-functions.ts';
import { type NamedTool, nameTools, spelling } from './names.ts';

export interface CodePromptOptions {
  readonly promptsDir: string;
  readonly tools: readonly Tool[];
  /** Names of the modules that scripts may import. */
  readonly modules: readonly string[];
  /** Names of the functions that plugins registered. */
  readonly functions: readonly string[];
  /** How many tokens full declarations may take; tools beyond that are listed by name only. */
  readonly maxDeclarationTokens?: number;
  /** For a small model: few functions, short rules, three examples. */
  readonly small?: SmallPrompt | undefined;
}

/** What the prompt for a small model depends on. */
export interface SmallPrompt {
  /** Its words choose functions. */
  readonly request: string;
  /** A script of the conversation has run, so the model knows the form without examples. */
  readonly proven?: boolean;
}

const DECLARATION_TOKENS = 1500;

/** So many are declared with the whole type of their result, the others with the names of its fields. */
const FULL_TOOLS = 2;

const CHANNEL_TOOLS = REMOTE_CHANNELS.map(toolNameOf);
const CHANNEL_LABELS = REMOTE_CHANNELS.map(({ label }) => label).join(' or ');

/** Tools to declare first when there is no room for all. */
const CORE = [
  ...['query_rag', 'write_note', 'schedule', 'list_schedules', 'cancel_schedule', 'read_file', 'write_file'],
  ...['list_directory', 'web_search', 'fetch_text', 'notify', 'edit_file', 'reschedule', 'search_files', 'list_notes'],
  ...CHANNEL_TOOLS,
];

/** Pairs of tools that models mix up; the rule is added only when both are there. */
const CONFUSED: readonly (readonly [string, string, string])[] = [
  ['schedule', 'notify', 'notify sends now; for a later time use schedule, never sleep.'],
  ['notify', CHANNEL_TOOLS[0] ?? '', `Use notify unless the user names ${CHANNEL_LABELS}.`],
];

/** Code mode's part of the system prompt: rules, built-in functions, tools, modules, examples. */
export function codePrompt(options: CodePromptOptions): string {
  const { promptsDir, tools, small, functions } = options;
  const modules = moduleLines(options);
  if (small) {
    const few = fewFunctions(nameTools(tools, new Set(functions)), small.request);
    const prompt = withFittingExamples(internalPrompt(promptsDir, 'code_agent_small'), small.proven ? [] : few);
    return filled(prompt, { tools: declareFew(few), modules });
  }
  const sections = { tools: declarations(options), rules: negativeRules(tools), modules };
  return filled(internalPrompt(promptsDir, 'code_agent'), sections);
}

function filled(prompt: string, sections: Readonly<Record<string, string>>): string {
  return prompt
    .replace(/\{\{(\w+)\}\}/gu, (_mark, name: string) => sections[name] ?? '')
    .replace(/\n{3,}/gu, '\n\n')
    .trim();
}

function declarations({ tools, maxDeclarationTokens = DECLARATION_TOKENS, functions }: CodePromptOptions): string {
  const named = nameTools([...tools].sort(byImportance), new Set(functions));
  const lines: string[] = [];
  const rest: string[] = [];
  let tokens = 0;
  for (const [index, each] of named.entries()) {
    // Servers' tools are few enough here, or they would not be offered.
    const isServers = each.tool.server !== undefined;
    const line = untyped(index < FULL_TOOLS || isServers ? declareTool(each, named) : declareShort(each, named));
    tokens += isServers ? 0 : estimateTokens(line);
    if (isServers) {
      lines.push(line);
      continue;
    }
    if (tokens <= maxDeclarationTokens) lines.push(line);
    else rest.push(spelling(each));
  }
  const more = rest.length === 0 ? '' : `\nMore tools (call toolSchema(name) before the first use): ${rest.join(', ')}`;
  return lines.length === 0 ? '(no tools)' : `${lines.join('\n')}${more}`;
}

/** Less usual tools without words. */
function declareShort(named: NamedTool, all: readonly NamedTool[]): string {
  return CORE.includes(named.tool.name) ? declareBriefly(named, all) : declareBarely(named);
}

function byImportance(a: Tool, b: Tool): number {
  return rank(a) - rank(b);
}

function rank(tool: Tool): number {
  const index = CORE.indexOf(tool.name);
  return index < 0 ? CORE.length : index;
}

function negativeRules(tools: readonly Tool[]): string {
  const names = new Set(tools.map(({ name }) => name));
  return CONFUSED.filter(([a, b]) => names.has(a) && names.has(b))
    .map(([, , rule]) => `- ${rule}`)
    .join('\n');
}

function moduleLines({ modules, functions }: CodePromptOptions): string {
  const importable =
    modules.length === 0
      ? ''
      : `Modules you may import (import … from 'name'): ${modules.join(', ')}. No others exist.`;
  return functions.length === 0 ? importable : `${importable}\nMore functions: ${functions.join(', ')}.`;
}
