import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { temporaryFolder } from '../testing/home.ts';
import { openTestStore, testLocation } from '../testing/stores.ts';
import { asOnlyWriter } from './project-lock.ts';
import { createProjects } from './projects.ts';

const NOTES = 500;

/** A worker of its own that appends its notes to the journal of `home` as fast as it can. */
function worker(home: string, name: string): Promise<number | null> {
  const at = (path: string) => JSON.stringify(join(import.meta.dirname, path));
  const source = `
    const { openStore } = await import(${at('../store/store.ts')});
    const { createProjects } = await import(${at('projects.ts')});
    const home = ${JSON.stringify(home)};
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const store = await openStore(${JSON.stringify(testLocation(join(home, 'w.sqlite3')))});
    const projects = createProjects({ projectsDir: home + '/projects', homeDir: home, log, store });
    const written = { at: new Date(), timeZone: 'UTC' };
    for (let note = 0; note < ${NOTES}; note++) await projects.appendJournal('home', '${name}' + note, written);
    await store.close();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve) => child.once('exit', resolve));
}

test('two workers that add notes to one journal at the same time lose none', { timeout: 120_000 }, async () => {
  const home = temporaryFolder();
  const store = await openTestStore(join(home, 'w.sqlite3'));
  onTestFinished(() => store.close());
  expect(await Promise.all([worker(home, 'a'), worker(home, 'b')])).toEqual([0, 0]);
  const projects = createProjects({ projectsDir: join(home, 'projects'), homeDir: home, log: silentLog, store });
  const texts = projects.journalEntries('home').map(({ text }) => text);
  for (const name of ['a', 'b']) {
    const inOrder = Array.from({ length: NOTES }, (_, note) => `${name}${note}`);
    expect(texts.filter((text) => text.startsWith(name))).toEqual(inOrder);
  }
  expect(readdirSync(projects.folder('home'))).toEqual(['home.md']);
});

test('whoever finds the project written all the time is told so', { timeout: 30_000 }, async () => {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  await asOnlyWriter(store, 'home', async () => {
    await expect(asOnlyWriter(store, 'home', async () => {})).rejects.toMatchObject({
      code: 'project_busy',
      message: 'Another program is writing into project home for too long.',
    });
    await asOnlyWriter(store, 'garden', async () => {});
  });
  await asOnlyWriter(store, 'home', async () => {});
});
