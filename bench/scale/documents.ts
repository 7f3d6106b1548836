import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure } from '../harness/figure.ts';
import { REPORT_VARIABLE } from '../harness/report.ts';
import { ROOT } from '../harness/results.ts';
import { curve, type Point } from './growth.ts';

const LARGEST = 1_000_000;
/** Of the figures of `rag/speed.ts`, by how they begin. */
const PARTS = ['ingest of', 'open', 'first query', 'query', 'index files', 'memory added'];

/** Each size in a process of its own, as memory is measured. */
export function documentCurves(sizes: readonly number[]): Figure[] {
  const dir = mkdtempSync(join(tmpdir(), 'wooster-bench-'));
  try {
    const measured = sizes.map((size) => ({ size, figures: speedOf(size, join(dir, 'figures.json')) }));
    return PARTS.flatMap((part) => {
      const points = measured.map(({ size, figures }): Point & { unit: string } => {
        const found = figures.find(({ what }) => what === part || (part !== 'query' && what.startsWith(part)));
        return { size, samples: found?.samples ?? [], unit: found?.unit ?? '' };
      });
      const name = part === 'ingest of' ? 'ingest' : part;
      return curve(`chunks, ${name}`, points[0]?.unit ?? '', points, LARGEST);
    });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function speedOf(chunks: number, path: string): Figure[] {
  const words = ['--disable-warning=ExperimentalWarning', join(ROOT, 'bench/rag/speed.ts'), String(chunks)];
  execFileSync(process.execPath, words, { env: { ...process.env, [REPORT_VARIABLE]: path }, stdio: ['ignore', 2, 2] });
  return JSON.parse(readFileSync(path, 'utf8')) as Figure[];
}
