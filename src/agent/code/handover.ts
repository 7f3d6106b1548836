import { completedEffects } from '../completed-effects.ts';
import type { EngineRun } from '../types.ts';
import type { ScriptCalls } from './script-calls.ts';

const SHOWN_CHARS = 4000;

/**
 * What classic mode has to know when it takes a turn over: what was done, what was found, what was refused and why, and
 * what the person has already read. Undefined when there is nothing to report.
 */
export async function handover(
  run: EngineRun,
  { calls, shown, reason }: { calls: ScriptCalls; shown: readonly string[]; reason: string },
): Promise<string | undefined> {
  const said =
    shown.length > 0 ? `(Already shown to the person:\n${shown.join('\n').slice(0, SHOWN_CHARS)})` : undefined;
  const known = [
    run.alreadyDone,
    completedEffects(await run.scope.ledger.list()),
    calls.found(),
    calls.refused(),
    said,
  ].filter((part) => part !== undefined);
  if (known.length === 0) return undefined;
  return [...new Set([`(Scripts were tried for this request, and given up: ${reason}.)`, ...known])].join('\n\n');
}

/** The turn as classic mode runs it: an answer that is data is given in another way there. */
export function inClassic(run: EngineRun): EngineRun {
  const { wanted, toolbox, systemPrompt, promptParts } = run;
  if (!wanted) return run;
  const { code_agent, classic_tools } = wanted.lines;
  return {
    ...run,
    toolbox: toolbox.with([wanted.tool]),
    systemPrompt: systemPrompt.replace(code_agent, () => classic_tools),
    promptParts: (small) => {
      const { standing, now } = promptParts(small);
      return { standing, now: now.replace(code_agent, () => classic_tools) };
    },
  };
}
