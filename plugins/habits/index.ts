import { join } from 'node:path';
import { type Briefing, definePlugin, localDate } from '#plugin';
import { Book } from './book.ts';
import { goalTools } from './goal-tools.ts';
import { habitTools, rowOf } from './habit-tools.ts';

export default definePlugin({
  name: 'habits',
  version: '1.0.0',
  description: 'Keeps habits with their streaks, and goals with their progress, in habits.json.',

  hosts: [],
  effects: ['local'],
  provides: ['briefing'],
  state: { book: new Book('', false) },

  initialize(host) {
    const path = join(String(host.config.home), 'habits.json');
    this.state.book = new Book(path, host.versioned(path));
  },

  getAgentTools() {
    return [...habitTools(this.state.book), ...goalTools(this.state.book)];
  },

  getServices() {
    const { book } = this.state;
    const briefing: Briefing = async ({ now, timeZone }) => {
      const day = localDate(now, timeZone);
      const rows = (await book.read()).habits.map((habit) => rowOf(habit, day, timeZone));
      const open = rows.filter(({ doneToday }) => !doneToday);
      return {
        title: 'Habits',
        lines: open.map(({ habit, streak }) => `${habit}${streak > 0 ? ` (streak: ${streak})` : ''}`),
      };
    };
    return { briefing };
  },
});
