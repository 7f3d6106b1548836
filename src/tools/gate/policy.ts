import type { Change, Effect } from '../tool.ts';

/** Everything the decision may depend on; nothing else may be looked at. */
export interface PolicyQuestion {
  readonly effect: Effect;
  /** For local effects. */
  readonly change: Change;
  /** What the conversation has read. */
  readonly untrusted: boolean;
  readonly private: boolean;
  /** For outbound effects: who is reached. `ruled` = an allow rule in settings or a remembered "always". */
  readonly recipient: 'own' | 'job' | 'ruled' | 'other';
  /** For calls that leave the machine without sending: is the address from the person's words or a search result? */
  readonly destination: 'none' | 'derived' | 'free';
}

export interface PolicyAnswer {
  readonly verdict: 'allow' | 'approve';
  readonly reason: string;
}

const RISKY: ReadonlySet<Change> = new Set(['overwrite', 'delete', 'schedule', 'settings']);

/** Decide whether a call runs or has to be asked for. Pure; docs/security.md prints it as a table. */
export function policy(question: PolicyQuestion): PolicyAnswer {
  if (question.destination === 'free' && question.untrusted && question.private) {
    return approve(
      'the conversation holds private text and text of strangers, and this address comes from neither you nor a search',
    );
  }
  if (question.effect === 'none') return allow('it changes nothing');
  if (question.effect === 'local') return decideLocal(question);
  return decideOutbound(question);
}

function decideLocal(question: PolicyQuestion): PolicyAnswer {
  if (!RISKY.has(question.change)) return allow('it only adds');
  if (!question.untrusted) return allow('the conversation has read nothing of strangers');
  return approve(`it would ${verb(question.change)} after reading text of strangers`);
}

function decideOutbound(question: PolicyQuestion): PolicyAnswer {
  if (question.recipient === 'ruled') return allow('a rule allows it');
  if (question.recipient === 'job') return allow("it is the job's own channel");
  if (question.recipient === 'own' && !question.untrusted) return allow('it goes to your own channel');
  if (question.recipient === 'own') return approve('it sends a message after reading text of strangers');
  return approve('it reaches somebody outside your own channels');
}

function verb(change: Change): string {
  return change === 'settings' ? 'change settings' : change;
}

function allow(reason: string): PolicyAnswer {
  return { verdict: 'allow', reason };
}

function approve(reason: string): PolicyAnswer {
  return { verdict: 'approve', reason };
}
