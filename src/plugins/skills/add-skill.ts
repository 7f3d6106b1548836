import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { makeFolder } from '../../base/folders.ts';
import { readSkillFolder, SKILL_FILE, type SkillFolder } from './skill-folder.ts';

const run = promisify(execFile);
const PACKAGE_LIMIT_MS = 120_000;
const PACKAGE = /^(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*(?:@[\w.^~-]+)?$/iu;

/**
 * Copy the skills of a folder or an npm package to where they belong. None of their code is run, and none is switched
 * on.
 *
 * @param source a folder with a SKILL.md or with folders that have one, a packed package, or a package's name.
 * @param target the folder of all skills.
 * @throws AssistantError `bad_usage` when there is no usable skill, or one of that name exists.
 */
export async function addSkills(source: string, target: string): Promise<readonly SkillFolder[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'wooster-skill-'));
  try {
    const skills = await skillsIn(isFolder(source) ? resolve(source) : await unpacked(source, scratch));
    const taken = skills.find(({ name }) => existsSync(join(target, name)));
    if (taken) throw refused(`There is a skill "${taken.name}" already.`, `Delete ${join(target, taken.name)} first.`);
    for (const skill of skills) copy(skill, join(target, skill.name));
    return skills;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** @throws AssistantError `bad_usage` naming the first unusable one. */
async function skillsIn(root: string): Promise<readonly SkillFolder[]> {
  const folders = [root, join(root, 'skills')].flatMap((dir) => [dir, ...foldersIn(dir)]);
  const paths = [...new Set(folders)].filter((path) => existsSync(join(path, SKILL_FILE)));
  if (paths.length === 0) throw refused(`There is no ${SKILL_FILE} in ${root}.`, 'Name a folder that has one.');
  const read = await Promise.all(paths.map((path) => readSkillFolder(path, { anyName: true })));
  return read.map((skill) => {
    if ('why' in skill)
      throw refused(`${skill.name} is no usable skill: ${skill.why}.`, 'docs/skills.md has the form.');
    return skill;
  });
}

/** Write the bytes that were checked, even if the source has changed since. */
function copy({ files }: SkillFolder, folder: string): void {
  for (const [path, content] of files) {
    const place = join(folder, path);
    makeFolder(dirname(place));
    writeFileSync(place, content, { mode: 0o600, flag: 'wx' });
  }
}

/** Let npm fetch a package without running any of its code. @returns the folder with its files. */
async function unpacked(source: string, scratch: string): Promise<string> {
  const packed = source.endsWith('.tgz') && existsSync(source);
  if (!packed && !PACKAGE.test(source))
    throw refused(
      `There is no folder ${source}, and it is not the name of a package.`,
      'Name a folder or an npm package.',
    );
  try {
    const file = packed ? resolve(source) : await fetched(source, scratch);
    await run('tar', ['-xzf', file, '-C', scratch, '--no-same-owner', '--no-same-permissions']);
    const [folder = ''] = foldersIn(scratch);
    return folder;
  } catch (error) {
    throw refused(`The package ${source} could not be read: ${messageOf(error).split('\n')[0]}.`, 'Check its name.');
  }
}

async function fetched(name: string, scratch: string): Promise<string> {
  const words = ['pack', name, '--ignore-scripts', '--pack-destination', scratch, '--silent'];
  await run('npm', words, { cwd: scratch, timeout: PACKAGE_LIMIT_MS });
  const file = readdirSync(scratch).find((each) => each.endsWith('.tgz'));
  if (file === undefined) throw new Error('npm gave no file');
  return join(scratch, file);
}

function foldersIn(dir: string): string[] {
  if (!isFolder(dir)) return [];
  const entries = readdirSync(dir, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(dir, name));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function refused(message: string, hint: string): AssistantError {
  return new AssistantError('bad_usage', message, { hint });
}
