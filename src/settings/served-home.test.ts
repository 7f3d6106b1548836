import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { servedHomeSettings } from './served-home.ts';
import { loadSettings } from './settings.ts';

function serving(variables: Readonly<Record<string, string>>) {
  const home = temporaryFolder();
  const env = { PATH: '/bin', WOOSTER_STORE_URL: 'postgres://db/wooster', WOOSTER_HOME_ID: 'host', ...variables };
  return { home, settings: loadSettings(home, env) };
}

function write(dir: string, name: string, text: string): void {
  mkdirSync(join(dir, name, '..'), { recursive: true });
  writeFileSync(join(dir, name), text);
}

test('a served home has its own settings and none of the serving program or of another home', () => {
  const { home, settings } = serving({ TAVILY_API_KEY: 'tvly-host-token', SCHEDULER_CONCURRENCY: '7' });
  write(home, 'homes/anna/.env', 'TAVILY_API_KEY=tvly-anna-token');
  write(home, 'homes/ben/config/local.json', '{"scheduler": {"concurrency": 3}}');
  const anna = servedHomeSettings(settings, 'anna');
  const ben = servedHomeSettings(settings, 'ben');
  expect(anna.secrets).toContain('tvly-anna-token');
  expect(JSON.stringify(anna)).not.toContain('host-token');
  expect(JSON.stringify(ben)).not.toContain('token');
  expect([anna.scheduler.concurrency, ben.scheduler.concurrency]).not.toContain(7);
  expect(ben.scheduler.concurrency).toBe(3);
});

test('nothing in its folder leads to the rows or files of another home', () => {
  const { home, settings } = serving({});
  const lines = ['WOOSTER_HOME_ID=ben', 'WOOSTER_STORE_URL=postgres://evil/x', 'WOOSTER_PROJECTS_DIR=../ben/projects'];
  write(home, 'homes/anna/.env', [...lines, 'WOOSTER_CACHE_DIR=../ben'].join('\n'));
  write(home, 'homes/anna/config/local.json', '{"store": {"home": "ben"}, "folders": {"projects": "../ben"}}');
  const anna = servedHomeSettings(settings, 'anna');
  expect(anna.shared).toMatchObject({ homeId: 'anna', storeUrl: 'postgres://db/wooster' });
  const dir = join(home, 'homes', 'anna');
  expect([anna.home.dir, anna.home.projects, anna.home.vectorData]).toEqual([
    ...[dir, join(dir, 'projects'), join(dir, 'vector_data')],
  ]);
  expect(anna.home.only).toBe(dir);
});

test('a served home cannot read the keychain of whoever runs the service', () => {
  const { home, settings } = serving({});
  write(home, 'homes/anna/.env', 'TAVILY_API_KEY=keychain:telegram');
  expect(() => servedHomeSettings(settings, 'anna')).toThrow(
    'Setting tavily.apiKey (TAVILY_API_KEY) is not valid: the keychain belongs to whoever runs the service.',
  );
});

test('the home of the serving program itself has the settings that it was started with', () => {
  const { settings } = serving({});
  expect(servedHomeSettings(settings, 'host')).toBe(settings);
});

test('folders of homes and caches are where the serving program says', () => {
  const { home, settings } = serving({ WOOSTER_HOMES_DIR: 'all', WOOSTER_CACHE_DIR: '/fast' });
  const anna = servedHomeSettings(settings, 'anna').home;
  expect([anna.dir, anna.vectorData]).toEqual([join(home, 'all', 'anna'), '/fast/anna/vector_data']);
  const below = serving({ WOOSTER_HOMES_DIR: '/mnt/homes', WOOSTER_CACHE_DIR: 'cache' });
  const ben = servedHomeSettings(below.settings, 'ben').home;
  expect([ben.dir, ben.vectorData]).toEqual(['/mnt/homes/ben', join(below.home, 'cache', 'ben', 'vector_data')]);
});

test('of the variables of the serving program, only those of the machine reach a served home', () => {
  const ofMachine = { HOME: '/root', LANG: 'C', LC_ALL: 'C', TMPDIR: '/tmp', DOCKER_HOST: 'unix:///d' };
  const { home, settings } = serving({ ...ofMachine, XPATH: '/x', PATHS: '/y', AWS_SECRET_ACCESS_KEY: 'k' });
  const dir = join(home, 'homes', 'anna');
  expect(servedHomeSettings(settings, 'anna').env).toEqual({
    ...ofMachine,
    PATH: '/bin',
    WOOSTER_STORE_URL: 'postgres://db/wooster',
    WOOSTER_STORE_POOL: '4',
    WOOSTER_HOME_ID: 'anna',
    WOOSTER_PROJECTS_DIR: join(dir, 'projects'),
    WOOSTER_CACHE_DIR: dir,
  });
});
