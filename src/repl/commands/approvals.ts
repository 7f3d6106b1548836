import { AssistantError } from '../../base/errors.ts';
import { preview } from '../../base/text.ts';
import type { ScheduledJob } from '../../scheduler/types.ts';
import { ApprovalRules } from '../../tools/gate/approvals.ts';
import type { Command, CommandCall } from '../command.ts';

/**
 * Standing approvals (`always` at the prompt) and those that a rehearsal gave a job (`schedule rehearse --pin`).
 * Rows: `{tool, destination}` of a standing approval, `{job, prompt, tools, destinations}` of a job.
 */
export const approvals: Command = {
  name: 'approvals',
  summary: 'List or withdraw standing approvals',
  group: 'Tools and approvals',
  usage: ['approvals', 'approvals forget TOOL DESTINATION', 'approvals forget JOB        what a rehearsal approved'],
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

async function list(call: CommandCall): Promise<number> {
  const { app, out } = call;
  const rules = await rulesOf(call).list();
  for (const rule of rules) {
    out.row(rule);
    out.line(`${rule.tool} ${rule.destination}`);
  }
  const pinned = (await app.scheduler.list()).filter(({ pin }) => pin !== undefined);
  for (const { id, prompt, pin } of pinned) {
    out.row({ job: id, prompt, ...pin });
    const [tools, places] = [pin?.tools ?? [], pin?.destinations ?? []];
    const where = places.length > 0 ? `, to ${places.join(', ')}` : '';
    out.line(`${id} "${preview(prompt, 40)}" may use ${tools.join(', ') || 'no tools'}${where}; nothing else`);
  }
  if (rules.length + pinned.length === 0) out.line('No standing approvals.');
  return 0;
}

async function forgetPin({ app, out }: CommandCall, id: string): Promise<number> {
  const job = await jobOf(app.scheduler, id);
  if (!job) throw unclear();
  await app.scheduler.unpin(id);
  out.row({ job: id, forgotten: job.pin !== undefined });
  out.line(job.pin ? `${id} has no standing approvals any more.` : `${id} has no standing approvals.`);
  return job.pin ? 0 : 1;
}

async function jobOf(scheduler: CommandCall['app']['scheduler'], id: string): Promise<ScheduledJob | undefined> {
  return (await scheduler.list()).find((job) => job.id === id);
}

function unclear(): AssistantError {
  return new AssistantError('bad_usage', 'It is not clear which approval you mean.', {
    hint: 'Usage: approvals forget TOOL DESTINATION, or approvals forget JOB; "approvals" lists them.',
  });
}
