import { parseJson } from '../base/json.ts';
import { isCut } from '../base/text.ts';
import type { Outcome } from '../models/message-data.ts';
import { say } from '../when/told.ts';
import type { Language } from '../words/spelling.ts';
import { answerLanguage } from './language.ts';
import { tell } from './reply.ts';
import type { Action, Intent, Result } from './request.ts';

/** What a call gave, with its text read. */
export function resultOf(outcome: Outcome): Result {
  return { ...outcome, value: outcome.value ?? parseJson(outcome.text) ?? outcome.text };
}

/** What to tell the person about finished calls: one line each, or what the intent makes of them together. */
export function report(
  intent: Intent & { readonly kind: 'act' },
  outcomes: readonly Outcome[],
  language: Language,
): string {
  const { actions, together } = intent;
  const results = outcomes.map(resultOf);
  const failed = results.find(({ ok }) => !ok);
  if (together && !failed && results.length === actions.length) return asFits(together(results), language);
  const lines = results.map((result, at) => said(result, actions[at], language));
  return asFits(lines.filter((line) => line !== '').join('\n'), language);
}

/** Longer than people read, and a result may have millions of characters. */
const MOST_CHARS = 10_000;

/** The first and the last lines of what is too long, and that there is more. */
function asFits(text: string, language: Language): string {
  if (text.length <= MOST_CHARS) return text;
  const head = text.slice(0, MOST_CHARS / 2).replace(/\n[^\n]*$/u, '');
  const tail = text.slice(-MOST_CHARS / 2).replace(/^[^\n]*\n/u, '');
  return tell('cut', { language }, { head, tail });
}

function said(result: Result, action: Action | undefined, language: Language): string {
  if (!result.ok) return failureIn(language, result);
  // What no reply can read is shown as it is: "nothing" would be wrong.
  return action && !(isCut(result.text) && typeof result.value === 'string') ? action.say(result) : result.text;
}

/** What went wrong, as the person is told it: by its code where it has a sentence, else as the tool reported it. */
export function failureIn(language: Language, { told, text }: Pick<Outcome, 'told' | 'text'>): string {
  const { message, hint } = told?.values ?? {};
  const own = told && say(told, language);
  const reported =
    own === undefined ? String(message ?? text) : [own, language === 'en' && hint].filter(Boolean).join(' ');
  const isForeign = own === undefined && language === 'de' && reported !== '' && answerLanguage(reported, []) !== 'de';
  return isForeign
    ? tell('failed in english', { language }, { problem: reported.replace(/\.$/u, '') })
    : tell('failed', { language }, { problem: reported });
}
