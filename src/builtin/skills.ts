import type { Skill } from './request.ts';
import { documents } from './skills/documents.ts';
import { delivered } from './skills/small-talk.ts';
import { weather } from './skills/weather.ts';

/** The first skill that recognises a request has it, so the particular stand before the general. */
export const SKILLS: readonly Skill[] = [delivered, weather, documents];
