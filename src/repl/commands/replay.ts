import { AssistantError } from '../../base/errors.ts';
import type { Command } from '../command.ts';

/** `wooster replay TURN`, `/replay TURN`. */
export const replay: Command = {
  name: 'replay',
  summary: "Run a past turn's scripts again from the record, without acting",
  usage: ['replay TURN'],
  async run({ args, app, out, signal }) {
    const [turnId] = args;
    if (turnId === undefined) {
      throw new AssistantError('bad_usage', 'replay needs the id of a turn.', { hint: 'wooster replay TURN' });
    }
    const scripts = await app.code.replay(turnId, signal);
    for (const each of scripts) {
      out.row(each);
      const same = each.differences.length === 0;
      out.line(
        `script ${each.script}: ${each.calls} recorded calls, ${same ? 'the same outcome' : 'a different outcome'}`,
      );
      for (const difference of each.differences) out.line(`  ${difference}`);
    }
    return scripts.every(({ differences }) => differences.length === 0) ? 0 : 1;
  },
};
