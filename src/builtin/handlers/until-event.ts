import { findTime } from '../../when/find.ts';
import { COMPUTATIONS } from '../compute.ts';
import type { UserRequest } from '../request.ts';
import type { Handler } from '../understanding.ts';
import { questionOf } from './query-documents.ts';

/** "How many days until the concert?": the documents, or what was told, know when it is, if anything does. */
export const untilEvent: Handler = ({ event, period }, request) => {
  const words = String(event);
  if (findTime(words, request) !== undefined) return undefined;
  const found = questionOf({ ...request, text: request.tell('when is the event', { event }) });
  if (found?.kind !== 'act') return found;
  const { actions, together } = found;
  return {
    ...found,
    together: (results) => {
      const said =
        together?.(results) ??
        actions.flatMap((action, at) => (results[at] ? [action.say(results[at])] : [])).join('\n');
      return [distance(said, period, request), said].filter(Boolean).join('\n');
    },
  };
};

/** Of an answer that is one line with one date. */
function distance(said: string, period: unknown, request: UserRequest): string | undefined {
  if (said.includes('\n')) return undefined;
  const found = findTime(said.replace(/\[[^[\]]*\]/gu, ''), request);
  if (found?.kind !== 'day' && found?.kind !== 'once') return undefined;
  if (findTime(found.rest, request) !== undefined) return undefined;
  const computed = COMPUTATIONS.until?.({ to: found.words, period }, { ...request, before: () => ({}) });
  if (computed?.code !== '') return undefined;
  return request.tell('until day', { ...computed.values, day: request.saying.day(found.at) });
}
