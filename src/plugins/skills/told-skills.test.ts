import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AssistantError } from '../../base/errors.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { openTestStore } from '../../testing/stores.ts';
import { ContentPins } from '../content-pins.ts';
import { type Skill, type SkillPlace, Skills } from './skills.ts';

const HEAD = 'Skills: when one fits the request, read it with use_skill before you begin.';

/** A home, a project and a program with skills. */
async function scene() {
  const root = temporaryFolder();
  const store = await openTestStore();
  const skills = new Skills({
    ...{ store, ownerDir: join(root, 'home'), bundledDir: join(root, 'bundled') },
    projectFolder: (project) => join(root, 'projects', project),
  });
  const write = (place: SkillPlace, name: string, files: Readonly<Record<string, string | Buffer>>) => {
    for (const [file, text] of Object.entries(files)) {
      const path = join(skills.folderOf(place, 'trip'), name, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  };
  const put = (place: SkillPlace, name: string, description = `Of ${place}.`) =>
    write(place, name, { 'SKILL.md': `---\nname: ${name}\ndescription: ${description}\n---\n` });
  /** Switched on by its owner. */
  const on = async (place: SkillPlace, name: string, description?: string) => {
    put(place, name, description);
    await skills.trust((await skills.find(name, 'trip')) as never, 'trip');
  };
  const told = async (text = 'hello') => (await skills.prepare({ text, project: 'trip' })).context;
  return { root, store, skills, write, put, on, told };
}

const shown = (skills: readonly Skill[]) => skills.map(({ name, place, state }) => [name, place, state]);

async function refusal(work: Promise<unknown>) {
  const error = await work.catch((thrown: unknown) => thrown);
  if (!(error instanceof AssistantError)) throw new Error('it was not refused');
  return { code: error.code, message: error.message, hint: error.hint };
}

describe('the list', () => {
  test('has each name once: of the project, then of the home, then of the program', async () => {
    const { skills, put } = await scene();
    for (const place of ['bundled', 'home', 'project'] as const) put(place, 'all');
    for (const place of ['bundled', 'home'] as const) put(place, 'both');
    put('bundled', 'own');
    put('home', 'aa');
    expect(shown(await skills.list('trip'))).toEqual([
      ['aa', 'home', 'off'],
      ['all', 'project', 'off'],
      ['both', 'home', 'off'],
      ['own', 'bundled', 'on'],
    ]);
    expect(shown(await skills.list('other'))[1]).toEqual(['all', 'home', 'off']);
  });

  test('knows folders alone, and of each what is wrong with it', async () => {
    const { root, skills, write, put } = await scene();
    put('home', 'tea');
    put('home', '.hidden');
    write('home', 'empty', { 'a.md': '' });
    write('home', '', { 'stray.md': '' });
    symlinkSync(join(root, 'home', 'skills', 'tea'), join(root, 'home', 'skills', 'linked'));
    expect(shown(await skills.list('trip'))).toEqual([
      ['empty', 'home', 'broken'],
      ['linked', 'home', 'broken'],
      ['tea', 'home', 'off'],
    ]);
  });

  test('is empty where there is none, or a file in the place of the folder', async () => {
    const { root, skills } = await scene();
    expect(await skills.list('trip')).toEqual([]);
    mkdirSync(join(root, 'home'));
    writeFileSync(join(root, 'home', 'skills'), '');
    expect(await skills.list('trip')).toEqual([]);
  });

  test('has at most two hundred of a place', async () => {
    const { skills, write } = await scene();
    for (let at = 0; at < 201; at++) write('home', `s${at}`, { 'a.md': '' });
    expect(await skills.list('trip')).toHaveLength(200);
  });

  test('reads the skills of the program once', async () => {
    const { skills, put } = await scene();
    put('bundled', 'tea');
    await skills.list('trip');
    put('bundled', 'rum');
    put('home', 'own');
    expect((await skills.list('trip')).map(({ name }) => name)).toEqual(['own', 'tea']);
  });
});

describe('an owner', () => {
  test('finds a skill by its name, or one that is close to it', async () => {
    const { skills, put } = await scene();
    put('home', 'weekly-review');
    expect(await skills.find('weekly-review', 'trip')).toMatchObject({ state: 'off', foreign: false });
    expect(await refusal(skills.find('weekly-reveiw', 'trip'))).toEqual({
      ...{ code: 'bad_usage', message: 'There is no skill "weekly-reveiw".' },
      hint: 'Did you mean weekly-review?',
    });
    expect(await refusal(skills.find('tea', 'trip'))).toEqual({
      ...{ code: 'bad_usage', message: 'There is no skill "tea".' },
      hint: 'wooster skills lists them.',
    });
  });

  test('agrees to what was shown, for one place and one project', async () => {
    const { store, skills, put, on } = await scene();
    await on('bundled', 'own');
    await on('project', 'tea');
    await on('home', 'rum');
    expect(shown(await skills.list('trip')).map(([name, , state]) => [name, state])).toEqual([
      ['own', 'on'],
      ['rum', 'on'],
      ['tea', 'on'],
    ]);
    expect((await skills.read('own', 'trip')).own).toBe(true);
    expect([...(await new ContentPins(store, 'skill').all()).keys()].toSorted()).toEqual([
      'projects/trip/skills/tea',
      'skills/rum',
    ]);
    put('home', 'rum', 'Another text.');
    expect(await skills.find('rum', 'trip')).toMatchObject({ state: 'changed' });
    await skills.distrust({ name: 'rum', place: 'home' }, 'trip');
    expect(await skills.find('rum', 'trip')).toMatchObject({ state: 'off' });
  });

  test.each([
    ['another text', 'Another text.'],
    ['nothing that can be used', ''],
  ])('agrees to nothing when there is %s by then', async (_what, description) => {
    const { skills, put } = await scene();
    put('home', 'tea');
    const seen = await skills.find('tea', 'trip');
    put('home', 'tea', description);
    expect(await refusal(skills.trust(seen as never, 'trip'))).toEqual({
      ...{ code: 'bad_usage', message: 'The skill "tea" has just changed.' },
      hint: 'Look at it again: wooster skills trust shows it.',
    });
  });

  test('knows what somebody else wrote, also once it is on', async () => {
    const { skills, on, put } = await scene();
    put('home', 'tea');
    await skills.imported('tea', 'home', 'trip');
    expect(await skills.find('tea', 'trip')).toMatchObject({ state: 'off', foreign: true });
    await on('home', 'tea');
    expect(await skills.find('tea', 'trip')).toMatchObject({ state: 'on', foreign: true });
    expect((await skills.read('tea', 'trip')).own).toBe(false);
  });
});

describe('a file of a skill', () => {
  test('is read by its name, with the names of the others', async () => {
    const { skills, write, on } = await scene();
    write('home', 'tea', { 'a.md': 'Ä', 'b/c.md': 'c' });
    await on('home', 'tea');
    const files = ['a.md', 'b/c.md'];
    const sources = [{ untrusted: false }];
    expect(await skills.read('tea', 'trip')).toEqual({
      ...{ text: '---\nname: tea\ndescription: Of home.\n---\n', files, own: true, sources },
    });
    expect(await skills.read('tea', 'trip', 'a.md')).toEqual({ text: 'Ä', files, own: true, sources });
  });

  test('is not read while the skill is off', async () => {
    const { skills, put } = await scene();
    put('home', 'tea');
    const hint = 'Its owner can switch it on: wooster skills trust tea';
    expect(await refusal(skills.read('tea', 'trip'))).toEqual({
      ...{ code: 'bad_usage', message: `The skill "tea" is off. ${hint}`, hint },
    });
  });

  test.each(['none.md', 'picture.png'])('%s is no text that is there, and those that are are named', async (file) => {
    const { skills, write, on } = await scene();
    write('home', 'tea', { 'a.md': '', 'picture.png': Buffer.from([7, 0]) });
    await on('home', 'tea');
    const hint = 'It has these files: SKILL.md, a.md, picture.png.';
    expect(await refusal(skills.read('tea', 'trip', file))).toEqual({
      ...{ code: 'file_not_found', message: `The skill "tea" has no text ${file}. ${hint}`, hint },
    });
  });
});

describe('a turn', () => {
  test('is told of the skills that are on, with the tool that reads them', async () => {
    const { skills, put, on } = await scene();
    expect(await skills.prepare({ text: 'hello', project: 'trip' })).toEqual({});
    await on('home', 'tea', `How to ${'x'.repeat(300)}`);
    await on('project', 'rum', 'Warm it.');
    put('home', 'off');
    const { context, tools } = await skills.prepare({ text: 'hello', project: 'trip' });
    expect(context).toEqual([HEAD, '- rum: Warm it.', `- tea: How to ${'x'.repeat(292)}…`]);
    expect(tools?.map(({ name }) => name)).toEqual(['use_skill']);
  });

  /** Eight skills of this length together, each line with its end counted. */
  async function eight(chars: number) {
    const { on, told } = await scene();
    for (let at = 1; at <= 8; at++) {
      const length = (at === 8 ? chars - 7 * 250 : 250) - '- skill-1: '.length - 1;
      await on('home', `skill-${at}`, (at === 8 ? 'Chisel ' : 'Wood ').padEnd(length, 'w'));
    }
    const [, ...lines] = (await told('how do I sharpen a chisel?')) ?? [];
    return lines.map((line) => line.slice(0, '- skill-1'.length));
  }

  test('is told of two thousand characters, and of the best fitting first where there are more', async () => {
    const names = [1, 2, 3, 4, 5, 6, 7, 8].map((at) => `- skill-${at}`);
    expect(await eight(2000)).toEqual(names);
    const more = await eight(2001);
    expect([more[0], more.length]).toEqual(['- skill-8', 7]);
    expect(more.toSorted()).toEqual(names.filter((name) => name !== '- skill-7'));
  });

  const PLANS = 'Makes plans. For trip planning, journeys, look back at the week, go up.';

  test.each<[request: string, description: string, isTold: boolean]>([
    ['Plan my TRIP', PLANS, true],
    ['planning a trip', PLANS, true],
    ['trip', PLANS, false],
    ['trip after trip', PLANS, false],
    ['a journey', PLANS, false],
    ['a journey to somewhere', PLANS, false],
    ['a journey, a trip', PLANS, true],
    ['look back at this week', PLANS, true],
    ['look back', PLANS, false],
    ['plan a tripod', PLANS, false],
    ['look back at 2 weeks', PLANS, false],
    ['look back at 12  week', PLANS, false],
    ['look back at 12   week', PLANS, true],
    ['makes plans', PLANS, false],
    ['go up', PLANS, false],
    ['sharpen chisels', 'Sharpen chisels, plane wood.', true],
    ['plane wood', 'For plane wood.', true],
    ['some week', 'For some weeks.', false],
    ['tips cooking', 'Tips For cooking fish.', false],
    ['tips cooking fish', 'Tips For cooking fish.', true],
  ])('%s: of the program’s skill "%s"', async (request, description, isTold) => {
    const { put, told } = await scene();
    put('bundled', 'plans', description);
    expect(await told(request)).toEqual(isTold ? [HEAD, `- plans: ${description}`] : undefined);
  });
});
