import { AGREED_UNSEEN, type ApprovalRequest, type Decision, NOBODY_TO_ASK, type Verdict } from '../base/turn.ts';
import type { Session } from './command.ts';
import { questionText } from './question.ts';
import type { Screen } from './screen.ts';

const QUESTION = 'Allow it?';
const OPTIONS = [
  { key: 'y', label: 'yes, once' },
  { key: 't', label: 'turn: yes, until this answer is complete' },
  { key: 'a', label: 'always, from now on' },
  { key: 'n', label: 'no' },
] as const;
const VERDICTS: Readonly<Record<string, Verdict>> = { y: 'once', t: 'turn', a: 'always' };

/**
 * Ask for approval on the terminal. Anything but a clear yes is a denial, as is having nobody to ask.
 *
 * @param signal  withdraws the question.
 */
export async function approveOn(
  screen: Screen,
  session: Session,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<Decision> {
  if (session.yes) return AGREED_UNSEEN;
  const text = questionText(request, screen.columns);
  const key = await screen.choose({ text, question: QUESTION, options: OPTIONS, safe: 'n' }, signal);
  if (key === undefined) return NOBODY_TO_ASK;
  return { verdict: VERDICTS[key] ?? 'denied', by: 'terminal' };
}
