import { existsSync } from 'node:fs';
import type { AssistantError } from '../../base/errors.ts';
import { counted, preview } from '../../base/text.ts';
import { addSkills } from '../../plugins/skills/add-skill.ts';
import { readSkillFolder, SKILL_FILE, type SkillFolder } from '../../plugins/skills/skill-folder.ts';
import type { Skill } from '../../plugins/skills/skills.ts';
import { KINDS, suspicionsIn, visible } from '../../plugins/skills/suspicious.ts';
import type { Command, CommandCall } from '../command.ts';
import { badUsage, isYes } from '../flags.ts';
import { formOf } from '../own-words.ts';

const WHY_OFF: Readonly<Record<Exclude<Skill['state'], 'on' | 'broken'>, string>> = {
  off: 'wooster skills trust NAME shows it and switches it on',
  changed: 'it is not what you agreed to; wooster skills trust NAME shows it again',
};

/**
 * Folders with instructions that models read when a task asks for them. Rows: `list` gives `{name, place, state,
 * description}`, `check` `{name, file, line, kind, text}`; exit code 1 when it finds anything.
 */
export const skills: Command = {
  name: 'skills',
  summary: 'List, add, check and trust skills: instructions for certain tasks',
  group: 'Tools and approvals',
  usage: [
    'skills [list]',
    'skills add FOLDER|PACKAGE [--here]     with --here for this project only',
    'skills check [NAME|FOLDER]             what asks to fetch, run, hide or send something',
    'skills trust NAME                      shows it; --yes agrees without a question',
    'skills off NAME',
  ],
  examples: ['skills', 'skills add ./weekly-review', 'skills trust weekly-review'],
  flags: { here: { type: 'boolean' } },
  async run(call) {
    const [what = 'list', name = ''] = call.args;
    if (what === 'list') return list(call);
    if (what === 'check') return check(call, name);
    const action = formOf(skills, { add, trust, off }, what);
    if (name === '') throw usageError(`skills ${what} needs a name.`);
    return action(call, name);
  },
};

async function list({ app, session, out }: CommandCall): Promise<number> {
  const all = await app.knowledge.skills.list(session.project);
  for (const skill of all) {
    const { name, place, state } = skill;
    const description = state === 'broken' ? skill.broken.why : skill.folder.description;
    out.row({ name, place, state, description });
    out.line(`${state.padEnd(7)}  ${name.padEnd(20)}  ${place.padEnd(7)}  ${visible(preview(description, 80))}`);
    if (state === 'off' || state === 'changed') out.line(`         ${WHY_OFF[state].replace('NAME', name)}`);
  }
  if (all.length === 0) out.line('There are no skills. wooster skills add FOLDER adds one.');
  return 0;
}

async function add({ app, session, flags, out }: CommandCall, source: string): Promise<number> {
  const place = flags.here === true ? 'project' : 'home';
  const added = await addSkills(source, app.knowledge.skills.folderOf(place, session.project));
  for (const skill of added) {
    await app.knowledge.skills.imported(skill.name, place, session.project);
    out.row({ name: skill.name, place, state: 'off', description: skill.description });
    out.line(`Added ${skill.name} (${counted(skill.files.size, 'file')}), which is off.`);
    tellSuspicions(skill, out);
    out.line(`wooster skills trust ${skill.name} shows it and switches it on.`);
  }
  return 0;
}

/** All skills but those of the program, or one of them, or a folder that is none of them yet. */
async function check({ app, session, out }: CommandCall, name: string): Promise<number> {
  let count = 0;
  for (const folder of await toCheck(app, session.project, name)) {
    const found = 'why' in folder ? 1 : tellSuspicions(folder, out);
    if ('why' in folder) out.line(`${folder.name} cannot be used: ${folder.why}.`);
    else if (found === 0) out.line(`${folder.name}: nothing that asks to fetch, run, hide or send.`);
    if (found > 0) count++;
  }
  return count > 0 ? 1 : 0;
}

async function toCheck(app: CommandCall['app'], project: string, name: string) {
  if (name !== '' && existsSync(`${name}/${SKILL_FILE}`)) return [await readSkillFolder(name, { anyName: true })];
  const chosen =
    name === '' ? await app.knowledge.skills.list(project) : [await app.knowledge.skills.find(name, project)];
  return chosen.map((skill) => (skill.state === 'broken' ? skill.broken : skill.folder));
}

function tellSuspicions({ name, files }: SkillFolder, out: CommandCall['out']): number {
  const found = suspicionsIn(files);
  for (const { file, line, kind, text } of found) {
    out.show({ name, file, line, kind, text }, `! ${name}/${file}, line ${line} ${KINDS[kind]}: ${text}`);
  }
  return found.length;
}

async function trust({ app, session, out }: CommandCall, name: string): Promise<number> {
  const skill = await app.knowledge.skills.find(name, session.project);
  if (skill.state === 'broken') throw usageError(`${name} cannot be used: ${skill.broken.why}.`);
  const { files } = skill.folder;
  for (const [path, content] of files) {
    out.line(`--- ${name}/${path} (${counted(content.length, 'byte')})`);
    out.line(content.includes(0) ? '(no text)' : visible(content.toString('utf8')).trimEnd());
  }
  out.line('---');
  tellSuspicions(skill.folder, out);
  if (!session.yes && !isYes(await out.ask(`Shall models follow the skill ${name}? [y/N] `))) {
    out.line(`${name} stays as it was. --yes agrees where nobody can be asked.`);
    return 1;
  }
  await app.knowledge.skills.trust(skill, session.project);
  out.row({ name, place: skill.place, state: 'on', hash: skill.folder.hash });
  out.line(`${name} is on, as it is now; any change switches it off.`);
  return 0;
}

async function off({ app, session, out }: CommandCall, name: string): Promise<number> {
  const skill = await app.knowledge.skills.find(name, session.project);
  if (skill.place === 'bundled')
    throw usageError(`${name} is part of the program; one of your own with its name replaces it.`);
  await app.knowledge.skills.distrust(skill, session.project);
  out.show({ name, place: skill.place, state: 'off' }, `${name} is off.`);
  return 0;
}

function usageError(message: string): AssistantError {
  return badUsage(message, `Usage: ${skills.usage.join(' | ')}`);
}
