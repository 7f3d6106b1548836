import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Milliseconds as tests write their limits. */
const LONG = /\b(\d{2,})_000\b/gu;

/** Begins with the files whose tests say that they may take long, so that none of them runs alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const limits = new Map(sorted.map((file) => [file, longestLimit(readFileSync(file.moduleId, 'utf8'))]));
    return sorted.toSorted((one, other) => (limits.get(other) ?? 0) - (limits.get(one) ?? 0));
  }
}

/** The longest time in the text of a test, in seconds; 0 where none is long. */
export function longestLimit(text: string): number {
  return Math.max(0, ...[...text.matchAll(LONG)].map(([, seconds]) => Number(seconds)));
}
