import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LockedPackage, productionPackages, ROOT } from './packages.ts';

const HOLDER = /^\W*(?:copyright\b.*(?:\d{4}|\(c\)|©)|(?:\(c\)|©)\s*\d{4})/iu;
/** Where holders are named in the text of a licence itself, as an example. */
const TEMPLATE = /\[|<|yyyy|free software foundation/iu;

/** The file NOTICE: whose work Wooster comes with, under which terms, and those terms. */
export function noticeFile(): string {
  const packages = productionPackages();
  const licenses = [...new Set(packages.map(({ license }) => license))].toSorted();
  return [
    'Wooster comes with, or installs, the packages below. Each belongs to its authors, under the licence that it stands',
    'under here. Written from package-lock.json by `npm run generate`.',
    ...licenses.flatMap((license) => ['', `== ${license}`, '', ...listed(packages, license)]),
    // An expression of several licences has their texts, each under its own name.
    ...licenses.filter((license) => !license.includes(' ')).flatMap((license) => textOf(packages, license)),
    '',
  ].join('\n');
}

function listed(packages: readonly LockedPackage[], license: string): string[] {
  const lines = packages
    .filter((each) => each.license === license)
    .map((each) => [`${each.name} ${each.version}`, ...holdersOf(each)].join('\n    '));
  return [...new Set(lines)].toSorted();
}

/** Packages that not every machine has are named without them, so that the file is the same everywhere. */
function holdersOf(each: LockedPackage): string[] {
  const lines = licenseText(each)?.split('\n') ?? [];
  const holders = lines.map((line) => line.trim()).filter((line) => HOLDER.test(line) && !TEMPLATE.test(line));
  return [...new Set(holders.map((line) => line.replace(/^\W*(?=copyright|\()/iu, '')))];
}

/** The terms once, from the first package that brings them along. */
function textOf(packages: readonly LockedPackage[], license: string): string[] {
  for (const each of packages.filter((one) => one.license === license)) {
    const text = licenseText(each);
    if (text === undefined) continue;
    const terms = text.split('\n').filter((line) => !HOLDER.test(line.trim()) || TEMPLATE.test(line));
    return ['', `== Text of ${license}, without its holders`, '', terms.join('\n').trim()];
  }
  return [];
}

function licenseText({ folder, optional }: LockedPackage): string | undefined {
  if (optional) return undefined;
  const path = join(ROOT, folder);
  const [file] = readdirSync(path)
    .filter((name) => /^(?:licen[cs]e|copying)/iu.test(name))
    .toSorted();
  return file === undefined ? undefined : readFileSync(join(path, file), 'utf8').replaceAll('\r\n', '\n');
}
