import type { Skill } from './request.ts';
import { about } from './skills/about.ts';
import { beyond } from './skills/beyond.ts';
import { documents } from './skills/documents.ts';
import { files } from './skills/files.ts';
import { lists } from './skills/lists.ts';
import { memory } from './skills/memory.ts';
import { messages } from './skills/messages.ts';
import { notes } from './skills/notes.ts';
import { delivered, echo } from './skills/small-talk.ts';
import { thatText } from './skills/that-text.ts';
import { weather } from './skills/weather.ts';
import { web } from './skills/web.ts';

/**
 * What the built-in model can do. The first skill that recognises a request has it, so the particular stand before the
 * general. A new skill is a file in `skills/`, with its phrases at the top, and a line here.
 */
export const SKILLS: readonly Skill[] = [
  delivered,
  about,
  weather,
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
