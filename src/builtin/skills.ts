import type { Skill } from './request.ts';
import { arithmetic } from './skills/arithmetic.ts';
import { clock } from './skills/clock.ts';
import { dates } from './skills/dates.ts';
import { money } from './skills/money.ts';
import { that } from './skills/that.ts';
import { units } from './skills/units.ts';

/** What is still recognised by rules. The first skill that recognises a request has it. */
export const SKILLS: readonly Skill[] = [that, clock, dates, money, units, arithmetic];
