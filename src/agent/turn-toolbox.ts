import type { Toolbox } from '../tools/gate/toolbox.ts';
import type { AgentDeps, TurnToolsRun, TurnWishes } from './types.ts';

/**
 * The tools of a turn: what a job leaves of them, the owner's programs, those of classic mode, and what the caller
 * wants of all these.
 *
 * @param run.toolbox before a job has narrowed it.
 */
export async function turnToolbox(
  { classicTools, turnTools }: Pick<AgentDeps, 'classicTools' | 'turnTools'>,
  run: TurnToolsRun,
  { tools, answer }: Pick<TurnWishes, 'tools' | 'answer'> = {},
): Promise<Toolbox> {
  const limit = (toolbox: Toolbox) => run.job?.limit?.(toolbox) ?? toolbox;
  const toolbox = limit(run.toolbox);
  const own = (await turnTools?.({ ...run, toolbox })) ?? [];
  const all = own.length === 0 ? toolbox : limit(run.toolbox.with(own));
  const isClassic = run.turn.mode === 'classic_tools';
  const usual = isClassic ? all.with(classicTools?.({ ...run, toolbox: all }) ?? []) : all;
  const wished = tools?.(usual) ?? usual;
  return answer && isClassic ? wished.with([answer.tool]) : wished;
}
