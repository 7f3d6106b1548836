/**
 * Runs tests with every English message of tools, times and schedules reworded: `node scripts/reword.ts src/agent`.
 *
 * What turns red either pins that very message, and then its failure shows the marker, or takes prose for protocol.
 */
import { relative, resolve } from 'node:path';
import { startVitest } from 'vitest/node';

const ROOT = resolve(import.meta.dirname, '..');
const SOURCES = /^src\/(?:tools|when|scheduler)\/(?!.*\.(?:test|contract)\.ts$).*\.ts$/u;
const MARKER = '(reworded)';

/** Errors get their message, and sentences of the tables their beginning, with the marker in front. */
function reworded(source: string): string {
  const errors = source
    .replace(/\bnew AssistantError\(/gu, '__reworded(AssistantError, 1)(')
    .replace(/\bnew Error\(/gu, '__reworded(Error, 0)(');
  const tables = errors
    .replace(/(\ben: (?<quote>['"]))/gu, `$1${MARKER} `)
    .replace(
      'return { ok: false, error, reason, told };',
      `return { ok: false, error: '${MARKER} ' + error, reason, told };`,
    );
  return `${tables}
function __reworded(Made, at) {
  return (...args) => new Made(...args.map((arg, index) => (index === at ? '${MARKER} ' + arg : arg)));
}`;
}

const plugin = {
  name: 'reword',
  enforce: 'post' as const,
  transform: (code: string, id: string) => (SOURCES.test(relative(ROOT, id)) ? reworded(code) : undefined),
};
const vitest = await startVitest('test', process.argv.slice(2), { watch: false, maxWorkers: 1 }, { plugins: [plugin] });
const failed = vitest.state.getTestModules().flatMap((module) => [...module.children.allTests('failed')]);
const pins = failed.filter((test) => test.result().errors?.some((error) => JSON.stringify(error).includes(MARKER)));
process.stdout.write(`${failed.length} red, of which ${pins.length} pin a message\n`);
for (const test of failed) if (!pins.includes(test)) process.stdout.write(`prose as protocol? ${test.fullName}\n`);
await vitest.close();
