import { expect, test } from 'vitest';
import { missingFields } from './missing-fields.ts';

const GAVE: Readonly<Record<string, unknown>> = { schedule: { id: 'j1', runs: 'tomorrow' }, list: [1], say: 'yes' };

test.each([
  ["const made = await schedule('9am'); log(made.when, made.runs)", ['made.when']],
  ["const { id, when: at } = await tools.schedule('9am');", ['when']],
  ["(await schedule('9am')).when", ['when']],
  ["const made = await schedule('9am'); made.when; made.when", ['made.when']],
  ['const all = await list(); all.length', []],
  ['const word = await say(); word.length', []],
  ['const other = await unknown(); other.when', []],
  ['const made = await schedule(); made[when]', []],
  ['made.when', []],
  ['const made = await schedule(', []],
])('of %s, what is missing is %j', (source, fields) => {
  const missing = missingFields(source, (called) => GAVE[called]);
  expect(missing.map(({ field }) => field)).toEqual(fields);
  for (const each of missing) expect(each).toMatchObject({ called: 'schedule', fields: ['id', 'runs'] });
});
