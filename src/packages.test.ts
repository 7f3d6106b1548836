import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockedPackages, productionPackages, ROOT } from '../scripts/packages.ts';

/** Terms that let anybody use, change and pass on a program with the package in it. */
const ALLOWED = new Set([
  ...['0BSD', 'Apache-2.0', 'BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'MIT-0'],
  ...['MPL-2.0', 'PSF-2.0', 'Unlicense', '(MIT AND Zlib)', '(MIT OR EUPL-1.1+)', '(MIT OR GPL-3.0-or-later)'],
  // A library of its own, which anybody may exchange.
  ...['LGPL-3.0', 'LGPL-3.0-or-later', 'Apache-2.0 AND LGPL-3.0-or-later', 'Apache-2.0 AND LGPL-3.0-or-later AND MIT'],
]);

test('every package of the lock has a strong checksum, which `npm ci` compares', () => {
  const without = lockedPackages().filter(({ integrity = '' }) => !/^sha512-[\w+/]{86}==$/u.test(integrity));
  expect(without.map(({ folder }) => folder)).toEqual([]);
});

test('whatever an installation has may be used and passed on', () => {
  const other = productionPackages().filter(({ license }) => !ALLOWED.has(license));
  expect(other.map(({ name, license }) => `${name}: ${license}`)).toEqual([]);
});

test('an installation has no more packages than the issues that brought them named', () => {
  const everywhere = productionPackages().filter(({ optional }) => !optional);
  expect(everywhere.length).toBeLessThanOrEqual(213);
});

test('the bill of materials has every package of an installation once, and none for development', () => {
  const bill = execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/sbom.ts'], {
    ...{ cwd: ROOT, encoding: 'utf8', maxBuffer: 50_000_000 },
    env: { ...process.env, PATH: `${join(ROOT, 'node_modules/node/bin')}:${process.env.PATH}` },
  });
  const { components } = JSON.parse(bill) as { components: { name: string; version: string }[] };
  const listed = components.map(({ name, version }) => `${name}@${version}`);
  const wanted = new Set(productionPackages().map(({ name, version }) => `${name}@${version}`));
  expect(listed.toSorted()).toEqual([...wanted].toSorted());
});
