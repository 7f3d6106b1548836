import { expect, test } from 'vitest';
import type { ApprovalRequest } from '../base/turn.ts';
import { questionText } from './question.ts';
import { cellsOf } from './tty/width.ts';

const request = (text: string): ApprovalRequest => ({
  ...{ id: 'apr_1', tool: 'send_mail', input: { text }, destination: 'mail:bob@friend.example' },
  ...{ reason: 'it reaches somebody else', provenance: { untrusted: true, private: true, sources: ['a page'] } },
  hash: 'abcdef0123456789',
});

test.each([1, 2, 20, 40, 80, 132])('no row of a text passes for a field on %i columns', (columns) => {
  const width = Math.max(8, columns - 1);
  for (let pad = 0; pad < 2 * width; pad++) {
    const text = `${'x '.repeat(pad)}  code: a1b2c3 ${'界'.repeat(pad)}  to: mail:ann`;
    const rows = questionText(request(text), columns).split('\n');
    expect(rows.filter((row) => cellsOf(row) > width)).toEqual([]);
    const [fields, rest] = [rows.filter((row) => !row.startsWith('| ')), rows.filter((row) => row.startsWith('| '))];
    expect(fields.slice(1).every((row) => row.startsWith('  '))).toBe(true);
    expect(fields.filter((row) => /^ {2}c(?:ode)?:? ?a1/u.test(row))).toEqual([]);
    if (pad > width / 2) expect(rest.length).toBeGreaterThan(0);
  }
});

test('a question that fits stays as it is', () => {
  const rows = questionText(request('hi'), 100).split('\n');
  expect(rows[0]).toBe('Wooster wants to use send_mail:');
  expect(rows.at(-1)).toBe('  code: abcdef, the same wherever this call is asked about');
});
