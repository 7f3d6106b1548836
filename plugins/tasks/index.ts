import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Briefing, definePlugin, localDate, z } from '#plugin';
import { readAction } from './action.ts';
import { actionTools } from './action-tools.ts';
import { inboxTools } from './inbox-tools.ts';
import { ListFile } from './list-file.ts';
import type { Lists } from './lists.ts';
import card from './plugin.json' with { type: 'json' };

const Place = z.string().optional();
const Config = z.object({
  home: z.string(),
  basePath: z.string().default('gtd'),
  inboxPath: Place,
  nextActionsPath: Place,
  waitingForPath: Place,
  somedayMaybePath: Place,
  archiveDir: Place,
});

/** Words in a request that need more than the inbox tools. */
const ABOUT_TASKS =
  /\b(?:captur\w+|tasks?|actions?|to-?dos?|inbox|gtd|due|waiting|someday|aufgaben?|erledig\w+|eingang)\b/iu;

export default definePlugin({
  name: 'tasks',
  version: '1.0.0',
  description: card.description,

  hosts: [],
  effects: ['local'],
  provides: ['briefing'],
  state: { lists: undefined as Lists | undefined },

  initialize(host) {
    const config = Config.parse(host.config);
    const base = resolve(config.home, config.basePath);
    const file = (place: string | undefined, name: string) =>
      new ListFile(place === undefined ? join(base, name) : resolve(config.home, place));
    const lists = {
      inbox: file(config.inboxPath, 'inbox.md'),
      next: file(config.nextActionsPath, 'next_actions.md'),
      waiting: file(config.waitingForPath, 'waiting_for.md'),
      someday: file(config.somedayMaybePath, 'someday_maybe.md'),
    };
    const archive = resolve(config.home, config.archiveDir ?? join(base, 'archive'));
    const paths = [...Object.values(lists).map(({ path }) => path), join(archive, 'any.md')];
    this.state.lists = { ...lists, archive, versioned: paths.every((path) => host.versioned(path)) };
  },

  getAgentTools() {
    const { lists } = this.state;
    if (!lists) return [];
    // Without lists, a turn does not spend tokens on the descriptions of these tools.
    const offer = ({ text }: { readonly text: string }) => existsSync(lists.next.path) || ABOUT_TASKS.test(text);
    return [...inboxTools(lists, offer), ...actionTools(lists, offer)];
  },

  getServices() {
    const { lists } = this.state;
    const briefing: Briefing = async ({ now, timeZone }) =>
      lists && { title: 'Tasks', lines: await dayLines(lists, localDate(now, timeZone)) };
    return { briefing };
  },
});

/** The actions due by then, and the number of unsorted inbox items. */
async function dayLines({ next, inbox }: Lists, day: string): Promise<string[]> {
  const open = (await next.items()).filter(({ done }) => !done).map(({ text }) => readAction(text));
  const due = open.filter((action) => action.due !== undefined && action.due <= day);
  const waiting = (await inbox.items()).filter(({ done }) => !done).length;
  return [
    ...due.map((action) => `${action.text} (due ${action.due})`),
    ...(waiting > 0 ? [`${waiting} ${waiting === 1 ? 'item' : 'items'} in the inbox`] : []),
  ];
}
