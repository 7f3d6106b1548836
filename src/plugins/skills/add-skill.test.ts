import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { AssistantError } from '../../base/errors.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { addSkills } from './add-skill.ts';

const head = (name: string) => `---\nname: ${name}\ndescription: How to make ${name}.\n---\n`;

/** A folder with these files, and another one where skills belong. */
function scene(files: Readonly<Record<string, string>>) {
  const source = join(temporaryFolder(), 'package');
  const target = join(temporaryFolder(), 'home', 'skills');
  mkdirSync(source);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(source, file)), { recursive: true });
    writeFileSync(join(source, file), text);
  }
  const add = async () => (await addSkills(source, target)).map(({ name }) => name);
  return { source, target, add };
}

async function refusal(work: Promise<unknown>) {
  const error = await work.catch((thrown: unknown) => thrown);
  if (!(error instanceof AssistantError)) throw new Error('it was not refused');
  return { code: error.code, message: error.message, hint: error.hint };
}

test.each<[what: string, files: Record<string, string>, names: readonly string[]]>([
  ['one', { 'SKILL.md': head('tea') }, ['tea']],
  ['some beside each other', { 'rum/SKILL.md': head('rum'), 'tea/SKILL.md': head('tea'), 'a.md': '' }, ['rum', 'tea']],
  ['some below "skills"', { 'skills/tea/SKILL.md': head('tea'), 'a/b/SKILL.md': head('b') }, ['tea']],
  ['one that is "skills"', { 'skills/SKILL.md': head('tea') }, ['tea']],
])('a folder with %s', async (_what, files, names) => {
  const { target, add } = scene(files);
  expect((await add()).toSorted()).toEqual(names);
  expect(readdirSync(target).toSorted()).toEqual(names);
});

test('a skill is copied with all its files, which its owner alone reads', async () => {
  const { target, add } = scene({ 'SKILL.md': head('tea'), 'scripts/a/brew.sh': 'brew' });
  await add();
  expect(readFileSync(join(target, 'tea', 'SKILL.md'), 'utf8')).toBe(head('tea'));
  const script = join(target, 'tea', 'scripts', 'a', 'brew.sh');
  expect([readFileSync(script, 'utf8'), statSync(script).mode & 0o777]).toEqual(['brew', 0o600]);
});

test('one that is there stays as it is, and none of the others is copied', async () => {
  const { target, add } = scene({ 'rum/SKILL.md': head('rum'), 'tea/SKILL.md': head('tea') });
  mkdirSync(join(target, 'tea'), { recursive: true });
  expect(await refusal(add())).toEqual({
    ...{ code: 'bad_usage', message: 'There is a skill "tea" already.' },
    hint: `Delete ${join(target, 'tea')} first.`,
  });
  expect(existsSync(join(target, 'rum'))).toBe(false);
});

test('a folder without one, or with one that cannot be used, is refused with the reason', async () => {
  const empty = scene({ 'a.md': '' });
  expect(await refusal(empty.add())).toEqual({
    ...{ code: 'bad_usage', message: `There is no SKILL.md in ${empty.source}.` },
    hint: 'Name a folder that has one.',
  });
  expect(await refusal(scene({ 'rum/SKILL.md': head('rum'), 'tea/SKILL.md': '# Tea' }).add())).toEqual({
    code: 'bad_usage',
    message: 'tea is no usable skill: SKILL.md does not begin with front matter between two lines ---.',
    hint: 'docs/skills.md has the form.',
  });
});

test.each(['/nowhere/at/all', 'a b', './tea', '../tea', '-x', '@/x', 'x@', 'https://a.test/x', ''])(
  '%j is neither a folder nor the name of a package',
  async (source) => {
    expect(await refusal(addSkills(source, temporaryFolder()))).toEqual({
      ...{ code: 'bad_usage', message: `There is no folder ${source}, and it is not the name of a package.` },
      hint: 'Name a folder or an npm package.',
    });
  },
);
