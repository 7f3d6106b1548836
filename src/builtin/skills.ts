import type { Skill } from './request.ts';

/** What is still recognised by rules. */
export const SKILLS: readonly Skill[] = [];
