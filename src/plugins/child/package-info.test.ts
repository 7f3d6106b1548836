import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { addedPlugins, packageInfo, packageRoot } from './package-info.ts';

/** A folder with these files; anything but text is written as JSON. */
function folder(files: Readonly<Record<string, unknown>>): string {
  const root = temporaryFolder();
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return root;
}

const MOON = { name: 'moon', wooster: {} };
const CAREFUL = { hosts: [], folders: [], effects: ['none'] };

describe('a package', () => {
  test.each<[what: string, given: object, files: readonly string[], info: object]>([
    [
      'that says no more than it must',
      MOON,
      ['index.js'],
      { name: 'moon', version: '0.0.0', description: '', env: [], entry: 'index.js', manifest: CAREFUL },
    ],
    [
      'that says everything',
      {
        ...{ name: '@a/moon', version: '1.2.3', description: 'Full?', main: 'main.js', more: 1 },
        wooster: { entry: 'own.js', env: ['KEY'], hosts: ['a.test'], folders: ['moon'], effects: ['local'] },
      },
      ['own.js', 'main.js', 'index.js'],
      {
        ...{ name: '@a/moon', version: '1.2.3', description: 'Full?', env: ['KEY'], entry: 'own.js' },
        manifest: { hosts: ['a.test'], folders: ['moon'], effects: ['local'] },
      },
    ],
    [
      'whose own file is not there',
      { ...MOON, main: 'main.js', wooster: { entry: 'no.js' } },
      ['main.js', 'index.js'],
      { entry: 'main.js' },
    ],
    ['with a usual file', { ...MOON, main: '' }, ['index.mjs', 'index.js'], { entry: 'index.js' }],
    ['with a module', MOON, ['index.mjs'], { entry: 'index.mjs' }],
  ])('%s', (_what, given, files, info) => {
    const root = folder({ 'package.json': given, ...Object.fromEntries(files.map((file) => [file, ''])) });
    expect(packageInfo(root)).toMatchObject(info);
  });

  const NO_PLUGIN = 'its package.json has no "wooster" that says what the plugin may do';

  test.each<[what: string, files: Record<string, unknown>, why: string]>([
    ['of another kind', { 'package.json': { name: 'moon' } }, NO_PLUGIN],
    ['without a name', { 'package.json': { wooster: {} } }, NO_PLUGIN],
    ['of no JSON', { 'package.json': '{' }, NO_PLUGIN],
    ['with variables that are none', { 'package.json': { name: 'a', wooster: { env: 'KEY' } } }, NO_PLUGIN],
    ['without a file to run', { 'package.json': MOON }, 'it has no file to run: name it in "wooster": { "entry": … }'],
    ['in TypeScript', { 'package.json': { ...MOON, main: 'moon.ts' }, 'moon.ts': '' }, 'moon.ts has to be JavaScript'],
    [
      'that may do what nobody knows',
      { 'package.json': { name: 'a', wooster: { effects: ['all'] } }, 'index.js': '' },
      'effects.0: ',
    ],
  ])('%s holds no plugin', (_what, files, why) => {
    const root = folder(files);
    expect(() => packageInfo(root)).toThrow(TypeError);
    expect(() => packageInfo(root)).toThrow(why);
  });
});

describe('an installation', () => {
  test.each<[what: string, files: Record<string, unknown>, root: string | undefined]>([
    ['of one package', { 'package.json': { dependencies: { '@a/moon': '1' } } }, 'node_modules/@a/moon'],
    ['of none', { 'package.json': { dependencies: {} } }, undefined],
    ['of another kind', { 'package.json': { name: 'a' } }, undefined],
    ['that is damaged', { 'package.json': '{' }, undefined],
    ['that is not there', {}, undefined],
  ])('%s', (_what, files, root) => {
    const dir = folder(files);
    expect(packageRoot(dir)).toBe(root && join(dir, root));
  });

  test('is a plugin that was added, also when it can no longer be read', () => {
    const dir = folder({
      'sun/package.json': { dependencies: { sun: '1' } },
      'sun/node_modules/sun/package.json': '{',
      'moon/package.json': { dependencies: { '@a/moon': '1' } },
      'moon/node_modules/@a/moon/package.json': MOON,
      'moon/node_modules/@a/moon/index.js': '',
      'empty/readme.md': '',
    });
    const [moon, sun] = [join(dir, 'moon/node_modules/@a/moon'), join(dir, 'sun/node_modules/sun')];
    expect(addedPlugins(dir)).toEqual([
      { folder: 'moon', root: moon, entry: join(moon, 'index.js'), origin: 'added' },
      { folder: 'sun', root: sun, entry: join(sun, 'package.json'), origin: 'added' },
    ]);
    expect(addedPlugins(join(dir, 'nowhere'))).toEqual([]);
  });
});
