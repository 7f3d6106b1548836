import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { readSkillFolder } from './skill-folder.ts';

const HEAD = '---\nname: tea\ndescription: How to make tea.\n---\n';

/** A folder of this name with these files. */
function folder(files: Readonly<Record<string, string>>, name = 'tea'): string {
  const path = join(temporaryFolder(), name);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  }
  return path;
}

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.md`, 'x']));
const bytes = (count: number) => 'x'.repeat(count);

test('a skill is all its files, sorted, and a hash of their names and bytes', async () => {
  const path = folder({ 'scripts/brew.sh': 'brew', 'SKILL.md': HEAD, 'a.md': 'a' });
  const skill = await readSkillFolder(path);
  expect(skill).toEqual({
    ...{ path, name: 'tea', description: 'How to make tea.' },
    files: new Map(
      Object.entries({ 'SKILL.md': HEAD, 'a.md': 'a', 'scripts/brew.sh': 'brew' }).map(([name, text]) => [
        name,
        Buffer.from(text),
      ]),
    ),
    hash: 'c1457973481efcbfc7903037c5759eb765169df608ab0b7893ac363beccd65b8',
  });
  expect('files' in skill && [...skill.files.keys()]).toEqual(['SKILL.md', 'a.md', 'scripts/brew.sh']);
});

test.each<[what: string, files: Record<string, string>, why: string]>([
  ['no text of its own', { 'a.md': 'a' }, 'it has no SKILL.md'],
  ['a text below', { 'a/SKILL.md': HEAD }, 'it has no SKILL.md'],
  ["another's name", { 'SKILL.md': HEAD.replace('tea', 'rum') }, 'its name "rum" is not that of its folder'],
  ['33 files', { 'SKILL.md': HEAD, ...many(32) }, 'it has more than 32 files'],
  ['a large file', { 'SKILL.md': HEAD, 'b/x.md': bytes(65_537) }, 'b/x.md has 65537 bytes; 65536 are the limit'],
  ['five folders in each other', { 'SKILL.md': HEAD, 'a/b/c/d/e/f.md': '' }, 'its folders are nested deeper than 4'],
])('one with %s is refused with the reason', async (_what, files, why) => {
  const path = folder(files);
  expect(await readSkillFolder(path)).toEqual({ path, name: 'tea', why });
});

test('it may have 32 files of 65,536 bytes in four folders', async () => {
  const files = { 'SKILL.md': HEAD, ...many(29), 'x.md': bytes(65_536), 'a/b/c/d/f.md': 'deep' };
  const read = await readSkillFolder(folder(files));
  expect('files' in read && read.files.size).toBe(32);
});

test('before it is copied its folder may have another name', async () => {
  const path = folder({ 'SKILL.md': HEAD }, 'package');
  expect(await readSkillFolder(path, { anyName: true })).toMatchObject({ name: 'tea', hash: expect.any(String) });
  expect(await readSkillFolder(path, {})).toMatchObject({ name: 'package', why: expect.any(String) });
});

test('links lead nowhere', async () => {
  const path = folder({ 'SKILL.md': HEAD });
  const link = join(temporaryFolder(), 'tea');
  symlinkSync(path, link);
  expect(await readSkillFolder(link)).toEqual({ path: link, name: 'tea', why: 'its folder is a symbolic link' });
  mkdirSync(join(path, 'b'));
  symlinkSync(join(path, 'SKILL.md'), join(path, 'b', 'notes.md'));
  expect(await readSkillFolder(path)).toEqual({ path, name: 'tea', why: 'b/notes.md is a link, or no regular file' });
});

test('a folder that is not there is its own trouble', async () => {
  const path = join(temporaryFolder(), 'tea');
  expect(await readSkillFolder(path)).toEqual({ path, name: 'tea', why: expect.stringContaining('ENOENT') });
});
