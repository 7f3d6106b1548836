import { AssistantError } from '../../base/errors.ts';
import { preview } from '../../base/text.ts';
import type { ScheduledJob } from '../../scheduler/types.ts';
import { ApprovalRules } from '../../tools/gate/approvals.ts';
import { aboutOf, type Proposal, placeOf } from '../../tools/gate/proposals.ts';
import { showWall } from '../../when/zone.ts';
import type { Schedule } from '../app.ts';
import type { Command, CommandCall } from '../command.ts';

/**
 * The calls that wait for approval, standing approvals (`always` at the prompt), and those that a rehearsal gave a job
 * (`schedule rehearse --pin`). Rows: `{id, kind, tool, input, destination, reason, createdAt, expiresAt, state}`, and
 * `{job, prompt, tools, destinations}` too for a job.
 */
export const approvals: Command = {
  name: 'approvals',
  summary: 'List the calls that wait for approval, and standing approvals',
  group: 'Tools and approvals',
  usage: ['approvals', 'approvals forget TOOL DESTINATION', 'approvals forget JOB        what a rehearsal approved'],
  examples: ['approvals', 'approvals forget fetch_text example.org'],
  async run(call) {
    const { args, out } = call;
    const [form, what, destination] = args;
    if (form === undefined || form === 'list') return await list(call);
    if (form === 'forget' && what !== undefined) {
      if (destination === undefined) return await forgetPin(call, what);
      const forgotten = await rulesOf(call).forget(what, destination);
      out.row({ tool: what, destination, forgotten });
      out.line(forgotten ? `${what} to ${destination} needs approval again.` : 'There is no such approval.');
      return forgotten ? 0 : 1;
    }
    throw unclear();
  },
};

function rulesOf({ app }: CommandCall): ApprovalRules {
  return new ApprovalRules(app.store, () => new Date());
}

/** What waits first, then what stands. One row each, whatever its kind. */
async function list(call: CommandCall): Promise<number> {
  const { app, out } = call;
  const proposals = await app.tools.proposals.list();
  for (const proposal of proposals) {
    out.row(proposalRow(proposal));
    out.line(proposalLine(proposal, app.home.timeZone));
  }
  const rules = await rulesOf(call).list();
  for (const rule of rules) {
    out.row({ ...NO_CALL, ...rule, kind: 'rule' });
    out.line(`${rule.tool} ${rule.destination}`);
  }
  const pinned = await app.schedule.jobs.named(await app.schedule.jobs.ids({ finished: true, pinned: true }));
  for (const { id, prompt, pin } of pinned) {
    const [tools, places] = [pin?.tools ?? [], pin?.destinations ?? []];
    const about = { tool: tools.join(', '), destination: places.join(', ') || null, reason: 'a rehearsal of the job' };
    out.row({ ...NO_CALL, ...about, kind: 'pin', id, job: id, prompt, ...pin });
    const where = places.length > 0 ? `, to ${places.join(', ')}` : '';
    out.line(`${id} "${preview(prompt, 40)}" may use ${tools.join(', ') || 'no tools'}${where}; nothing else`);
  }
  if (proposals.some(({ state }) => state === 'waiting'))
    out.line('"approve ID" runs one of them, "deny ID" drops it.');
  if (proposals.length + rules.length + pinned.length === 0)
    out.line('Nothing waits, and there are no standing approvals.');
  return 0;
}

/** What standing approvals have none of. */
const NO_CALL = { input: null, reason: 'an "always" answer', createdAt: null, expiresAt: null, state: 'standing' };

function proposalRow(proposal: Proposal): Record<string, unknown> {
  const { id, tool, input, reason, createdAt, expiresAt, state } = proposal;
  return {
    id,
    kind: 'proposal',
    tool,
    input,
    destination: placeOf(proposal) || null,
    reason,
    createdAt,
    expiresAt,
    state,
  };
}

function proposalLine(proposal: Proposal, timeZone: string): string {
  const { id, state, tool, reason, expiresAt } = proposal;
  const until = state === 'waiting' ? `; until ${showWall(new Date(expiresAt), timeZone)}` : '';
  return `${id}  ${state.padEnd(7)}  ${tool} ${aboutOf(proposal)}  (${reason}${until})`;
}

async function forgetPin({ app, out }: CommandCall, id: string): Promise<number> {
  const job = await jobOf(app.schedule.jobs, id);
  if (!job) throw unclear();
  await app.schedule.jobs.unpin(id);
  out.row({ job: id, forgotten: job.pin !== undefined });
  out.line(job.pin ? `${id} has no standing approvals any more.` : `${id} has no standing approvals.`);
  return job.pin ? 0 : 1;
}

async function jobOf(scheduler: Schedule['jobs'], id: string): Promise<ScheduledJob | undefined> {
  return (await scheduler.named([id]))[0];
}

function unclear(): AssistantError {
  return new AssistantError('bad_usage', 'It is not clear which approval you mean.', {
    hint: 'Usage: approvals forget TOOL DESTINATION, or approvals forget JOB; "approvals" lists them.',
  });
}
