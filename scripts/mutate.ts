/**
 * Breaks the code line by line and looks whether a test notices: `npm run mutate -- src/when src/net/hops.ts`.
 *
 * `--changed [BASE]` takes the files that differ from where the branch left BASE (origin/main, or main). `--minutes N`
 * ends after that time, `--part 0.1` tries a tenth of the mutants, drawn with `--seed N`; what was not tried is said
 * and the score is that of the rest. `--bar 80` fails when a folder has a lower score. `--own` runs the tests of the
 * folder alone, which is faster, `--with src/repl` those of another one as well, and `--workers 1` one mutant at a time.
 * What a run found is kept in mutation/, and the next one tries again only what changed. Mutants of what runs while a
 * file loads, tables for instance, are left out: each would need all tests anew.
 */
import { spawn, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { folderOf, loadedLate, NOT_TRIED, testsFor } from './mutation-tests.ts';

const ROOT = resolve(import.meta.dirname, '..');
/** Ignored by git: the sandbox, what is known from earlier runs, and reports. */
const KEPT = 'mutation';
/** After the time was up, for what is under way: a mutant that no test notices takes all of its tests. */
const MIN_GRACE_MS = 60_000;
const GRACE_PART = 1 / 4;

interface Mutant {
  readonly status: string;
  readonly statusReason?: string;
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly location: { readonly start: { readonly line: number } };
}
interface Report {
  readonly files: Record<string, { mutants: Mutant[] }>;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    part: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    bar: { type: 'string', default: '0' },
    own: { type: 'boolean', default: false },
    with: { type: 'string', multiple: true, default: [] },
    // Two at once leave a small machine usable.
    workers: { type: 'string', default: '2' },
  },
});
const givenMs = values.minutes === undefined ? Number.POSITIVE_INFINITY : Number(values.minutes) * 60_000;
const until = Date.now() + givenMs;

process.exitCode = await main();

async function main(): Promise<number> {
  const files = values.changed ? changedFiles(positionals[0]) : positionals.flatMap(filesOf);
  if (files.length === 0) {
    say(values.changed ? 'No source file has changed, so nothing is mutated.' : 'Usage: npm run mutate -- src/when');
    return values.changed ? 0 : 2;
  }
  const folders = Map.groupBy(files, folderOf);
  const lines: string[] = [];
  let met = true;
  for (const [folder, members] of folders) {
    const report = await mutate(folder, members);
    const { line, score } = summary(folder, report);
    lines.push(line);
    met &&= Number.isNaN(score) || score >= Number(values.bar);
  }
  say(
    `\n| folder | mutants | killed | survived | no test reaches it | timed out | not tried | score |
|---|---|---|---|---|---|---|---|\n${lines.join('\n')}`,
  );
  return met ? 0 : 1;
}

/** Sources below a folder, or the one file. */
function filesOf(path: string): string[] {
  const clean = path.replace(/\/+$/u, '');
  const found = statSync(join(ROOT, clean)).isDirectory() ? globSync(`${clean}/**/*.ts`, { cwd: ROOT }) : [clean];
  return found.filter(isSource).sort();
}

function isSource(path: string): boolean {
  return /^(?:src|plugins)\/.*\.ts$/u.test(path) && !/\.(?:test|contract|gen|d)\.ts$|^src\/testing\//u.test(path);
}

function changedFiles(base: string | undefined): string[] {
  const known = [base, 'origin/main', 'main'].find((name) => name && git('rev-parse', '--verify', '-q', name) !== '');
  if (known === undefined) return [];
  const since = git('merge-base', known, 'HEAD') || known;
  return git('diff', '--name-only', '--diff-filter=d', since).split('\n').filter(isSource);
}

function git(...words: string[]): string {
  return spawnSync('git', words, { cwd: ROOT, encoding: 'utf8' }).stdout.trim();
}

async function mutate(folder: string, files: readonly string[]): Promise<Report> {
  const name = folder.replaceAll('/', '-');
  // What another sample found would count in the score of this one.
  const sample = values.part === '1' ? 'known' : `known-${values.part}-${values.seed}`;
  const [report, known] = [`${KEPT}/${name}.json`, `${KEPT}/${name}-${sample}.json`];
  const testFiles = testsFor(files, { own: values.own, more: values.with });
  if (testFiles.length === 0 || Date.now() > until) {
    say(`${folder}: ${testFiles.length === 0 ? 'no test that can be run for each mutant' : 'the time was up'}`);
    return { files: {} };
  }
  mkdirSync(join(ROOT, KEPT), { recursive: true });
  rmSync(join(ROOT, report), { force: true });
  const config = join(ROOT, KEPT, `${name}-config.json`);
  writeFileSync(config, JSON.stringify(configOf({ files, testFiles, report, known })));
  say(`${folder}: ${files.length} files, ${testFiles.length} test files`);
  await stryker(config, loadedLate(files));
  forgetUntried(known);
  const found = readReport(report);
  if (Object.keys(found.files).length === 0)
    say(`${folder}: nothing was tried: the time was up, or a test fails as it is`);
  return found;
}

