import type { ScriptExtensions } from '../sandbox/script-extensions.ts';
import type { Tool } from '../tools/tool.ts';
import { declarationOf, withNothingYet } from './classic/tools.ts';
import { codeInstructions } from './code/opening.ts';
import { internalPrompt } from './prompt.ts';

/** A text that models are sent, word for word. */
export interface ShownPrompt {
  readonly name: string;
  readonly text: string;
}

export interface PromptReportDeps {
  readonly promptsDir: string;
  readonly registry: ScriptExtensions;
  readonly systemPrompt: string;
  readonly smallPrompt: string;
  /** What each mode offers in this turn. */
  readonly tools: {
    readonly classic: readonly Tool[];
    /** What there is nothing of yet, so that its tools are left out. */
    readonly none: readonly string[];
    /** What classic mode offers once there is something of everything. */
    readonly full: readonly Tool[];
    readonly code: readonly Tool[];
  };
}

/** The prompts of single features; see `prompts/internal/`. */
const FEATURES = ['summary', 'rerank', 'workspace'] as const;

/** Every prompt and declaration of both modes as it is sent: `wooster context --raw`. */
export function promptReport(deps: PromptReportDeps): readonly ShownPrompt[] {
  const { promptsDir, systemPrompt, smallPrompt, tools } = deps;
  const declared = (offered: readonly Tool[]) => offered.map((tool) => JSON.stringify(declarationOf(tool))).join('\n');
  const told = new Set(tools.full.flatMap(({ tellsOf }) => [...(tellsOf ?? [])]));
  const later = tools.full.filter((tool) => !tools.classic.includes(tool) && !told.has(tool.name));
  const code = (base: string, small: boolean) => `${base}\n\n${codeInstructions(deps, tools.code, small)}`;
  return [
    { name: 'classic: system prompt', text: withNothingYet(systemPrompt, tools.none) },
    { name: 'classic: tool declarations', text: declared(tools.classic) },
    ...(later.length > 0 ? [{ name: 'classic: declarations that come with the first', text: declared(later) }] : []),
    { name: 'code: system prompt', text: code(systemPrompt, false) },
    { name: 'code: compact system prompt', text: code(smallPrompt, true) },
    ...FEATURES.map((name) => ({ name: `feature: ${name}`, text: internalPrompt(promptsDir, name) })),
  ];
}
