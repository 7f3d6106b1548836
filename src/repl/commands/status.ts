import { counted } from '../../base/text.ts';
import type { Command, Output } from '../command.ts';
import { storeLine } from '../status-checks.ts';
import type { Status } from '../status-report.ts';

/** One row, for monitoring: `{store, runs, outbox, index}`. Exit code 0 whatever the numbers are. */
export const status: Command = {
  name: 'status',
  summary: 'Show database, jobs, messages, workers and indexes in numbers',
  group: 'Maintenance',
  usage: ['status [--json]'],
  examples: ['status --json'],
  async run({ app, out }) {
    const report = await app.home.status();
    out.row(report);
    show(report, out);
    return 0;
  },
};

function show({ store, runs, outbox, index }: Status, out: Output): void {
  out.line(`store    ${storeLine(store)}`);
  out.line(`         ${store.place}`);
  out.line(`jobs     ${counted(runs.due, 'run')} due, ${runs.inProgress} in progress${since(runs.oldestDueMs)}`);
  for (const { id, host, seenMsAgo } of runs.workers) out.line(`worker   ${id} on ${host}, seen ${ago(seenMsAgo)}`);
  out.line(`outbox   ${outbox.pending} pending, ${outbox.sending} being sent${since(outbox.oldestDueMs)}`);
  for (const { project, revision, behind } of index)
    out.line(`index    ${project}: revision ${revision}, ${behind === 0 ? 'up to date' : `${behind} behind`}`);
}

function since(oldestDueMs: number | null): string {
  return oldestDueMs === null ? '' : `; the oldest is due since ${Math.round(oldestDueMs / 1000)} s`;
}

function ago(ms: number): string {
  return `${Math.round(ms / 1000)} s ago`;
}
