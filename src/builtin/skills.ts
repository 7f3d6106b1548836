import type { Skill } from './request.ts';
import { arithmetic } from './skills/arithmetic.ts';
import { clock } from './skills/clock.ts';
import { corrections } from './skills/corrections.ts';
import { dates } from './skills/dates.ts';
import { leadTime } from './skills/lead-time.ts';
import { money } from './skills/money.ts';
import { looseReminder, reminders } from './skills/reminders.ts';
import { schedules } from './skills/schedules.ts';
import { delivered } from './skills/small-talk.ts';
import { that } from './skills/that.ts';
import { thatText } from './skills/that-text.ts';
import { units } from './skills/units.ts';
import { weather } from './skills/weather.ts';

/**
 * What the built-in model can do. The first skill that recognises a request has it, so the particular stand before the
 * general. A new skill is a file in `skills/`, with its phrases at the top, and a line here.
 */
export const SKILLS: readonly Skill[] = [
  delivered,
  corrections,
  that,
  clock,
  weather,
  dates,
  money,
  units,
  arithmetic,
  leadTime,
  thatText,
  schedules,
  reminders,
  looseReminder,
];
