import type { Change, Effect } from '../tool.ts';

/** Everything that the decision may depend on. */
export interface PolicyQuestion {
  readonly effect: Effect;
  /** For local effects. */
  readonly change: Change;
  /** What the conversation has read. */
  readonly untrusted: boolean;
  readonly private: boolean;
  /**
   * For outbound effects: who is reached. `own`: a channel of the owner's. `job`: the channel that the running job
   * reports to. `ruled`: anybody covered by a standing approval.
   */
  readonly recipient: 'own' | 'job' | 'ruled' | 'other';
  /** For calls that leave the machine without sending: is the address one of the person's words or a search? */
  readonly destination: 'none' | 'derived' | 'free';
}

export interface PolicyAnswer {
  readonly verdict: 'allow' | 'approve';
  readonly reason: string;
}

const RISKY: ReadonlySet<Change> = new Set(['overwrite', 'delete', 'schedule', 'settings']);

/** Decide whether a call runs or needs approval. Pure; docs/security.md prints it as a table. */
export function policy(question: PolicyQuestion): PolicyAnswer {
  if (question.destination === 'free' && question.untrusted && question.private) {
    return approve(
      'the conversation has read private and untrusted content, and this address comes from neither you nor a search',
    );
  }
  if (question.effect === 'none') return allow('it changes nothing');
  if (question.effect === 'local') return decideLocal(question);
  return decideOutbound(question);
}

function decideLocal(question: PolicyQuestion): PolicyAnswer {
  if (!RISKY.has(question.change)) return allow('it only adds');
  if (!question.untrusted) return allow('the conversation has read no untrusted content');
  return approve(`it would ${verb(question.change)} after reading untrusted content`);
}

function decideOutbound(question: PolicyQuestion): PolicyAnswer {
  if (question.recipient === 'ruled') return allow('a rule allows it');
  if (question.recipient === 'job') return allow("it is the job's own channel");
  if (question.recipient === 'own' && !question.untrusted) return allow('it goes to your own channel');
  if (question.recipient === 'own') return approve('it sends a message after reading untrusted content');
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
