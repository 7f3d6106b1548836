import { parseJson } from '../../base/json.ts';
import type { Outcome } from './model-input.ts';
import type { Action, Intent, Result } from './request.ts';

/** What to tell the person about finished calls: one line each, or what the skill makes of them together. */
export function report(intent: Intent & { readonly kind: 'act' }, outcomes: readonly Outcome[]): string {
  const { actions, together } = intent;
  const results: Result[] = outcomes.map((outcome) => ({ ...outcome, value: parseJson(outcome.text) ?? outcome.text }));
  const failed = results.find(({ ok }) => !ok);
  if (together && !failed && results.length === actions.length) return together(results);
  return results
    .map((result, at) => said(result, actions[at]))
    .filter((line) => line !== '')
    .join('\n');
}

function said(result: Result, action: Action | undefined): string {
  if (!result.ok) return `That did not work: ${withoutAdvice(result.text.replace(/^error:\s*/iu, ''))}`;
  return action ? action.say(result) : result.text;
}

/** A refusal ends with advice for models, which is not for the person. */
export function withoutAdvice(text: string): string {
  return text.replace(/\s*Do not try it again; say what you could not do\.\s*$/u, '');
}
