import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from './testing/home.ts';
import { rows, wooster, woosterOnTerminal } from './testing/wooster.ts';

/** A REPL that has answered once, in a home that is about to disappear. */
async function settled() {
  const [above, elsewhere] = [temporaryFolder(), temporaryFolder()];
  const home = join(above, 'home');
  const program = woosterOnTerminal([], { home, cwd: elsewhere, store: 'sqlite', env: { WOOSTER_HOME: home } });
  await program.see('>');
  program.type('note that the first is kept\r');
  await program.see('Wooster: Noted');
  await program.see('> ');
  return { home, program };
}

/** Where the program says that it has kept the database. */
function keptIn(shown: string): string {
  const [path] = /\/\S*wooster-kept-\w+\/wooster\.sqlite3/u.exec(shown.replaceAll('\n', '')) ?? [];
  if (path === undefined) throw new Error(shown);
  onTestFinished(() => rmSync(join(path, '..'), { recursive: true, force: true }));
  return path;
}

test.each([
  ['removed', (home: string) => rmSync(home, { recursive: true })],
  ['moved', (home: string) => renameSync(home, `${home}-2`)],
  [
    'put back from an older copy',
    (home: string) => {
      cpSync(home, `${home}-2`, { recursive: true });
      rmSync(home, { recursive: true });
      renameSync(`${home}-2`, home);
    },
  ],
])(
  'of a home that was %s while the program runs, nothing is confirmed, and what was there is kept',
  async (what, go) => {
    const { home, program } = await settled();
    go(home);
    for (const request of ['note that the second is lost', 'remind me tomorrow at 9 to water the plants']) {
      program.type(`${request}\r`);
      await program.see('was moved or removed while Wooster was running');
    }
    expect(program.shown().match(/Wooster: (?!That did not work)/gu)).toHaveLength(1);
    // Otherwise moving the folder back would put it inside a new one.
    expect(existsSync(home)).toBe(what === 'put back from an older copy');
    const kept = keptIn(program.shown());
    const fresh = temporaryFolder();
    expect((await wooster(['restore', kept], { home: fresh, store: 'sqlite' })).code).toBe(0);
    const listed = await wooster(['sessions', '--json'], { home: fresh, store: 'sqlite' });
    expect(rows(listed.stdout)).toMatchObject([{ title: expect.stringContaining('the first is kept') }]);
  },
);