function configOf({
  files,
  testFiles,
  report,
  known,
}: Record<'files' | 'testFiles', readonly string[]> & Record<'report' | 'known', string>) {
  return {
    ...{
      mutate: files,
      testFiles,
      coverageAnalysis: 'perTest',
      ignoreStatic: true,
      concurrency: Number(values.workers),
    },
    ...{ testRunner: 'vitest-sample', vitest: { related: false, pool: 'forks' } },
    plugins: ['@stryker-mutator/vitest-runner', join(ROOT, 'scripts/mutation-runner.ts')],
    ...{ reporters: ['json', 'progress-append-only'], jsonReporter: { fileName: report } },
    ...{ incremental: true, incrementalFile: known, tempDirName: `${KEPT}/sandbox`, ignorePatterns: [KEPT] },
    ...{ allowConsoleColors: false, logLevel: 'warn', warnings: false, allowEmpty: true },
    // Stryker would rewrite the real one with the JavaScript interface of TypeScript, which version 7 no longer has.
    tsconfigFile: `${KEPT}/none.json`,
    // Much slower than alone, since machines are shared; endless loops are found by counting.
    ...{ timeoutMS: 8_000, dryRunTimeoutMinutes: 10 },
  };
}

/** Ends by itself soon after the time is up, since the rest is then left out; one that does not is ended. */
function stryker(config: string, late: readonly string[]): Promise<void> {
  const sample = { MUTATE_PART: values.part, MUTATE_SEED: values.seed };
  const env = { ...process.env, ...sample, MUTATE_LATE: JSON.stringify(late) };
  const timed = Number.isFinite(until) ? { ...env, MUTATE_UNTIL: String(until) } : env;
  const program = join(ROOT, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const child = spawn(process.execPath, [program, 'run', config], { cwd: ROOT, env: timed, stdio: 'inherit' });
  const left = until - Date.now() + Math.max(MIN_GRACE_MS, givenMs * GRACE_PART);
  const timer = Number.isFinite(left) ? setTimeout(() => child.kill('SIGINT'), left) : undefined;
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('close', () => {
      clearTimeout(timer);
      done();
    });
  });
}

/** A mutant that was left out is to be tried the next time. */
function forgetUntried(known: string): void {
  const report = readReport(known);
  for (const file of Object.values(report.files)) file.mutants = file.mutants.filter((mutant) => !isUntried(mutant));
  if (Object.keys(report.files).length > 0) writeFileSync(join(ROOT, known), JSON.stringify(report));
}

function readReport(path: string): Report {
  try {
    return JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Report;
  } catch {
    return { files: {} };
  }
}

function isUntried({ status, statusReason }: Mutant): boolean {
  return status === 'RuntimeError' && statusReason === NOT_TRIED;
}

function summary(folder: string, report: Report): { line: string; score: number } {
  const all = Object.entries(report.files).flatMap(([file, { mutants }]) =>
    mutants.map((mutant) => ({ ...mutant, file })),
  );
  for (const { file, status, location, mutatorName, replacement } of all)
    if (status === 'Survived' || status === 'NoCoverage')
      say(
        `${status === 'Survived' ? 'survived ' : 'no test  '}${file}:${location.start.line} ${mutatorName} -> ${short(replacement)}`,
      );
  const count = (status: string) => all.filter((mutant) => mutant.status === status).length;
  const [killed, survived, unreached, timedOut] = ['Killed', 'Survived', 'NoCoverage', 'Timeout'].map(count) as [
    number,
    number,
    number,
    number,
  ];
  const mutants = all.length - count('Ignored');
  const untried = all.filter(isUntried).length;
  // What no test reaches is known of all mutants, the rest of those that were tried.
  const tried = killed + timedOut + survived;
  const reached = (tried + untried) / (tried + untried + unreached);
  const score = 100 * reached * (tried + untried === 0 ? 0 : (killed + timedOut) / tried);
  const shown = Number.isNaN(score) ? '-' : `${score.toFixed(0)} %`;
  return {
    line: `| \`${folder}\` | ${[mutants, killed, survived, unreached, timedOut, untried, shown].join(' | ')} |`,
    score,
  };
}

function short(text = ''): string {
  const line = text.replace(/\s+/gu, ' ');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
