import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { definePlugin, defineTool, localTime, z } from '#plugin';

const OPEN_ITEM = /^- \[ \] /u;

/** Getting Things Done's inbox: one Markdown file, one line per thought, nothing else in it is ever touched. */
export default definePlugin({
  name: 'capture',
  version: '1.0.0',
  description: 'Keeps quick thoughts in gtd/inbox.md.',

  state: { inbox: '' },

  initialize(host) {
    this.state.inbox = join(String(host.config.home), 'gtd', 'inbox.md');
  },

  getAgentTools() {
    const { inbox } = this.state;
    return [
      defineTool({
        name: 'capture_item',
        positional: ['text'],
        aliases: { text: ['item', 'task', 'description', 'title'] },
        description: "Add one line to the user's GTD inbox. For journal notes use write_note instead.",
        input: z.object({ text: z.string().trim().min(1).max(2000) }),
        effect: 'local',
        change: 'append',
        keeps: () => 'gtd/inbox.md',
        reads: 'public',
        returns: 'trusted',
        timeoutMs: 5000,
        execute: async ({ text }, { now, timeZone }) => {
          const line = `- [ ] ${localTime(now(), timeZone)} ${text.replace(/\s+/gu, ' ')}`;
          await mkdir(dirname(inbox), { recursive: true });
          await appendFile(inbox, `${line}\n`);
          return `Captured in gtd/inbox.md: ${line}`;
        },
      }),
      defineTool({
        name: 'view_inbox_items',
        description: "List the open lines of the user's GTD inbox.",
        input: z.object({}),
        recalls: () => 'gtd/inbox.md',
        effect: 'none',
        reads: 'private',
        returns: 'trusted',
        timeoutMs: 5000,
        execute: async () => {
          const text = await readFile(inbox, 'utf8').catch(() => '');
          return text.split('\n').filter((line) => OPEN_ITEM.test(line));
        },
      }),
    ];
  },
});
