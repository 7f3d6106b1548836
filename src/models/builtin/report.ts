import { parseJson } from '../../base/json.ts';
import type { Language } from '../../when/say.ts';
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
  const results: Result[] = outcomes.map((outcome) => ({ ...outcome, value: parseJson(outcome.text) ?? outcome.text }));
  const failed = results.find(({ ok }) => !ok);
  if (together && !failed && results.length === actions.length) return together(results);
  return results
    .map((result, at) => said(result, actions[at], language))
    .filter((line) => line !== '')
    .join('\n');
}

function said(result: Result, action: Action | undefined, language: Language): string {
  if (!result.ok) return `${FAILED[language]}: ${failureIn(language, result.text)}`;
  return action ? action.say(result) : result.text;
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
