import { counted } from '../base/text.ts';
import type { Memory } from '../plugins/memory/memory.ts';
import type { Skills } from '../plugins/skills/skills.ts';
import type { Check } from './app.ts';

/** The doctor's lines about what is known of the owner: files that are not used, and lines in them that say nothing. */
export async function checkMemory(memory: Pick<Memory, 'files'>, project: string): Promise<Check[]> {
  return (await memory.files(project)).map(({ path, entries, problems, unused }): Check => {
    const [first] = problems;
    if (unused !== undefined) return { name: 'memory', state: 'warn', detail: `${path} is not used: ${unused}` };
    if (!first) return { name: 'memory', state: 'ok', detail: `${path} (${counted(entries.length, 'fact')})` };
    const detail = `${path}, line ${first.line}: ${first.why}`;
    return { name: 'memory', state: 'warn', detail, hint: '`wooster memory` names every such line.' };
  });
}

/** Skills that are on, and broken ones; those that are merely off are not reported. */
export async function checkSkills(skills: Pick<Skills, 'list'>, project: string): Promise<Check[]> {
  return (await skills.list(project)).flatMap((skill): Check[] => {
    const { name, state, place } = skill;
    if (state === 'broken') return [{ name: 'skill', state: 'warn', detail: `${name}: ${skill.broken.why}` }];
    if (state === 'off' || place === 'bundled') return [];
    if (state === 'on') return [{ name: 'skill', state: 'ok', detail: name }];
    const hint = `Look at it again: wooster skills trust ${name}`;
    return [{ name: 'skill', state: 'warn', detail: `${name} has changed since you agreed to it, so it is off`, hint }];
  });
}
