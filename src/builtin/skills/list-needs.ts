import { findTime } from '../../when/find.ts';
import { phrases } from '../phrases.ts';
import { ask, bare, type Intent, type UserRequest } from '../request.ts';
import { reminders } from './reminders.ts';

/** It may be for the shopping list, or a sigh: "we need cat food", "I need a break". */
const NEED = phrases({
  en: [
    'add {item:(?!(?:up|a note|an? reminder|it|that|them|this)\\b)[^,?:\\d][^,?:]*}',
    `(we|i) [really|still|also|just] (need|could do with) [some]
      {item:(?!(?:to|you|your|help|it|that|this|a lot|time|more time)\\b)[^,?]+}`,
  ],
  de: [],
});

const YES = /^(?:yes|yep|yeah|yup|sure|ok|okay|please|please do|do|go on|do it)\b/iu;

/** A thing that is needed is put on the shopping list once the person says so: "I need a break" is none. */
export function needing(request: UserRequest): Intent | undefined {
  const item = bare(NEED(request.plain)?.item ?? '');
  if (item === '' || item.split(' ').length > 4 || findTime(item, request)) return undefined;
  return ask(`Shall I put ${item} on your shopping list?`, (answer) =>
    YES.test(answer) ? `add ${item} to my shopping list` : answer,
  );
}

/** "Buy milk tomorrow" is to be reminded of, at an hour that is asked for. */
export function buyingThen(request: UserRequest): Intent | undefined {
  if (!/^(?:buy|kaufe?)\b|\b(?:kaufen|besorgen)$/iu.test(request.plain)) return undefined;
  const text = request.in(`remind me to ${request.text}`, `erinnere mich: ${request.text}`);
  const intent = reminders.recognize({ ...request, text, plain: text });
  return intent?.kind === 'ask' ? intent : undefined;
}
