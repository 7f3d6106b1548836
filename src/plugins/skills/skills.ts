import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AssistantError } from '../../base/errors.ts';
import { nearest, preview } from '../../base/text.ts';
import type { Turn } from '../../base/turn.ts';
import type { Store } from '../../store/contract.ts';
import { ContentPins } from '../content-pins.ts';
import type { Preparation } from '../definition.ts';
import { type BrokenSkill, readSkillFolder, SKILL_FILE, type SkillFolder } from './skill-folder.ts';
import { createUseSkillTool, type ReadSkill } from './use-skill.ts';

/** Where a skill is from; of two with the same name the first of these wins. */
export type SkillPlace = 'project' | 'home' | 'bundled';

/** A skill and its owner's decision. */
export type Skill =
  | { readonly place: SkillPlace; readonly state: 'broken'; readonly name: string; readonly broken: BrokenSkill }
  | {
      readonly place: SkillPlace;
      /** `changed`: it was on, but has changed since its owner agreed to it. */
      readonly state: 'on' | 'off' | 'changed';
      readonly name: string;
      readonly folder: SkillFolder;
      /** Somebody else wrote it: reading it is reading untrusted content. */
      readonly foreign: boolean;
    };

export interface SkillsDeps {
  readonly store: Store;
  /** The project whose `skills/` are available in every project. */
  readonly ownerDir: string;
  readonly bundledDir: string;
  readonly projectFolder: (project: string) => string;
}

/** The limit of all names and descriptions in a prompt. */
const LIST_CHARS = 2000;
const DESCRIPTION_CHARS = 300;
/** Words that a request must share with a bundled skill for it to be mentioned. */
const SHARED_WORDS = 2;
/** Words that share a prefix of this many letters count as the same. */
const BEGINNING = 6;
const LISTED_AT_MOST = 200;

/** Instructions for certain tasks, as folders with a SKILL.md, which models read when a task asks for them. */
export class Skills {
  readonly #deps: SkillsDeps;
  readonly #pins: ContentPins;
  #bundled: Promise<readonly Skill[]> | undefined;

  constructor(deps: SkillsDeps) {
    this.#deps = deps;
    this.#pins = new ContentPins(deps.store, 'skill');
  }

