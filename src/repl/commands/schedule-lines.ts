import { counted, preview } from '../../base/text.ts';
import { approvalCode } from '../../scheduler/approval-code.ts';
import { isOverdue } from '../../scheduler/overdue.ts';
import type { RunRecord, ScheduledJob } from '../../scheduler/types.ts';
import { showWall } from '../../when/zone.ts';

/** When a job runs next, or why it does not. */
export function nextOf(job: ScheduledJob): string {
  if (!job.enabled) return `paused (${job.pausedBecause ?? 'off'})`;
  if (job.next && isOverdue(job.next, new Date())) return `overdue since ${showWall(job.next, job.timeZone)}`;
  if (job.next) return showWall(job.next, job.timeZone);
  return job.kind === 'on' ? 'when something changes' : 'running or finished';
}

/** The policies of a job, on one line. */
export function policyLine({ options }: ScheduledJob, defaultChannel: string): string {
  const { catchUp, overlap, deadlineMs, retries, pauseAfter, to } = options;
  const patience = `retries: ${retries}, paused after ${counted(pauseAfter, 'failure')}`;
  const limits = `deadline: ${deadlineMs / 1000} s, ${patience}`;
  return `missed runs: ${catchUp}, overlap: ${overlap}, ${limits}, to: ${to ?? defaultChannel}`;
}

/** `2 failures in a row`. */
export function failuresText({ failures }: ScheduledJob): string {
  return `${counted(failures, 'failure')} in a row`;
}

/** What a job may not do that was made while untrusted content was being read. */
export function restrictedLine(job: ScheduledJob): string {
  const why = 'it was made while untrusted content was being read';
  const approval = `${job.id}@${approvalCode(job)}`;
  return `  restricted: ${why}, so it may only read, and tell you; \`wooster approve ${approval}\` lifts that`;
}

/** One past run. */
export function runLine(run: RunRecord, timeZone: string): string {
  const took = run.startedAt && run.finishedAt ? ` in ${run.finishedAt.getTime() - run.startedAt.getTime()} ms` : '';
  const cost = run.costUsd ? ` $${run.costUsd.toFixed(4)}` : '';
  const missed = run.missed > 0 ? ` (+${run.missed} missed before)` : '';
  const where = run.conversationId ? ` [${run.conversationId}]` : '';
  const said = preview(run.error ?? run.output ?? '', 80);
  const outcome = `${run.reason}: ${run.state}${took}${cost}${missed}, delivery ${run.delivery}`;
  return `${showWall(run.scheduledFor, timeZone)} ${outcome}${where}${said ? `: ${said}` : ''}`;
}

/** A job as `--json` shows it; the fields are frozen. */
export function jobRow(job: ScheduledJob): Record<string, unknown> {
  const { id, prompt, task, taskKey, kind, description, timeZone, project, enabled, pausedBecause, failures } = job;
  const next = job.next?.toISOString() ?? null;
  const state = { project, enabled, pausedBecause, failures, next };
  return { id, prompt, task, taskKey, kind, when: job.said, description, timeZone, ...state };
}
