import type { Approved, Approver } from '../../agent/approved-calls.ts';
import { AssistantError } from '../../base/errors.ts';
import { visible } from '../../base/visible-characters.ts';
import { describeApproval } from '../../tools/gate/approval-text.ts';
import type { Command, CommandCall } from '../command.ts';

/** Why a proposal was not run. */
const REASONS: Readonly<Record<Exclude<Approved['outcome'], 'ran'>, string>> = {
  busy: 'It is being run just now, here or in another program, or was stopped before it began. Look again in a minute.',
  missing: 'Its tool is not there now.',
  done: 'It has run already; nothing runs twice.',
  failed: 'It was run and failed.',
  unknown: 'It was begun, and how it ended is unknown, so it is not run again.',
  denied: 'It was denied.',
  expired: 'It waited too long. Ask for it again.',
};

/**
 * Runs a call that nobody could be asked about, exactly as it was proposed; or lifts the restriction of a job that was
 * made while untrusted content was being read. Rows: `{id, outcome, result}`.
 */
export const approve: Command = {
  name: 'approve',
  summary: 'Run a call that waits for approval, once',
  group: 'Tools and approvals',
  usage: ['approve ID        a proposal of "approvals"', 'approve JOB       a restricted job may act from now on'],
  examples: ['approve prop_1a2b3c'],
  async run(call) {
    const [id, ...rest] = call.args;
    if (id === undefined || rest.length > 0) throw unclear('approve');
    return id.startsWith('job_') ? await approveJob(call, id) : await approveCall(call, id);
  },
};

async function approveCall({ app, out, place, signal }: CommandCall, id: string): Promise<number> {
  const waiting = await app.tools.proposals.get(id);
  out.line(describeApproval({ ...waiting, destination: waiting.target }));
  return runProposal({ app, out }, id, { by: place === 'slash' ? '/approve' : 'wooster approve', signal });
}

/** Run a proposal that the person has seen. @returns the exit code. */
export async function runProposal(
  { app, out }: Pick<CommandCall, 'app' | 'out'>,
  id: string,
  approver: Approver,
): Promise<number> {
  const { outcome, text } = await app.tools.approve(id, approver);
  out.row({ id, outcome, result: text });
  if (outcome !== 'ran') out.line(REASONS[outcome]);
  if (outcome === 'ran' || outcome === 'failed' || outcome === 'missing') out.line(visible(text));
  return outcome === 'ran' ? 0 : 1;
}

async function approveJob({ app, out }: CommandCall, id: string): Promise<number> {
  const { job } = await app.schedule.jobs.show(id, 1);
  if (!job.restricted) {
    out.row({ id, outcome: 'done', result: '' });
    out.line(`${id} is not restricted.`);
    return 1;
  }
  await app.schedule.jobs.approve(id);
  out.row({ id, outcome: 'ran', result: job.prompt });
  out.line(`${id} runs as if you had written it: ${visible(job.prompt)}`);
  return 0;
}

/** @throws AssistantError `bad_usage` for anything but one id. */
export function unclear(command: string): AssistantError {
  return new AssistantError('bad_usage', 'It is not clear which call you mean.', {
    hint: `Usage: ${command} ID; "approvals" lists what waits.`,
  });
}
