/** Which tests are tried first against a broken line: those that noticed others of the same file, then its own test file. */
import { basename } from 'node:path';

/** More names at once make Vitest slow: it looks for each of them in each name of the file. */
const FIRST_TESTS = 40;

export class LikelyTests {
  /** How many mutants of a source each test has noticed, by `source>test`. */
  readonly #kills = new Map<string, number>();

  learn(tests: readonly string[], source: string): void {
    for (const test of tests)
      for (const key of [`${source}>${test}`, `${source}>${fileOf(test)}`])
        this.#kills.set(key, (this.#kills.get(key) ?? 0) + 1);
  }

  /** @param tests ids as Stryker writes them, `file#name`. @returns the likeliest ones of one file, and all others. */
  split(tests: readonly string[], source: string): { readonly first: string[]; readonly rest: string[] } {
    const [likeliest] = [...new Set(tests.map(fileOf))].sort((a, b) => this.#rank(b, source) - this.#rank(a, source));
    const kills = (test: string) => this.#kills.get(`${source}>${test}`) ?? 0;
    const first = tests
      .filter((test) => fileOf(test) === likeliest)
      .sort((a, b) => kills(b) - kills(a))
      .slice(0, FIRST_TESTS);
    const chosen = new Set(first);
    return { first, rest: tests.filter((test) => !chosen.has(test)) };
  }

  /** A test file that has the source's name comes before one that noticed nothing yet. */
  #rank(file: string, source: string): number {
    const isOwn = basename(file) === basename(source).replace(/\.ts$/u, '.test.ts');
    return (this.#kills.get(`${source}>${file}`) ?? 0) + (isOwn ? 0.5 : 0);
  }
}

function fileOf(test: string): string {
  return test.slice(0, test.indexOf('#'));
}
