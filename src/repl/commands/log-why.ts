import { visible } from '../../base/visible-characters.ts';
import { deciderText } from '../../tools/gate/approval-text.ts';
import { findEffect } from '../../tools/gate/effect-rows.ts';
import { readWhy } from '../../tools/gate/why.ts';
import type { CommandCall } from '../command.ts';
import { badUsage } from '../flags.ts';

/** The policy's classes of effects, in words. */
const ASKED = {
  none: 'it changes nothing',
  recoverable: 'it changes something here that can be undone',
  unkept: 'it overwrites or deletes something here that is not kept',
  later: 'it plans a prompt for later',
  owner: 'it tells the owner',
  service: 'it acts by a service that the owner set up',
  control: 'it changes a control file or a setting',
  others: 'it reaches somebody else',
  irrecoverable: 'it cannot be undone',
} as const;

/**
 * Print why a call was allowed or needed approval: the policy decides again on the recorded facts.
 *
 * @throws AssistantError `bad_usage` when there is no such effect.
 */
export async function explainEffect({ app, out }: CommandCall, id: string): Promise<number> {
  const effect = await findEffect(app.store, id);
  if (!effect) throw badUsage(`There is no effect ${id}.`, '"log --json" shows what was done.');
  const { tool, destination, state, approved_by: by } = effect;
  const why = readWhy(effect.why);
  out.row({ id, tool, destination, state, approvedBy: by, ...(why ?? { question: null, sources: [], answer: null }) });
  out.line(`${id}: ${tool}${destination ? ` to ${visible(destination)}` : ''}, ${state}`);
  if (!why) {
    out.line('  It was done by an older version, which did not record why.');
    return 0;
  }
  const { question, answer, sources } = why;
  const read = [...(question.private ? ['private text'] : []), ...(question.untrusted ? ['untrusted content'] : [])];
  out.line(`  what it can do: ${ASKED[question.can]}`);
  if (question.destination !== 'none') out.line(`  where it goes: ${WHERE[question.destination]}`);
  if (question.ruled) out.line('  a standing rule names tool and recipient');
  out.line(`  read before: ${read.join(' and ') || 'nothing private or untrusted'}${listOf(sources)}`);
  out.line(`  decision: ${answer.verdict === 'allow' ? 'runs' : 'needs approval'}, because ${answer.reason}`);
  if (by !== null) out.line(`  approved by: ${deciderText(by)}`);
  return 0;
}

const WHERE = {
  derived: "an address of the owner's words or of a search",
  free: 'an address, or other words, that neither the owner nor a search gave',
} as const;

function listOf(sources: readonly string[]): string {
  return sources.length === 0 ? '' : `: ${sources.map(visible).join(', ')}`;
}
