/** How long each redaction rule takes on hostile lines of 1 MB: `node bench/redact.ts`. No rule may take 200 ms. */
import { Redactor } from '../src/base/redact.ts';
import { NAMED_VALUE, SECRET_RULES } from '../src/base/secret-rules.ts';

const MEGABYTE = 1_000_000;
const PARTS = [
  ...[
    'a',
    '-',
    ' ',
    'A1',
    'sk-',
    'eyJ',
    'key=',
    'password is ',
    'https://',
    '://a:',
    '-----BEGIN PRIVATE KEY-----',
    'cookie: a=',
  ],
  ...[
    'Bearer ',
    'authorization: ',
    '?token=',
    '1:',
    'M'.repeat(30),
    'a.b-c_',
    '\\"token\\":',
    'AKIA',
    '&key=1',
    'token token ',
  ],
];
const LINES = PARTS.map((part) => part.repeat(Math.ceil(MEGABYTE / part.length)).slice(0, MEGABYTE));

const rows = [...SECRET_RULES, { name: 'named value', pattern: NAMED_VALUE }].map(({ name, pattern }) => {
  const times = LINES.map((line) => time(() => line.replace(pattern, '')));
  const worst = Math.max(...times);
  return { rule: name, worstMs: Math.round(worst), on: PARTS[times.indexOf(worst)]?.slice(0, 20) };
});
rows.sort((a, b) => b.worstMs - a.worstMs);
console.table(rows.slice(0, 12));

const redactor = new Redactor(['correct horse battery', 'hunter2 is it']);
const prose = 'The tide comes in at 14:05 today, and the password policy is on page 3 of the handbook. '.repeat(12);
const rounds = 2000;
const ms = time(() => {
  for (let round = 0; round < rounds; round++) redactor.redact(prose);
});
console.log(`ordinary text: ${((ms / rounds) * 1000).toFixed(0)} µs per KB, all rules`);
const slow = rows.filter(({ worstMs }) => worstMs > 200);
console.log(slow.length === 0 ? 'no rule over 200 ms' : `over 200 ms: ${slow.map(({ rule }) => rule).join(', ')}`);
process.exitCode = slow.length === 0 ? 0 : 1;

function time(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}
