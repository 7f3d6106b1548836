/** What `#plugin` resolves to: the only module of ours that a plugin may import. */
export { z } from 'zod';
export {
  byStart,
  type EventDetails,
  eventsIn,
  instantOf,
  type Occurrence,
  occurrencesOf,
  type Span,
  timeIn,
  uidOf,
  zoneOfTime,
} from '../rag/read/calendar-times.ts';
export type { AgendaSource } from '../tools/builtin/agenda.ts';
export { calculate, convertUnits } from '../tools/builtin/calculate.ts';
export { defineTool, type Tool, type ToolContext } from '../tools/tool.ts';
export {
  addToDate,
  fromWallClock,
  localDate,
  localTime,
  sayDay,
  sayNearDay,
  sayTime,
  startOfDay,
} from '../when/calendar.ts';
export type { Briefing, BriefingSection } from './definition.ts';
export {
  definePlugin,
  type Plugin,
  type PluginHost,
  type Preparation,
  type ScheduledTask,
} from './definition.ts';
export { changeInTurn, removeFile, replaceFile } from './kept-files.ts';
export { pageMarkdown, pageText } from './page-text.ts';
export { type Moment, readMoment } from './read-moment.ts';
