import type { Skill } from './request.ts';
import { arithmetic } from './skills/arithmetic.ts';
import { clock } from './skills/clock.ts';
import { dates } from './skills/dates.ts';
import { documents } from './skills/documents.ts';
import { money } from './skills/money.ts';
import { delivered } from './skills/small-talk.ts';
import { that } from './skills/that.ts';
import { units } from './skills/units.ts';
import { weather } from './skills/weather.ts';

/** The first skill that recognises a request has it, so the particular stand before the general. */
export const SKILLS: readonly Skill[] = [delivered, that, clock, weather, dates, money, units, arithmetic, documents];
