import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import type { Line } from './figure.ts';

export const ROOT = resolve(import.meta.dirname, '../..');
export const RESULTS_JSON = join(ROOT, 'bench/results.json');

const PACKAGES = ['langchain', '@langchain/core', '@langchain/classic', '@langchain/openai', 'isolated-vm', 'kysely'];

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGB: number;
  readonly system: string;
}

export interface SuiteReport {
  readonly name: string;
  readonly at: string;
  readonly commit: string;
  readonly seconds: number;
  /** Share of the processors that other programs took meanwhile; absent where the system does not say. */
  readonly othersShare?: number;
  readonly lines: readonly Line[];
  /** Why it was not run. */
  readonly skipped?: string;
  /** It was run and ended with an error. */
  readonly failed?: string;
}

export interface Results {
  readonly machine: Machine;
  readonly versions: Readonly<Record<string, string>>;
  readonly suites: readonly SuiteReport[];
}

export function thisMachine(): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGB: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${process.arch} ${release()}`,
  };
}

export function versions(): Record<string, string> {
  const of = (name: string) =>
    (JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')) as { version: string }).version;
  const { node, v8 = '', sqlite = '' } = process.versions;
  return { node, v8, sqlite, ...Object.fromEntries(PACKAGES.map((name) => [name, of(name)])) };
}

export function currentCommit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  } catch {
    return 'no checkout';
  }
}

/** What is kept in the checkout; `undefined` when nothing is. */
export function readResults(): Results | undefined {
  try {
    return JSON.parse(readFileSync(RESULTS_JSON, 'utf8')) as Results;
  } catch {
    return undefined;
  }
}

/** The former results with the new ones in place of those of the same suites, in the order given. */
export function merged(former: Results | undefined, fresh: Results, order: readonly string[]): Results {
  const isNew = (name: string) => fresh.suites.some((suite) => suite.name === name);
  const kept = former?.suites.filter(({ name }) => !isNew(name) && order.includes(name)) ?? [];
  const suites = [...kept, ...fresh.suites].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  return { ...fresh, suites };
}
