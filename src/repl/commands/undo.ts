import type { UndoReport } from '../../tools/undo/undo.ts';
import type { Command, CommandCall } from '../command.ts';
import { undoExchange } from '../undo-exchange.ts';
import { conversationOf } from './conversation.ts';

/**
 * Brings back what a local effect replaced: files, notes, artifacts, reminders and schedules. At the prompt, without an
 * effect, it also takes the last exchange out of the conversation. Row: the report; exit code 1 when nothing was done.
 */
export const undo: Command = {
  name: 'undo',
  summary: 'Bring back what Wooster changed last, or what one effect changed',
  group: 'Tools and approvals',
  usage: [
    'undo                     the newest change in the project; as /undo, all of the last exchange',
    'undo EFFECT [--force]    one change; "log" shows the ids',
  ],
  examples: ['undo', 'undo eff_1a2b3c'],
  basic: true,
  flags: { force: { type: 'boolean' } },
  async run(call) {
    const { app, args, flags, session, place } = call;
    const force = flags.force === true;
    const [effect] = args;
    if (effect !== undefined) return told(call, await app.tools.undo.effect(effect, { force }));
    if (place === 'slash') return undoExchange(call, conversationOf(call));
    return told(call, await app.tools.undo.newest(session.project, { force }));
  },
};

function told({ out }: CommandCall, report: UndoReport | undefined): number {
  if (!report) {
    out.line('There is nothing to undo.');
    return 1;
  }
  out.row(report);
  for (const line of linesOf(report)) out.line(line);
  return report.outcome === 'undone' || report.outcome === 'unchanged' ? 0 : 1;
}

function linesOf({ effect, tool, input, outcome, things, by }: UndoReport): string[] {
  const call = `${tool} ${input}`;
  if (outcome === 'already') return [`${effect} was undone before, by ${by}.`];
  if (outcome === 'not_kept' || outcome === 'lost')
    return [`${effect} (${call}) cannot be undone: nothing was kept of what it changed.`];
  if (outcome === 'changed')
    return [
      `Not undone: ${things.join(', ')} was changed after ${effect} (${call}).`,
      `  wooster undo ${effect} --force undoes it all the same; what is there now is kept.`,
    ];
  if (outcome === 'unchanged') return [`Nothing had to be undone of ${effect} (${call}): all is as it was before it.`];
  return [`Undone: ${call}`, ...things.map((thing) => `  ${thing}`), `To bring it forward again: wooster undo ${by}`];
}
