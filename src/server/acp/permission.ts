import type { AgentContext, PermissionOption, RequestPermissionRequest } from '@agentclientprotocol/sdk';
import { methods } from '@agentclientprotocol/sdk';
import { type ApprovalRequest, type Decision, NOBODY_TO_ASK, type Verdict } from '../../base/turn.ts';
import { describeApproval } from '../../tools/gate/approval-text.ts';
import { textBlock, titleOf } from './updates.ts';

/** Stored with the effect. */
const DECIDER = 'editor';

const ONCE = { optionId: 'once', name: 'Allow once', kind: 'allow_once' } as const;
const TURN = { optionId: 'turn', name: 'Allow until this answer is complete', kind: 'allow_always' } as const;
const ALWAYS = { optionId: 'always', name: 'Always allow this recipient', kind: 'allow_always' } as const;
const DENY = { optionId: 'denied', name: 'Do not allow', kind: 'reject_once' } as const;

/**
 * Ask the person in the editor. Whatever is no clear yes is a denial; an editor that cannot ask counts as nobody, so
 * that the call waits as a proposal.
 *
 * @param callId the call that waits.
 * @param signal withdraws the question: the turn was cancelled, or somebody decided elsewhere.
 */
export async function askEditor(
  client: AgentContext,
  { sessionId, callId, signal }: { readonly sessionId: string; readonly callId: string; readonly signal: AbortSignal },
  request: ApprovalRequest,
): Promise<Decision> {
  const options = optionsFor(request);
  const asked: RequestPermissionRequest = {
    sessionId,
    options,
    toolCall: {
      toolCallId: callId,
      title: titleOf(request.tool, request.input),
      status: 'pending',
      content: [{ type: 'content', content: textBlock(describeApproval(request)) }],
    },
  };
  try {
    const { outcome } = await client.request(methods.client.session.requestPermission, asked, {
      cancellationSignal: signal,
    });
    const chosen = outcome.outcome === 'selected' ? outcome.optionId : DENY.optionId;
    const known = options.some(({ optionId }) => optionId === chosen);
    return { verdict: known ? (chosen as Verdict) : 'denied', by: DECIDER };
  } catch {
    return NOBODY_TO_ASK;
  }
}

/** A standing rule names a tool and who is reached: without a recipient there is none to offer. */
function optionsFor({ destination, diff }: ApprovalRequest): PermissionOption[] {
  return [ONCE, TURN, ...(destination !== undefined && diff === undefined ? [ALWAYS] : []), DENY];
}
