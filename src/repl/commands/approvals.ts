import { AssistantError } from '../../base/errors.ts';
import { ApprovalRules } from '../../tools/approvals.ts';
import type { Command } from '../command.ts';

export const approvals: Command = {
  name: 'approvals',
  summary: 'Show or take back what you have always allowed',
  usage: ['approvals', 'approvals forget TOOL DESTINATION'],
  async run({ args, parts, out }) {
    const rules = new ApprovalRules(parts.store, () => new Date());
    const [form, tool, destination] = args;
    if (form === undefined || form === 'list') {
      for (const rule of rules.list()) {
        out.row(rule);
        out.line(`${rule.tool} ${rule.destination}`);
      }
      if (rules.list().length === 0) out.line('Nothing is always allowed.');
      return 0;
    }
    if (form !== 'forget' || tool === undefined || destination === undefined)
      throw new AssistantError('bad_usage', 'It is not clear what to take back.', {
        hint: 'Usage: approvals forget TOOL DESTINATION, as `approvals` lists them.',
      });
    const forgotten = rules.forget(tool, destination);
    out.row({ tool, destination, forgotten });
    out.line(forgotten ? `${tool} to ${destination} will be asked about again.` : 'There is no such rule.');
    return forgotten ? 0 : 1;
  },
};
