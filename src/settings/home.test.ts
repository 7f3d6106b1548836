import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { locateHome, withFolders } from './home.ts';

const CHECKOUT = resolve(import.meta.dirname, '../..');

test('all that is kept has its place in the home; the program is elsewhere', () => {
  expect(locateHome('/data/wooster')).toEqual({
    dir: '/data/wooster',
    envFile: '/data/wooster/.env',
    engines: '/data/wooster/engines',
    models: '/data/wooster/models',
    projects: '/data/wooster/projects',
    owner: '/data/wooster',
    notes: '/data/wooster/notes',
    vectorData: '/data/wooster/vector_data',
    logs: '/data/wooster/logs',
    userPlugins: '/data/wooster/user-plugins',
    database: '/data/wooster/state/wooster.sqlite3',
    history: '/data/wooster/state/history',
    workspaces: '/data/wooster/state/workspaces',
    legacySchedule: '/data/wooster/database/scheduler.sqlite3',
    checkout: CHECKOUT,
  });
});

test.each<[string, string | undefined, NodeJS.ProcessEnv, string]>([
  ['the folder that is named, whatever the variable says', '/named', { WOOSTER_HOME: '/variable' }, '/named'],
  ['that of the variable', undefined, { WOOSTER_HOME: '/variable' }, '/variable'],
  ['the checkout where the variable is empty', undefined, { WOOSTER_HOME: '' }, CHECKOUT],
  ['the checkout where nothing is said', undefined, {}, CHECKOUT],
  ['a relative folder from where the program was started', 'mine', {}, join(process.cwd(), 'mine')],
])('the home is %s', (_, dir, env, expected) => {
  expect(locateHome(dir, env).dir).toBe(expected);
});

test.each([
  ['nothing', {}, {}],
  ['other projects, and with them what is for all of them', { projectsDir: '/mnt/p' }, moved('/mnt/p')],
  ['projects below the home', { projectsDir: 'work' }, moved('/home/w/work')],
  ['the usual folder of projects', { projectsDir: 'projects' }, {}],
  ['another cache', { cacheDir: '/fast' }, { vectorData: '/fast/vector_data' }],
  ['a cache below the home', { cacheDir: 'cache' }, { vectorData: '/home/w/cache/vector_data' }],
])('folders may be elsewhere: %s', (_, folders, changed) => {
  const home = locateHome('/home/w');
  expect(withFolders(home, folders)).toEqual({ ...home, ...changed });
});

function moved(dir: string) {
  return { projects: dir, owner: dir };
}
