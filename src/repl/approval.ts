import { preview } from '../base/text.ts';
import type { ApprovalRequest, Decision, Verdict } from '../base/turn.ts';
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

/** Ask the person at the terminal; without one, the answer is no. Anything but a clear yes is a no. */
export async function approveOn(
  screen: Screen,
  session: Session,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<Decision> {
  if (session.yes) return { verdict: 'once', by: '--yes' };
  screen.note(printable(describe(request)));
  const reply = await screen.ask('Allow it? [y]es once, for this [t]urn, [a]lways, [N]o: ', signal);
  if (reply === undefined) return { verdict: 'denied', by: 'no approver' };
  return { verdict: VERDICTS[reply.trim().toLowerCase()] ?? 'denied', by: 'terminal' };
}

function describe({ tool, input, destination, reason, provenance }: ApprovalRequest): string {
  const lines = [
    `Wooster wants to use ${tool}: ${preview(JSON.stringify(input) ?? '', 500)}`,
    ...(destination === undefined ? [] : [`  to: ${destination}`]),
    `  why you are asked: ${reason}`,
  ];
  const read = [provenance.private ? 'private text' : '', provenance.untrusted ? 'text of strangers' : ''].filter(
    Boolean,
  );
  if (read.length > 0)
    lines.push(`  this conversation has read ${read.join(' and ')}: ${provenance.sources.join(', ')}`);
  return lines.join('\n');
}
