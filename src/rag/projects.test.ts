import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { temporaryFolder } from '../testing/home.ts';
import { openTestStore } from '../testing/stores.ts';
import { createProjects } from './projects.ts';

async function makeProjects({ isAlone = true } = {}) {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const homeDir = temporaryFolder();
  const projectsDir = join(homeDir, 'projects');
  const only = isAlone ? undefined : homeDir;
  return { homeDir, projectsDir, projects: createProjects({ projectsDir, homeDir, only, log: silentLog, store }) };
}

test('the default project is there from the start and can be returned to', async () => {
  const { projects } = await makeProjects();
  expect(projects.list()).toEqual(['home']);
  expect(projects.active()).toBe('home');
  projects.create('garden');
  projects.use('garden');
  expect(projects.active()).toBe('garden');
  projects.deleteFolder('garden');
  expect(projects.active()).toBe('home');
});

test('an unknown project is refused with the nearest name', async () => {
  const { projects } = await makeProjects();
  projects.create('garden');
  expect(() => projects.use('gardn')).toThrow(
    expect.objectContaining({ code: 'unknown_project', hint: 'Did you mean garden?' }),
  );
});

test.each(['..', '../up', 'a/b', 'a\\b', '', '.hidden', 'con', 'nul.txt', 'ends.', 'a..b', '/etc', 'x\u0000y'])(
  'the name %j leads nowhere',
  async (name) => {
    const { projects } = await makeProjects();
    expect(() => projects.create(name)).toThrow(expect.objectContaining({ code: 'bad_usage' }));
  },
);

test.each([
  ['America/New_York', '2026-03-03 18:30'],
  ['Asia/Kathmandu', '2026-03-04 05:15'],
])('a journal entry written in %s is headed %s', async (timeZone, at) => {
  const { projects } = await makeProjects();
  await projects.appendJournal('home', 'late', { at: new Date('2026-03-03T23:30:00Z'), timeZone });
  expect(projects.journalEntries('home')).toEqual([{ at, text: 'late' }]);
});

test('journal entries are appended under the local time and read back', async () => {
  const { projects, projectsDir } = await makeProjects();
  const path = await projects.appendJournal('home', ' first note ', {
    at: new Date('2026-03-04T05:06:00Z'),
    timeZone: 'UTC',
  });
  await projects.appendJournal('home', 'second\n\nwith two paragraphs', {
    at: new Date('2026-03-04T15:16:00Z'),
    timeZone: 'UTC',
  });
  expect(path).toBe(join(projectsDir, 'home', 'home.md'));
  expect(projects.journalEntries('home')).toEqual([
    { at: '2026-03-04 05:06', text: 'first note' },
    { at: '2026-03-04 15:16', text: 'second\n\nwith two paragraphs' },
  ]);
});

test('the older layout is picked up as it is', async () => {
  const { projects, projectsDir, homeDir } = await makeProjects();
  mkdirSync(join(projectsDir, 'boat'), { recursive: true });
  writeFileSync(join(projectsDir, 'boat', 'journal.md'), '# Log\n');
  writeFileSync(join(homeDir, 'projects.json'), '{"papers": ["docs/*.pdf", "/srv/papers"], "boat": "../boat"}');
  expect(projects.list()).toEqual(['home', 'boat', 'papers']);
  expect(projects.attached('papers')).toEqual([join(homeDir, 'docs/*.pdf'), '/srv/papers']);
  expect(projects.journal('boat')).toBe(join(projectsDir, 'boat', 'journal.md'));
});

test('prompt and configuration of a project are read, a broken one is named', async () => {
  const { projects, projectsDir } = await makeProjects();
  projects.create('boat');
  expect(projects.prompt('boat')).toBeUndefined();
  writeFileSync(join(projectsDir, 'boat', 'prompt.txt'), ' Speak like a sailor.\n');
  writeFileSync(join(projectsDir, 'boat', 'wooster.config.json'), '{"documents": ["../../logs", "/srv/x"]}');
  expect(projects.prompt('boat')).toBe('Speak like a sailor.');
  expect(projects.attached('boat')).toEqual([join(projectsDir, '../logs'), '/srv/x']);
  writeFileSync(join(projectsDir, 'boat', 'wooster.config.json'), '{"documents": 3}');
  expect(() => projects.config('boat')).toThrow(
    expect.objectContaining({ code: 'bad_setting', message: expect.stringContaining('wooster.config.json') }),
  );
});

test.each([
  ['where the owner says, if they have the machine', true],
  ['in the home, if others have homes beside it', false],
])('the files of a project are %s', async (_, isAlone) => {
  const { projects, homeDir } = await makeProjects({ isAlone });
  const elsewhere = temporaryFolder();
  const inside = join(homeDir, 'work');
  mkdirSync(inside);
  symlinkSync(elsewhere, join(homeDir, 'link'));
  for (const folder of [elsewhere, join(homeDir, 'link'), join(homeDir, '..'), `${homeDir}-of-others`]) {
    await projects.configure('home', { folder });
    expect(projects.files('home')).toBe(isAlone ? folder : projects.folder('home'));
  }
  await projects.configure('home', { folder: inside });
  expect(projects.files('home')).toBe(inside);
});
