/** How long each redaction rule takes on hostile lines of 1 MB: `npm run bench -- redact` */
import { Redactor } from '../src/base/redact.ts';
import { NAMED_VALUE, SECRET_RULES } from '../src/base/secret-rules.ts';
import { report } from './harness/report.ts';

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
  return { rule: name, worstMs: worst, on: PARTS[times.indexOf(worst)]?.slice(0, 20) };
});
rows.sort((a, b) => b.worstMs - a.worstMs);
const [slowest] = rows;

const redactor = new Redactor(['correct horse battery', 'hunter2 is it']);
const prose = 'The tide comes in at 14:05 today, and the password policy is on page 3 of the handbook. '.repeat(12);
const rounds = 300;
const perKilobyte = Array.from({ length: 9 }, () => {
  const ms = time(() => {
    for (let round = 0; round < rounds; round++) redactor.redact(prose);
  });
  return (ms / rounds) * 1000;
});
report([
  {
    ...{ what: `slowest of ${rows.length} rules on 1 MB`, unit: 'ms', samples: [slowest?.worstMs ?? 0], must: 200 },
    note: `${slowest?.rule} on ${JSON.stringify(slowest?.on)}`,
  },
  { what: 'ordinary text, all rules, per KB', unit: 'µs', samples: perKilobyte },
]);

function time(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}
