import type { Turn } from '../base/turn.ts';
import { aboutOf, type Proposal } from '../tools/gate/proposals.ts';

const OUTCOMES: Readonly<Partial<Record<Proposal['state'], string>>> = {
  done: 'approved by the owner, and done',
  failed: 'approved by the owner, but it failed',
  unknown: 'approved by the owner; how it ended is unknown',
  denied: 'denied by the owner, so it was not done',
  expired: 'not decided in time, so it was not done',
};

/**
 * What a model is told of calls that wait, and of what became of those of its conversation. Names and ids only: the
 * arguments may be text of others.
 */
export function proposalLines(proposals: readonly Proposal[], turn: Turn): string[] {
  const waiting = proposals.filter(({ project, state }) => project === turn.project && state === 'waiting');
  const decided = proposals.filter(({ conversationId, state }) => {
    return conversationId === turn.conversationId && OUTCOMES[state] !== undefined;
  });
  return [
    ...waiting.map(({ id, tool, conversationId }) => {
      const whose = conversationId === turn.conversationId ? '' : ', of another conversation,';
      return `${id} (${tool})${whose} waits for the owner's approval: do not call it again.`;
    }),
    ...decided.map(({ id, tool, state }) => `${id} (${tool}) was ${OUTCOMES[state]}.`),
  ];
}

/** An answer with a last line for each call that waits, so that the owner learns of it whatever the model says. */
export function withProposals(text: string, proposals: readonly Proposal[]): string {
  const lines = proposals.map((proposal) => {
    const what = `${proposal.tool} ${aboutOf(proposal)}`.trim();
    const { id } = proposal;
    return `Waiting for your approval: ${what}. "wooster approve ${id}" does it, "wooster deny ${id}" drops it.`;
  });
  return [text, lines.join('\n')].filter((part) => part !== '').join('\n\n');
}
