import { join, resolve } from 'node:path';
import { type AgendaSource, type Briefing, definePlugin, type Tool, z } from '#plugin';
import { caldavSource } from './caldav-source.ts';
import { fileSource } from './file-source.ts';
import type { Source } from './source.ts';
import { calendarTools, dayLines, eventsWithin, idOf } from './tools.ts';

const Config = z.object({
  home: z.string(),
  folder: z.string().optional(),
  url: z.string().optional(),
  username: z.string().default(''),
  password: z.string().default(''),
  calendar: z.string().optional(),
});

export default definePlugin({
  name: 'calendar',
  version: '1.0.0',
  description: 'Reads and keeps your calendar: files (.ics) in calendar/, or a CalDAV server.',

  hosts: ['$url'],
  effects: ['local'],
  provides: ['briefing', 'agenda'],
  state: { tools: [] as readonly Tool[], source: undefined as Source | undefined },

  initialize(host) {
    const { home, folder, url, ...account } = Config.parse(host.config);
    const place = resolve(home, folder ?? 'calendar');
    const source = url
      ? caldavSource({ url, ...account }, host.fetch)
      : fileSource(place, host.versioned(join(place, 'any.ics')));
    this.state.source = source;
    this.state.tools = calendarTools(source);
  },

  getAgentTools() {
    return this.state.tools;
  },

  getServices() {
    const { source } = this.state;
    const briefing: Briefing = async ({ now, timeZone }) =>
      source && { title: 'Calendar', lines: await dayLines(source, now, timeZone) };
    const agenda: AgendaSource = async (span, timeZone) => {
      if (!source) return { events: [], problems: [] };
      const { found, problems } = await eventsWithin(source, span, { timeZone });
      return { events: found.map((event) => ({ ...event, id: idOf(event) })), problems };
    };
    return { briefing, agenda };
  },
});
