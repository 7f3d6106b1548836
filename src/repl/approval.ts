import { type ApprovalRequest, type Decision, NOBODY_TO_ASK, type Verdict } from '../base/turn.ts';
import { describeApproval } from '../tools/gate/approval-text.ts';
import type { Session } from './command.ts';
import { printable, type Screen } from './screen.ts';

const VERDICTS: Readonly<Record<string, Verdict>> = {
  y: 'once',
  yes: 'once',
  t: 'turn',
  turn: 'turn',
  a: 'always',
  always: 'always',
};

/** Ask for approval on the terminal. Anything but a clear yes is a denial, and so is nobody to ask. */
export async function approveOn(
  screen: Screen,
  session: Session,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<Decision> {
  if (session.yes) return { verdict: 'once', by: '--yes' };
  screen.note(printable(describeApproval(request)));
  const reply = await screen.ask('Allow it? [y]es once, for this [t]urn, [a]lways, [N]o: ', signal);
  if (reply === undefined) return NOBODY_TO_ASK;
  return { verdict: VERDICTS[reply.trim().toLowerCase()] ?? 'denied', by: 'terminal' };
}
