import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCommands } from '../testing/commands.ts';
import { temporaryFolder } from '../testing/home.ts';
import { wooster } from '../testing/wooster.ts';
import { checkPrivate } from './private-files.ts';

function furnished() {
  const home = temporaryFolder();
  chmodSync(home, 0o700);
  for (const folder of ['state/deep', 'state/boxes/one', 'projects'])
    mkdirSync(join(home, folder), { recursive: true, mode: 0o700 });
  for (const file of ['state/a.sqlite3', 'state/deep/b', 'state/boxes/one/c', '.env', 'projects/garden.md'])
    writeFileSync(join(home, file), file, { mode: 0o600 });
  const at = (path: string) => join(home, path);
  const places = {
    ...{ folders: [home, at('projects'), at('nowhere')], ours: [at('state'), at('logs')], except: [at('state/boxes')] },
    files: [at('.env'), at('config/local.json')],
  };
  return { at, places, modeOf: (path: string) => statSync(at(path)).mode & 0o777 };
}

test('a home that only its owner can read is fine', () => {
  expect(checkPrivate(furnished().places)).toMatchObject({ state: 'ok' });
});

test('what others could read is named and closed, and nothing else is touched', async () => {
  const { at, places, modeOf } = furnished();
  for (const path of ['projects', 'state/deep']) chmodSync(at(path), 0o755);
  for (const path of ['state/a.sqlite3', 'state/deep/b', '.env', 'projects/garden.md', 'state/boxes/one/c'])
    chmodSync(at(path), 0o644);
  symlinkSync('/etc/passwd', at('state/link'));
  const check = checkPrivate(places);
  expect(check).toMatchObject({ state: 'warn', hint: `Run: chmod 700 ${at('projects')} (and so on)` });
  expect(check.detail).toContain('and 2 more');
  expect(await check.fix?.()).toMatch(/^2 folders set to 0700, 3 files set to 0600: /u);
  expect(checkPrivate(places)).toMatchObject({ state: 'ok' });
  expect(['projects', 'state/deep'].map(modeOf)).toEqual([0o700, 0o700]);
  expect(['state/a.sqlite3', 'state/deep/b', '.env'].map(modeOf)).toEqual([0o600, 0o600, 0o600]);
  expect(['projects/garden.md', 'state/boxes/one/c'].map(modeOf)).toEqual([0o644, 0o644]);
  expect(statSync('/etc/passwd').mode & 0o777).toBe(0o644);
});

test('doctor offers the repair, does it when asked, and says what it did', async () => {
  const { run, home } = await openCommands({ store: 'sqlite' });
  chmodSync(join(home, 'state'), 0o755);
  const shown = (await run(['doctor'])).lines.join('\n');
  expect(shown).toContain('`wooster doctor --fix` does it.');
  const { lines } = await run(['doctor', '--fix']);
  expect(lines[0]).toMatch(/^done {2}privacy +\d+ folders? set to 0700/u);
  expect(lines.join('\n')).toContain('only you can read what is in the home');
  expect((await run(['doctor', '--fix'])).lines[0]).toBe('There is nothing to repair.');
  expect(statSync(join(home, 'state')).mode & 0o777).toBe(0o700);
});

test('what the program makes is private from the start', async () => {
  const home = join(temporaryFolder(), 'new');
  const env = { NODE_ENV: 'test' };
  await wooster(['ask', 'note: buy milk'], { home, env, store: 'sqlite', cwd: temporaryFolder() });
  expect(readFileSync(join(home, 'projects/home/home.md'), 'utf8')).toContain('buy milk');
  for (const folder of ['', 'state', 'logs', 'projects'])
    expect(statSync(join(home, folder)).mode & 0o777, folder).toBe(0o700);
  for (const file of ['state/wooster.sqlite3', 'projects/home/home.md'])
    expect(statSync(join(home, file)).mode & 0o777, file).toBe(0o600);
});
