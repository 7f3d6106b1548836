import { dirname, join } from 'node:path';

/** Texts of files by their paths below the checkout. */
export type Sources = ReadonlyMap<string, string>;

const REFERENCE = /^\s*(?:import|export)\s+type\s[^'"`;]*?['"][^'"]+['"]|['"](\.{1,2}\/[^'"\n]+\.ts)['"]/gmu;
const ASKS = /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql(?:<[^`\n]*>)?`/u;
/** It looks at both kinds itself, or at a server. */
const CHOOSES = /STORE_KINDS|kind: 'postgres'|testing\/test-database\.ts|\.\/test-database\.ts/u;

/**
 * The tests that say whether the program works with another kind of store: for each file that asks the store, those
 * tests in the nearest folder that reach it on the shortest way; and tests that choose the kind. What lies between
 * other tests and these files is the same for both kinds.
 *
 * @param door the file through which tests open stores, so that who does not reach it opens none.
 * @throws Error for a file that asks and has no such test anywhere.
 */
export function testsByStore(sources: Sources, door: string): string[] {
  const users = usersOf(sources);
  const openers = [...reached(users, door).keys()].filter((path) => path.endsWith('.test.ts'));
  const textOf = (path: string) => sources.get(path) ?? '';
  const asking = [...sources.keys()].filter((path) => isProgram(path) && ASKS.test(textOf(path)));
  const chosen = new Set(openers.filter((path) => CHOOSES.test(textOf(path))));
  for (const path of asking) {
    const near = nearest(path, openers, reached(users, path));
    if (near.length === 0) throw new Error(`no test that opens a store is near ${path}`);
    for (const test of near) chosen.add(test);
  }
  return [...chosen].sort();
}

function isProgram(path: string): boolean {
  return !path.endsWith('.test.ts') && !path.startsWith('src/testing/');
}

/** Those with the most folders in common, and among them those with the fewest imports between. */
function nearest(path: string, tests: readonly string[], steps: ReadonlyMap<string, number>): string[] {
  // Threads are started by name, so nothing leads from them to a test; those of their folder run them.
  const reaching = tests.filter((test) => steps.has(test));
  const ranked = (reaching.length > 0 ? reaching : tests).map((test) => ({
    test,
    rank: [-sharedFolders(path, test), steps.get(test) ?? 0] as const,
  }));
  const [best] = ranked.map(({ rank }) => rank).sort(([a, c], [b, d]) => a - b || c - d);
  return ranked.filter(({ rank }) => rank.join() === best?.join()).map(({ test }) => test);
}

function sharedFolders(one: string, other: string): number {
  const [first, second] = [dirname(one).split('/'), dirname(other).split('/')];
  const different = first.findIndex((folder, at) => folder !== second[at]);
  return different < 0 ? first.length : different;
}

/** Who imports a file, for each. Types are no use of it. */
function usersOf(sources: Sources): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>();
  for (const [path, text] of sources)
    for (const [, target] of text.matchAll(REFERENCE)) {
      if (target === undefined) continue;
      const used = join(dirname(path), target);
      users.set(used, [...(users.get(used) ?? []), path]);
    }
  return users;
}

/**
 * Everything that uses a file, directly or not, and over how many imports. What starts it for tests is no step of its
 * own.
 */
function reached(users: ReadonlyMap<string, readonly string[]>, path: string): ReadonlyMap<string, number> {
  const steps = new Map<string, number>();
  let files: readonly string[] = [path];
  for (let count = 0; files.length > 0; count++) {
    const next: string[] = [];
    const take = (file: string) => {
      if (steps.has(file)) return;
      steps.set(file, count);
      for (const user of users.get(file) ?? [])
        if (isProgram(file) || file === path) next.push(user);
        else take(user);
    };
    for (const file of files) take(file);
    files = next;
  }
  return steps;
}
