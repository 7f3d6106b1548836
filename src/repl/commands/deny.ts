import type { Command } from '../command.ts';
import { unclear } from './approve.ts';

/** Drops a call that waits for approval. Rows: `{id, denied}`. */
export const deny: Command = {
  name: 'deny',
  summary: 'Drop a call that waits for approval',
  group: 'Tools and approvals',
  usage: ['deny ID           a proposal of "approvals"'],
  examples: ['deny prop_1a2b3c'],
  async run({ app, args, out, place }) {
    const [id, ...rest] = args;
    if (id === undefined || rest.length > 0) throw unclear('deny');
    const { tool } = await app.tools.proposals.get(id);
    const denied = await app.tools.proposals.deny(id, place === 'slash' ? '/deny' : 'wooster deny');
    out.row({ id, denied });
    const { state } = await app.tools.proposals.get(id);
    out.line(denied ? `${tool} will not be run.` : `It does not wait any more: ${state}.`);
    return denied ? 0 : 1;
  },
};
