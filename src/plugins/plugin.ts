/** What `#plugin` resolves to: the only module of ours that a plugin may import. */
export { z } from 'zod';
export { defineTool, type Tool, type ToolContext } from '../tools/tool.ts';
export { localTime } from '../when/calendar.ts';
export {
  definePlugin,
  type Plugin,
  type PluginHost,
  type Preparation,
  type ScheduledTask,
} from './definition.ts';
