import { expect, test } from 'vitest';
import { citation } from '../../rag/citation.ts';
import { whereCited } from './markdown.ts';

test.each([
  ['lines 40-44', { file: 'lease.md', heading: ['Lease', '12. Notice'], lines: [40, 44] }],
  ['line 3', { file: 'a, b.md', heading: ['v1.2 and later'], lines: [3, 3] }],
  ['p. 4', { file: 'Invoice, March.pdf', pages: [4, 4] }],
  ['slide 2', { file: 'plan.pptx', heading: ['Costs'], place: 'slide 2' }],
  ['lower half', { file: 'letter.jpg', place: 'lower half', uncertain: true }],
  ['', { file: 'all.md' }],
] as const)('a citation as the documents make it leads to %s', (where, locator) =>
  expect(whereCited(citation(locator))).toBe(where),
);
