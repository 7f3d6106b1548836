import type { Turn } from '../base/turn.ts';
import type { ScriptExtensions } from '../sandbox/script-extensions.ts';
import type { Toolbox } from '../tools/gate/toolbox.ts';
import type { Tool } from '../tools/tool.ts';
import { answering, classicPrompt } from './classic/answers.ts';
import { declarationOf } from './classic/tools.ts';
import { codeInstructions } from './code/opening.ts';
import type { SmallPrompt } from './code/prompt.ts';
import { internalPrompt, withNothingYet } from './prompt.ts';

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
  /** What there is nothing of yet, so that its tools are left out. */
  readonly none: readonly string[];
  /** What each mode offers in this turn. */
  readonly tools: Offered;
  /** What it offers once there is something of everything. */
  readonly full: Offered;
}

type Offered = Readonly<Record<'classic' | 'code', readonly Tool[]>>;

/** What the toolboxes of both modes offer in a turn. */
export async function offers(
  turn: Turn,
  { classic, code }: Readonly<Record<'classic' | 'code', Toolbox>>,
): Promise<Pick<PromptReportDeps, 'none' | 'tools' | 'full'>> {
  const { tools, none } = await classic.declared(turn);
  return {
    none,
    tools: { classic: answering(tools), code: (await code.declared(turn)).tools },
    full: { classic: answering((await classic.declared(turn, { full: true })).tools), code: await code.offered(turn) },
  };
}

/** The prompts of single features; see `prompts/internal/`. */
const FEATURES = ['summary', 'rerank', 'workspace'] as const;

/** Every prompt and declaration of both modes as it is sent: `wooster context --raw`. */
export function promptReport(deps: PromptReportDeps): readonly ShownPrompt[] {
  const { promptsDir, systemPrompt, smallPrompt, none, tools, full } = deps;
  const declared = (offered: readonly Tool[]) => offered.map((tool) => JSON.stringify(declarationOf(tool))).join('\n');
  const code = (base: string, small?: SmallPrompt) => ({
    now: `${withNothingYet(base, none)}\n\n${codeInstructions(deps, tools.code, small)}`,
    full: `${base}\n\n${codeInstructions(deps, full.code, small)}`,
  });
  return [
    { name: 'classic: system prompt', text: classicPrompt(systemPrompt, { none, tools: tools.classic }) },
    ...both('classic: tool declarations', { now: declared(tools.classic), full: declared(full.classic) }),
    ...both('code: system prompt', code(systemPrompt)),
    ...both('code: compact system prompt', code(smallPrompt, { request: '' })),
    ...FEATURES.map((name) => ({ name: `feature: ${name}`, text: internalPrompt(promptsDir, name) })),
  ];
}

/** A text as it is now, and as it will be once there are notes, files, reminders and lists. */
function both(name: string, { now, full }: { readonly now: string; readonly full: string }): ShownPrompt[] {
  return [{ name, text: now }, ...(full === now ? [] : [{ name: `${name}, in full`, text: full }])];
}
