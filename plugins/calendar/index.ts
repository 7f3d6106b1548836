import { join, resolve } from 'node:path';
import { definePlugin, type Tool, z } from '#plugin';
import { fileSource } from './file-source.ts';
import { calendarTools } from './tools.ts';

const Config = z.object({ home: z.string(), folder: z.string().optional() });

export default definePlugin({
  name: 'calendar',
  version: '1.0.0',
  description: 'Reads and keeps your calendar: files (.ics) in calendar/, or a CalDAV server.',

  state: { tools: [] as readonly Tool[] },

  initialize(host) {
    const { home, folder } = Config.parse(host.config);
    this.state.tools = calendarTools(fileSource(folder === undefined ? join(home, 'calendar') : resolve(home, folder)));
  },

  getAgentTools() {
    return this.state.tools;
  },
});
