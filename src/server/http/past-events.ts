import { preview } from '../../base/text.ts';
import type { TurnEvent } from '../../base/turn.ts';
import type { TurnRow } from '../../conversation/conversations.ts';
import { asMade, callsOf, resultOf } from '../../conversation/stored-calls.ts';
import type { Step } from '../../conversation/types.ts';
import type { App } from '../../face/app.ts';

const PREVIEW_CHARS = 400;

/**
 * A turn that this program has no events of, told by what is stored: its steps, then its answer. One that was cut off
 * by the end of its program ends as `aborted`.
 *
 * @returns undefined when there is no such turn.
 */
export async function pastEvents({ turns }: Pick<App, 'turns'>, turnId: string): Promise<TurnEvent[] | undefined> {
  const turn = await turns.archive.turn(turnId);
  if (!turn) return undefined;
  const { conversation_id: conversationId, mode, status } = turn;
  const { project } = await turns.archive.get(conversationId);
  const steps = (await turns.archive.messages(conversationId)).filter(({ turn_id }) => turn_id === turnId);
  return [
    {
      type: 'turn',
      id: turnId,
      conversationId,
      mode: mode === 'code_agent' ? mode : 'classic_tools',
      model: '',
      project,
    },
    ...eventsOfSteps(steps, status),
  ];
}

/** The steps of a turn that is over, and its answer. @param status as it is stored; cut off without one. */
export function eventsOfSteps(steps: readonly Step[], status: TurnRow['status']): TurnEvent[] {
  const text = steps.findLast(({ kind }) => kind === 'answer')?.content ?? '';
  const isOver = status !== 'running' && status !== 'interrupted' && status !== 'undone';
  return [...steps.flatMap(eventsOfStep), { type: 'answer', text, stop: isOver ? status : 'aborted' }];
}

/** A step of a turn as it was shown. */
export function eventsOfStep({ kind, content }: Step): TurnEvent[] {
  try {
    if (kind === 'code') return [{ type: 'code', attempt: 1, source: content }];
    if (kind === 'tool_calls')
      return callsOf(content)
        .calls.map(asMade)
        .map(({ id, name, args }) => ({ type: 'call', callId: id, name, input: args }));
    if (kind !== 'tool_result') return [];
    const { id, name, ok, text } = resultOf(content);
    return [{ type: 'tool', callId: id, name, input: {}, ok, ms: 0, preview: preview(text, PREVIEW_CHARS) }];
  } catch {
    // A step that cannot be read is left out: the answer is what counts.
    return [];
  }
}
