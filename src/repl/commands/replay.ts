import { AssistantError } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import type { Command } from '../command.ts';

/**
 * Shows whether a change of code or prompts changes what recorded scripts do: tools answer from the record.
 * Rows: `{script, calls, differences}`; exit code 1 when an outcome differs.
 */
export const replay: Command = {
  name: 'replay',
  summary: 'Run the scripts of a past turn again, on recorded results',
  group: 'Tools and approvals',
  usage: ['replay TURN'],
  examples: ['replay turn_1a2b3c'],
  async run({ args, app, out, signal }) {
    const [turnId] = args;
    if (turnId === undefined) {
      throw new AssistantError('bad_usage', 'replay needs the id of a turn.', {
        hint: 'Usage: wooster replay TURN; "wooster log" shows ids',
      });
    }
    const scripts = await app.turns.code.replay(turnId, signal);
    for (const each of scripts) {
      out.row(each);
      const same = each.differences.length === 0;
      const outcome = same ? 'same outcome' : 'different outcome';
      out.line(`script ${each.script}: ${counted(each.calls, 'recorded call')}, ${outcome}`);
      for (const difference of each.differences) out.line(`  ${difference}`);
    }
    return scripts.every(({ differences }) => differences.length === 0) ? 0 : 1;
  },
};
