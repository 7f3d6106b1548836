import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { silentLog } from '../base/log.ts';
import { temporaryFolder } from '../testing/home.ts';
import { openTestStore } from '../testing/stores.ts';
import { isProjectName, notDocuments } from './project-file-names.ts';
import { createProjects, type ProjectsDeps } from './projects.ts';

async function makeProjects(more: Partial<ProjectsDeps> = {}) {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const homeDir = realpathSync(temporaryFolder());
  const projectsDir = join(homeDir, 'projects');
  const projects = createProjects({ projectsDir, homeDir, log: silentLog, store, ...more });
  const path = (...names: readonly string[]) => join(projectsDir, ...names);
  return { homeDir, projectsDir, projects, path };
}

const written = { at: new Date('2026-03-04T05:06:00Z'), timeZone: 'UTC' };
const ENTRY = '## 2026-03-04 05:06\n\nTea.\n';

test.each([
  ['garden', false, true],
  ['My Boat 2_b-c.d', false, true],
  ['Ölheizung', false, true],
  ['a'.repeat(64), false, true],
  ['a'.repeat(65), false, false],
  ['', false, false],
  ['.a', false, false],
  ['-a', false, false],
  ['a/b', false, false],
  ['a..b', false, false],
  ['a.', false, false],
  ['a ', false, false],
  ['CON', false, false],
  ['lpt1.txt', false, false],
  ['console', false, true],
  ['skills', false, true],
  ['skills', true, false],
  ['Programs', true, false],
  ['garden', true, true],
])('%j beside the folders of the owner (%s) is a name: %s', (name, beside, expected) => {
  expect(isProjectName(name, beside)).toBe(expected);
});

test('what configures is no document, unless the journal is called so', () => {
  const files = (folder: string) => notDocuments(folder).map((path) => path.slice(folder.length + 1));
  expect(files('/p/boat')).toEqual(['prompt.txt', 'wooster.config.json', 'memory.md']);
  expect(files('/p/memory')).toEqual(['prompt.txt', 'wooster.config.json']);
});

test('projects are folders with a name, in the order of the alphabet behind the default one', async () => {
  const { projects, projectsDir, homeDir, path } = await makeProjects();
  for (const name of ['zoo', 'Äpfel', 'boat', 'home', '.hidden']) mkdirSync(path(name), { recursive: true });
  writeFileSync(path('file'), '');
  expect(projects.list()).toEqual(['home', 'Äpfel', 'boat', 'zoo']);
  expect([projects.exists('boat'), projects.exists('file'), projects.exists('home')]).toEqual([true, false, true]);
  expect({ places: projects.places, ownerDir: projects.ownerDir }).toEqual({
    places: { home: homeDir, projects: projectsDir },
    ownerDir: homeDir,
  });
  expect(projects.folder('boat')).toBe(path('boat'));
  expect(projects.controlFiles('boat')).toEqual([path('boat', 'prompt.txt'), path('boat', 'wooster.config.json')]);
});

test('a name that cannot be, and one that is not there, are refused with what helps', async () => {
  const { projects } = await makeProjects();
  expect(() => projects.folder('../x')).toThrow(
    expect.objectContaining({
      ...{ code: 'bad_usage', message: '"../x" cannot be a project\'s name.' },
      hint: 'Use letters, digits, spaces, ".", "-" and "_", at most 64 of them.',
    }),
  );
  expect(() => projects.check('attic')).toThrow(
    expect.objectContaining({
      ...{ code: 'unknown_project', message: 'There is no project "attic".' },
      hint: 'Create it: wooster project create attic',
    }),
  );
  expect(() => projects.check('home')).not.toThrow();
});

test('where projects and skills share a folder, a project cannot have their names', async () => {
  const folder = realpathSync(temporaryFolder());
  const { projects } = await makeProjects({ projectsDir: folder, ownerDir: folder });
  mkdirSync(join(folder, 'skills'));
  expect(projects.list()).toEqual(['home']);
  expect(() => projects.create('skills')).toThrow(expect.objectContaining({ code: 'bad_usage' }));
});

test('the active project is the one that was chosen, as long as it is there', async () => {
  const { projects, homeDir } = await makeProjects();
  projects.create('boat');
  projects.use('boat');
  const file = join(homeDir, 'state', 'project.txt');
  expect(readFileSync(file, 'utf8')).toBe('boat\n');
  for (const [text, active] of [
    [' boat \n', 'boat'],
    ['gone', 'home'],
    ['', 'home'],
  ] as const) {
    writeFileSync(file, text);
    expect(projects.active()).toBe(active);
  }
});

