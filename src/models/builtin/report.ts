import { parseJson } from '../../base/json.ts';
import { isCut } from '../../base/text.ts';
import type { Language } from '../../words/spelling.ts';
import { failureInGerman } from './failures-german.ts';
import type { Outcome } from './model-input.ts';
import type { Action, Intent, Result } from './request.ts';

/** What to tell the person about finished calls: one line each, or what the skill makes of them together. */
export function report(
  intent: Intent & { readonly kind: 'act' },
  outcomes: readonly Outcome[],
  language: Language,
): string {
  const { actions, together } = intent;
  const results: Result[] = outcomes.map((outcome) => ({ ...outcome, value: valueIn(outcome.text) ?? outcome.text }));
  const failed = results.find(({ ok }) => !ok);
  if (together && !failed && results.length === actions.length) return together(results);
  return results
    .map((result, at) => said(result, actions[at], language))
    .filter((line) => line !== '')
    .join('\n');
}

function said(result: Result, action: Action | undefined, language: Language): string {
  if (!result.ok) return `${FAILED[language]}: ${failureIn(language, result.text)}`;
  if (!action) return result.text;
  if (!isCut(result.text)) return action.say(result);
  // What no skill can read is shown as it is: "nothing" would be wrong.
  return result.value === result.text ? result.text : `${action.say(result)}\n${CUT[language]}`;
}

const CUT = { en: '(There is more than fits here.)', de: '(Es gibt mehr, als hier Platz hat.)' };

/** What a call returned; of a list that was cut in the middle, the rows that are whole. */
function valueIn(text: string): unknown {
  const whole = parseJson(text);
  if (whole !== undefined || !text.startsWith('[') || !isCut(text)) return whole;
  const [head = '', tail = ''] = text.split(/\n… \d+ characters left out …\n/u);
  // Behind the list may be where the whole of it is kept.
  const rows = [...rowsOf(head, 'first'), ...rowsOf(tail.slice(0, tail.lastIndexOf('}]') + 2), 'last')];
  return rows.length > 0 ? rows : undefined;
}

/** The most rows that the beginning or the end of a list holds whole. */
function rowsOf(part: string, which: 'first' | 'last'): unknown[] {
  const borders = [...part.matchAll(/\},\{/gu)].map(({ index }) => index + 1);
  for (const at of which === 'first' ? borders.reverse() : borders) {
    const rows = parseJson(which === 'first' ? `${part.slice(0, at)}]` : `[${part.slice(at + 1)}`);
    if (Array.isArray(rows)) return rows;
  }
  return [];
}

/** What went wrong, as the person is told it. */
export function failureIn(language: Language, text: string): string {
  const problem = withoutAdvice(text);
  return language === 'de' ? failureInGerman(problem) : problem;
}

export const FAILED = { en: 'That did not work', de: 'Das hat nicht geklappt' };

/** A failure names the tool and ends with advice for models, neither of which is for the person. */
function withoutAdvice(text: string): string {
  return text
    .replace(/^(?:error:\s*)?(?:\w+ failed:\s*)?/iu, '')
    .replace(/(?<!\s)\s*Do not try it again; say what you could not do\.\s*$/u, '');
}
