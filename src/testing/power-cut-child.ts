import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ApprovedCalls } from '../agent/approved-calls.ts';
import { Conversations } from '../conversation/conversations.ts';
import { Proposals } from '../tools/gate/proposals.ts';
import { defineTool } from '../tools/tool.ts';
import { KeptStates } from '../tools/undo/kept-states.ts';
import { testScope, testToolbox } from './scope.ts';
import { openTestStore } from './stores.ts';

/** A program that acts, at once and after an approval: `node power-cut-child.ts FOLDER`. Notes in `acted` what it does. */
const [, , dir = ''] = process.argv;
const store = await openTestStore(join(dir, 'state.sqlite3'), { kind: 'sqlite' });
const now = () => new Date();
const note = (line: string) => appendFileSync(join(dir, 'acted'), `${line}\n`);
const input = z.object({ text: z.string() });
const plain = {
  description: 'Acts.',
  input,

  provenance: { readsFrom: [] },
  timeoutMs: 5000,
} as const;
const keep = defineTool({
  ...plain,
  name: 'keep',
  policy: { effect: 'local' },
  execute: (_input, { idempotencyKey }) => note(`effect ${idempotencyKey}`),
});
const states = new KeptStates({ store, now, limits: { days: 1, megabytes: 1 } });
const journal = defineTool({
  ...plain,
  name: 'journal',
  policy: { effect: 'local' },
  durability: { trace: 'version', writeAhead: true },
  execute: async ({ text }, { turn, idempotencyKey }) => {
    const what = { project: 'home', kind: 'note', thing: text, before: undefined, after: text } as const;
    await states.keep(what, { turnId: turn.id, idempotencyKey });
    note(`effect ${idempotencyKey}`);
  },
});
const mail = defineTool({
  ...plain,
  name: 'send_mail',
  policy: {
    effect: 'outbound',
    recipient: () => ({ channel: 'mail', address: 'bob@home.example', own: false }),
  },
  execute: ({ text }) => note(`approved ${text}`),
});
const proposals = new Proposals({ store, now, ttlHours: 24 });
const scope = await testScope({ store, now });
const toolbox = testToolbox([keep, journal, mail], scope, { proposals });
const conversations = new Conversations(store);
const approved = new ApprovedCalls({ store, proposals, conversations, now, timeZone: 'UTC', toolbox: () => toolbox });
for (let at = 0; at < 8; at++) {
  await toolbox.call('keep', { text: `thing ${at}` }, scope);
  await toolbox.call('journal', { text: `entry ${at}` }, scope);
  await toolbox.call('send_mail', { text: `letter ${at}` }, scope);
  const id = (await proposals.list()).at(-1)?.id ?? '';
  await approved.approve(id, { by: 'wooster approve', signal: new AbortController().signal });
}
await store.close();
