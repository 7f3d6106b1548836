import type { Skill } from './request.ts';
import { about } from './skills/about.ts';
import { arithmetic } from './skills/arithmetic.ts';
import { beyond } from './skills/beyond.ts';
import { clock } from './skills/clock.ts';
import { dates } from './skills/dates.ts';
import { documents } from './skills/documents.ts';
import { files } from './skills/files.ts';
import { lists } from './skills/lists.ts';
import { memory } from './skills/memory.ts';
import { messages } from './skills/messages.ts';
import { money } from './skills/money.ts';
import { notes } from './skills/notes.ts';
import { delivered, echo } from './skills/small-talk.ts';
import { that } from './skills/that.ts';
import { thatText } from './skills/that-text.ts';
import { units } from './skills/units.ts';
import { weather } from './skills/weather.ts';
import { web } from './skills/web.ts';

/**
 * What the built-in model can do. The first skill that recognises a request has it, so the particular stand before the
 * general. A new skill is a file in `skills/`, with its phrases at the top, and a line here.
 */
export const SKILLS: readonly Skill[] = [
  delivered,
  about,
  that,
  clock,
  weather,
  dates,
  money,
  units,
  arithmetic,
  thatText,
  web,
  messages,
  files,
  lists,
  memory,
  notes,
  echo,
  beyond,
  documents,
];
