import { expect, test } from 'vitest';
import { FACTS } from '../../testing/memory-facts.ts';
import { FactIndex } from './rank.ts';

test('of sixty facts the right one is among the first five for at least nine questions in ten', async () => {
  expect(FACTS).toHaveLength(60);
  const index = new FactIndex(FACTS.map(([fact]) => fact));
  const missed: string[] = [];
  for (const [at, [, question]] of FACTS.entries()) {
    const found = (await index.search(question)).slice(0, 5).map((each) => each.index);
    if (!found.includes(at)) missed.push(`${question} -> ${found.map((each) => FACTS[each]?.[0]).join(' | ')}`);
  }
  expect(1 - missed.length / FACTS.length, missed.join('\n')).toBeGreaterThanOrEqual(0.9);
});
