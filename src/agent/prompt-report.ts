import { estimateTokens } from '../base/text.ts';
import type { Turn } from '../base/turn.ts';
import type { ScriptExtensions } from '../sandbox/script-extensions.ts';
import type { Toolbox } from '../tools/gate/toolbox.ts';
import type { Tool } from '../tools/tool.ts';
import { answering, classicPrompt, smallPrompt } from './classic/answers.ts';
import { declarationOf } from './classic/tools.ts';
import { codePromptOf } from './code/opening.ts';
import { declarationBudget } from './code/prompt.ts';
import { buildSystemPrompt, internalPrompt, type PromptOptions, promptParts } from './prompt.ts';

/** A text that models are sent, word for word. */
export interface ShownPrompt {
  readonly name: string;
  readonly text: string;
}

export interface PromptReportDeps {
  readonly promptsDir: string;
  readonly registry: ScriptExtensions;
  readonly prompt: PromptOptions;
  /** The tools of the turn in each mode. */
  readonly toolboxes: Readonly<Record<'classic' | 'code', Toolbox>>;
}

/** Of the model that the report is for: any with room for all that a prompt may hold. */
const WINDOW_TOKENS = 128_000;

/** The prompts of single features; see `prompts/internal/`. */
const FEATURES = ['summary', 'rerank', 'fields', 'workspace'] as const;

/** Every prompt and declaration of both modes as it is sent: `wooster context --raw`. */
export async function promptReport(turn: Turn, deps: PromptReportDeps): Promise<readonly ShownPrompt[]> {
  const { promptsDir, registry, prompt, toolboxes } = deps;
  const { tools, none } = await toolboxes.classic.declared(turn);
  const full = await toolboxes.classic.declared(turn, { full: true });
  const declared = (all: readonly Tool[]) =>
    answering(all)
      .map((tool) => JSON.stringify(declarationOf(tool)))
      .join('\n');
  const code = (small: boolean) =>
    codePromptOf({
      ...{ registry, promptsDir, turn, toolbox: toolboxes.code, small },
      ...{ parts: promptParts({ ...prompt, small }), budget: declarationBudget(WINDOW_TOKENS, estimateTokens) },
    });
  const { system, now } = await code(false);
  return [
    {
      name: 'classic: system prompt',
      text: classicPrompt(buildSystemPrompt(prompt), { none, tools: answering(tools) }),
    },
    {
      name: 'classic: compact system prompt',
      text: smallPrompt({ promptParts: (small) => promptParts({ ...prompt, small }) }, none).standing,
    },
    ...both('classic: tool declarations', { now: declared(tools), full: declared(full.tools) }),
    { name: 'code: system prompt', text: system },
    { name: 'code: compact system prompt', text: (await code(true)).system },
    { name: 'code: after the request', text: now },
    ...FEATURES.map((name) => ({ name: `feature: ${name}`, text: internalPrompt(promptsDir, name) })),
  ];
}

/** A text as it is now, and as it will be once there are notes, files, reminders and lists. */
function both(name: string, { now, full }: { readonly now: string; readonly full: string }): ShownPrompt[] {
  return [{ name, text: now }, ...(full === now ? [] : [{ name: `${name}, in full`, text: full }])];
}