test('a note is kept before it is written, found as it stands, taken out and put back', async () => {
  const { projects, path } = await makeProjects();
  const seen: unknown[] = [];
  const journal = path('boat', 'boat.md');
  expect(projects.journalEntries('boat')).toEqual([]);
  expect(projects.hasEntry('boat', ENTRY)).toBe(false);
  await projects.appendJournal('boat', ' Tea. ', written, async (entry) => void seen.push(entry, existsSync(journal)));
  expect(seen).toEqual([ENTRY, false]);
  expect(projects.hasEntry('boat', ENTRY)).toBe(true);
  expect(projects.hasEntry('boat', ENTRY.replace('Tea', 'Rum'))).toBe(false);
  const keep = (what: string) => async () => void seen.push(what, projects.hasEntry('boat', ENTRY));
  await projects.removeEntry('boat', ENTRY, keep('out'));
  expect([projects.hasEntry('boat', ENTRY), readdirSync(path('boat'))]).toEqual([false, []]);
  await projects.addEntry('boat', ENTRY, keep('in'));
  await projects.addEntry('boat', ENTRY);
  await projects.removeEntry('boat', ENTRY);
  expect(readFileSync(journal, 'utf8')).toBe(ENTRY);
  expect(seen.slice(2)).toEqual(['out', true, 'in', false]);
});

test('a journal that is a link stays one, and an older one is written on', async () => {
  const { projects, homeDir, path } = await makeProjects();
  for (const name of ['boat', 'hut']) mkdirSync(path(name), { recursive: true });
  const elsewhere = join(homeDir, 'elsewhere.md');
  writeFileSync(elsewhere, '# Boat\n');
  symlinkSync(elsewhere, path('boat', 'boat.md'));
  await projects.addEntry('boat', ENTRY);
  expect(readFileSync(elsewhere, 'utf8')).toBe(`# Boat\n\n${ENTRY}`);
  expect(realpathSync(path('boat', 'boat.md'))).toBe(elsewhere);
  writeFileSync(path('hut', 'journal.md'), '# Hut\n');
  expect(await projects.appendJournal('hut', 'Tea.', written)).toBe(path('hut', 'journal.md'));
  writeFileSync(path('hut', 'hut.md'), '');
  expect(projects.journal('hut')).toBe(path('hut', 'hut.md'));
});

test('control files are followed only where they may be', async () => {
  const isObeyed = vi.fn(() => false);
  const { projects, path } = await makeProjects({ isObeyed });
  projects.create('boat');
  writeFileSync(path('boat', 'prompt.txt'), 'Sail.');
  writeFileSync(path('boat', 'wooster.config.json'), '{"memory": false, "mode": "code_agent"}');
  expect([projects.prompt('boat'), projects.config('boat')]).toEqual([
    undefined,
    { documents: [], memory: true, apart: [] },
  ]);
  isObeyed.mockReturnValue(true);
  expect([projects.prompt('boat'), projects.config('boat')]).toEqual([
    'Sail.',
    { documents: [], memory: false, mode: 'code_agent', apart: [] },
  ]);
  writeFileSync(path('boat', 'prompt.txt'), ' \n');
  expect(projects.prompt('boat')).toBeUndefined();
});

test('a change of the configuration leaves all else in it as it was', async () => {
  const { projects, path } = await makeProjects();
  await projects.configure('boat', { memory: false });
  writeFileSync(path('boat', 'wooster.config.json'), '{"own": [1], "memory": false}');
  await projects.configure('boat', { memory: true, documents: ['../../logs', '/srv/x'] });
  expect(readFileSync(path('boat', 'wooster.config.json'), 'utf8')).toBe(
    '{\n  "own": [\n    1\n  ],\n  "memory": true,\n  "documents": [\n    "../../logs",\n    "/srv/x"\n  ]\n}\n',
  );
  expect(projects.named('boat')).toEqual([path('../logs'), '/srv/x']);
  writeFileSync(path('boat', 'wooster.config.json'), '{');
  const hint = 'Fix the file: it must be valid JSON in the form that docs/documents.md shows.';
  await expect(projects.configure('boat', { memory: false })).rejects.toMatchObject({ code: 'bad_setting', hint });
  expect(readFileSync(path('boat', 'wooster.config.json'), 'utf8')).toBe('{');
});

test('a configuration that cannot be used says where and why, on one line', async () => {
  const { projects, path } = await makeProjects();
  projects.create('boat');
  writeFileSync(path('boat', 'wooster.config.json'), '{"memory": 3, "mode": "x"}');
  expect(() => projects.config('boat')).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/wooster\.config\.json cannot be used: ✖ .*→ at mode ✖ .*→ at memory\.$/u),
    }),
  );
});

test('an older list of projects that is broken is left out, and the log says so', async () => {
  const warn = vi.fn();
  const { projects, homeDir, path } = await makeProjects({ log: { ...silentLog, warn } });
  writeFileSync(join(homeDir, 'projects.json'), '{"papers": 3}');
  projects.create('boat');
  expect(projects.list()).toEqual(['home', 'boat']);
  expect(projects.attached('boat')).toEqual([]);
  const error = expect.stringContaining(`${join(homeDir, 'projects.json')} cannot be used: `);
  expect(warn).toHaveBeenCalledWith('projects.json was ignored', { error });
  writeFileSync(join(homeDir, 'projects.json'), '{"papers": "docs", "../x": "y"}');
  expect(projects.list()).toEqual(['home', 'boat', 'papers']);
  writeFileSync(path('boat', 'wooster.config.json'), '{"documents": ["a"]}');
  writeFileSync(join(homeDir, 'projects.json'), '{"boat": ["docs", "/srv"]}');
  expect(projects.attached('boat')).toEqual([path('boat', 'a'), join(homeDir, 'docs'), '/srv']);
});