  /** The skills of a project, the home and the program, each name once, sorted. */
  async list(project: string): Promise<readonly Skill[]> {
    const places: readonly SkillPlace[] = ['project', 'home', 'bundled'];
    const byName = new Map<string, Skill>();
    for (const place of places)
      for (const skill of await this.#at(place, project)) if (!byName.has(skill.name)) byName.set(skill.name, skill);
    return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** @throws AssistantError `bad_usage` when there is no skill of that name. */
  async find(name: string, project: string): Promise<Skill> {
    const all = await this.list(project);
    const found = all.find((skill) => skill.name === name);
    if (found) return found;
    const close = nearest(
      name,
      all.map((skill) => skill.name),
    );
    const hint = close ? `Did you mean ${close}?` : 'wooster skills lists them.';
    throw new AssistantError('bad_usage', `There is no skill "${name}".`, { hint });
  }

  /** The owner agrees to a skill as it was shown. @throws AssistantError `bad_usage` when it has changed since. */
  async trust(shown: UsableSkill, project: string): Promise<void> {
    const now = await this.find(shown.name, project);
    if (now.state === 'broken' || now.folder.hash !== shown.folder.hash) {
      const hint = 'Look at it again: wooster skills trust shows it.';
      throw new AssistantError('bad_usage', `The skill "${shown.name}" has just changed.`, { hint });
    }
    if (shown.place === 'bundled') return;
    await this.#pins.agree(idOf(shown.place, project, shown.name), shown.folder.hash);
  }

  /** Switch a skill off. */
  async distrust({ name, place }: Pick<Skill, 'name' | 'place'>, project: string): Promise<void> {
    await this.#pins.agree(idOf(place, project, name), undefined);
  }

  /** Record that somebody else wrote the skill that was just added, which is off. */
  async imported(name: string, place: 'project' | 'home', project: string): Promise<void> {
    await this.#pins.imported(idOf(place, project, name));
  }

  folderOf(place: SkillPlace, project: string): string {
    if (place === 'bundled') return this.#deps.bundledDir;
    return join(place === 'home' ? this.#deps.ownerDir : this.#deps.projectFolder(project), 'skills');
  }

  /** One file of a skill that is on. @throws AssistantError `bad_usage`, `file_not_found`. */
  async read(name: string, project: string, file = SKILL_FILE): Promise<ReadSkill> {
    const skill = await this.find(name, project);
    if (skill.state !== 'on') {
      const hint = `Its owner can switch it on: wooster skills trust ${name}`;
      throw new AssistantError('bad_usage', `The skill "${name}" is off. ${hint}`, { hint });
    }
    const content = skill.folder.files.get(file);
    const files = [...skill.folder.files.keys()].filter((path) => path !== SKILL_FILE);
    if (content === undefined || content.includes(0)) {
      const hint = `It has these files: ${[SKILL_FILE, ...files].join(', ')}.`;
      throw new AssistantError('file_not_found', `The skill "${name}" has no text ${file}. ${hint}`, { hint });
    }
    const sources = skill.place === 'bundled' ? [] : [{ untrusted: skill.foreign }];
    return { text: content.toString('utf8'), files, own: !skill.foreign, sources };
  }

  /** A turn's skills: the owner's, and the bundled ones that match the request, with the tool to read them. */
  async prepare({ text, project }: Pick<Turn, 'text' | 'project'>): Promise<Preparation> {
    const on = (await this.list(project)).filter(isOn);
    const told = on.filter((skill) => skill.place !== 'bundled' || fits(text, skill.folder.description));
    if (told.length === 0) return {};
    const ranked = await inOrder(told, text);
    let left = LIST_CHARS;
    const lines = ranked.flatMap((skill) => {
      const line = `- ${skill.name}: ${preview(skill.folder.description, DESCRIPTION_CHARS)}`;
      if (line.length + 1 > left) return [];
      left -= line.length + 1;
      return [line];
    });
    const head = 'Skills: when one fits the request, read it with use_skill before you begin.';
    return { context: [head, ...lines], tools: [createUseSkillTool(this)] };
  }

  /** Bundled skills are read once, since they only change with the program. */
  #at(place: SkillPlace, project: string): Promise<readonly Skill[]> {
    if (place !== 'bundled') return this.#read(place, project);
    this.#bundled ??= this.#read(place, project);
    return this.#bundled;
  }

  async #read(place: SkillPlace, project: string): Promise<readonly Skill[]> {
    const dir = this.folderOf(place, project);
    if (!existsSync(dir)) return [];
    const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
    const names = entries.filter((entry) => !entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name);
    const pins = place === 'bundled' || names.length === 0 ? undefined : await this.#pins.all();
    return Promise.all(
      names.slice(0, LISTED_AT_MOST).map(async (name): Promise<Skill> => {
        const folder = await readSkillFolder(join(dir, name));
        if ('why' in folder) return { place, state: 'broken', name: folder.name, broken: folder };
        if (place === 'bundled') return { place, state: 'on', name: folder.name, folder, foreign: false };
        const { hash, imported = false } = pins?.get(idOf(place, project, folder.name)) ?? {};
        const state = hash === undefined ? 'off' : hash === folder.hash ? 'on' : 'changed';
        return { place, state, name: folder.name, folder, foreign: imported };
      }),
    );
  }
}

type UsableSkill = Exclude<Skill, { state: 'broken' }>;

function isOn(skill: Skill): skill is UsableSkill {
  return skill.state === 'on';
}

/** Best matches first, when not all of them fit. */
async function inOrder(skills: readonly UsableSkill[], request: string): Promise<readonly UsableSkill[]> {
  const chars = skills.reduce((sum, { name, folder }) => sum + name.length + folder.description.length + 5, 0);
  if (chars <= LIST_CHARS) return skills;
  const { FactIndex } = await import('../memory/rank.ts');
  const ranked = await new FactIndex(skills.map(({ name, folder }) => `${name} ${folder.description}`)).search(request);
  const first = ranked.flatMap(({ index }) => skills[index] ?? []);
  return [...first, ...skills.filter((skill) => !first.includes(skill))];
}

/**
 * Whether a request is about what a skill is for: it has all the words of one of the things that follow "For" in the
 * description; where that is a single word, one more of them. Cheap, since every turn asks. Words such as "plan" or
 * "next week" alone are in every other request.
 */
function fits(request: string, description: string): boolean {
  const said = wordsOf(request.replace(/(?<!\d)\d+ {0,2}\p{L}+/gu, ' '));
  const uses = (description.split(/(?:^|\. )For /u)[1] ?? description).split(',').map(wordsOf);
  const shared = new Set(said.filter((word) => uses.flat().some((each) => isMeant(word, each))));
  if (shared.size < SHARED_WORDS) return false;
  return uses.some((words) => words.length > 0 && words.every((each) => said.some((word) => isMeant(word, each))));
}

/** The same word, or what a longer one begins with: "plan" and "planning". */
function isMeant(said: string, word: string): boolean {
  return said === word || (word.length === BEGINNING && word.startsWith(said));
}

/** The content words, cut to their prefixes. */
function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/\p{L}{4,}/gu) ?? []).map((word) => word.slice(0, BEGINNING));
}

function idOf(place: SkillPlace, project: string, name: string): string {
  return place === 'project' ? `projects/${project}/skills/${name}` : `skills/${name}`;
}
