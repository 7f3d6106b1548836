import { AssistantError } from '../../base/errors.ts';
import { preview } from '../../base/text.ts';
import type { Job } from '../../scheduler/types.ts';
import { ApprovalRules } from '../../tools/gate/approvals.ts';
import type { Command, CommandCall } from '../command.ts';

export const approvals: Command = {
  name: 'approvals',
  summary: 'Show or take back what you have always allowed',
  usage: ['approvals', 'approvals forget TOOL DESTINATION', 'approvals forget JOB        what was pinned for a job'],
  async run(call) {
    const { args, out } = call;
    const [form, what, destination] = args;
    if (form === undefined || form === 'list') return await list(call);
    if (form === 'forget' && what !== undefined) {
      if (destination === undefined) return await forgetPin(call, what);
      const forgotten = new ApprovalRules(call.app.store, () => new Date()).forget(what, destination);
      out.row({ tool: what, destination, forgotten });
      out.line(forgotten ? `${what} to ${destination} will be asked about again.` : 'There is no such rule.');
      return forgotten ? 0 : 1;
    }
    throw notClear();
  },
};

async function list({ app, out }: CommandCall): Promise<number> {
  const rules = new ApprovalRules(app.store, () => new Date()).list();
  for (const rule of rules) {
    out.row(rule);
    out.line(`${rule.tool} ${rule.destination}`);
  }
  const pinned = (await app.scheduler.list()).filter(({ pin }) => pin !== undefined);
  for (const { id, prompt, pin } of pinned) {
    out.row({ job: id, prompt, ...pin });
    const [tools, places] = [pin?.tools ?? [], pin?.destinations ?? []];
    const where = places.length > 0 ? `, to ${places.join(', ')}` : '';
    out.line(`${id} "${preview(prompt, 40)}" and nothing else: ${tools.join(', ') || 'no tools'}${where}`);
  }
  if (rules.length + pinned.length === 0) out.line('Nothing is always allowed.');
  return 0;
}

async function forgetPin({ app, out }: CommandCall, id: string): Promise<number> {
  const job = await jobOf(app.scheduler, id);
  if (!job) throw notClear();
  await app.scheduler.unpin(id);
  out.row({ job: id, forgotten: job.pin !== undefined });
  out.line(job.pin ? `${id} may do nothing any more that has to be asked for.` : `Nothing was pinned for ${id}.`);
  return job.pin ? 0 : 1;
}

async function jobOf(scheduler: CommandCall['app']['scheduler'], id: string): Promise<Job | undefined> {
  return (await scheduler.list()).find((job) => job.id === id);
}

function notClear(): AssistantError {
  return new AssistantError('bad_usage', 'It is not clear what to take back.', {
    hint: 'Usage: approvals forget TOOL DESTINATION, or forget JOB, as `approvals` lists them.',
  });
}
