import { describe, expect, test } from 'vitest';
import { type ApprovalRequest, NOBODY_TO_ASK } from '../../base/turn.ts';
import { deciderText, describeApproval, refusedBy } from './approval-text.ts';

const BASE: ApprovalRequest = {
  id: 'apr_1',
  tool: 'send_mail',
  input: { text: 'hi' },
  destination: 'mail:bob@friend.example',
  reason: 'it reaches somebody outside your own channels',
  provenance: { untrusted: true, private: true, sources: ['fetch_text https://page.example/'] },
  hash: 'abcdef0123456789',
};

const text = (value: string) => ({ input: { text: value } });
const to = (destination: string) => ({ destination });
const A = '\u0430';

/** What a hostile call might ask for, and a piece of what the person must read. */
const SPOOFS: readonly (readonly [name: string, request: Partial<ApprovalRequest>, shown: string])[] = [
  ['a second destination after a line break', text('hi\n  to: mail:bob@friend.example'), 'hi\\n  to: mail:bob'],
  ['a carriage return that overwrites', text('evil\r  to: mail:bob'), 'evil<U+000D>'],
  ['a line separator', text('hi\u2028  code: 000000'), 'hi<U+2028>'],
  ['a paragraph separator', text('hi\u2029  code: 000000'), 'hi<U+2029>'],
  ['a next-line character', text('hi\u0085  code: 000000'), 'hi<U+0085>'],
  ['a vertical tab and a form feed', text('a\u000bb\u000cc'), 'a<U+000B>b<U+000C>c'],
  ['an escape sequence that clears the screen', text('\u001b[2J\u001b[H ok'), '<U+001B>[2J'],
  ['a control sequence introducer of one byte', text('\u009b2J ok'), '<U+009B>2J'],
  ['backspaces', text('evil\b\b\b\bgood'), 'evil<U+0008>'],
  ['a deleted character', text('evil\u007fgood'), 'evil<U+007F>good'],
  ['a zero byte', text('good\u0000evil'), 'good<U+0000>evil'],
  ['reversed text', text('\u202elive\u202c'), '<U+202E>live<U+202C>'],
  ['an isolate', text('\u2067evil\u2069'), '<U+2067>evil'],
  ['an Arabic letter mark', text('a\u061cb'), 'a<U+061C>b'],
  [
    'zero-width characters',
    text('pay\u200bpal\u200c\u200d\u2060\ufeff'),
    'pay<U+200B>pal<U+200C><U+200D><U+2060><U+FEFF>',
  ],
  ['a soft hyphen', text('pay\u00adpal'), 'pay<U+00AD>pal'],
  ['hidden tag characters', text('hi\u{e0065}\u{e0076}'), 'hi<U+E0065><U+E0076>'],
  ['variation selectors that carry data', text('hi\ufe01\u{e0101}'), 'hi<U+FE01><U+E0101>'],
  ['blank letters', text('a\u3164b\u115fc\u2800d'), 'a<U+3164>b<U+115F>c<U+2800>d'],
  ['blanks that are none', text('a\u00a0b\u2003c\u3000d'), 'a<U+00A0>b<U+2003>c<U+3000>d'],
  ['private characters', text('\ue000 ok'), '<U+E000> ok'],
  ['half a character', text('a\ud83d'), 'a<U+D83D>'],
  ['piled-up marks', text(`a${'\u0300'.repeat(40)}`), '<U+0300><U+0300>'],
  ['a combining joiner', text('a\u034fb'), 'a<U+034F>b'],
  ['blanks that push the end out of sight', text(`good${' '.repeat(500)}evil`), 'good <500 blanks> evil'],
  ['an end behind two thousand letters', text(`${'good '.repeat(1000)}evil`), 'good evil'],
  ['a middle among many letters', text('x'.repeat(9000)), '… 7000 of 9000 characters are not shown …'],
  ['written-out line breaks', text('a\\n  to: mail:bob'), 'a\\\\n  to'],
  ['letters of another alphabet', text(`p${A}ypal`), `p${A}ypal (xn--pypal-4ve)`],
  ['a field that looks like the destination', { input: { to: 'mail:bob', '  to': 'mail:bob' } }, '    to = mail:bob'],
  ['a field with a line break in its name', { input: { 'a\n  code': '000000' } }, 'a\\n  code = 000000'],
  ['a field with a long name', { input: { ['n'.repeat(500)]: 'x' } }, 'n… (500 characters) = x'],
  ['a hundred fields', { input: Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`f${n}`, n])) }, 'f99 = 99'],
  ['a tool with a line break in its name', { tool: 'send\n  to: mail:bob' }, 'send\\n  to'],
  ['a user name that looks like the host', to('https://bank.example@evil.example/'), 'host: evil.example'],
  [
    'a backslash before the host',
    to('https://evil.example\\@bank.example/'),
    'to: https://evil.example/@bank.example/',
  ],
  ['a host as a number', to('http://2130706433/x'), 'to: http://127.0.0.1/x'],
  ['a host in percent signs', to('https://%65vil.example/'), 'to: https://evil.example/'],
  ['a host in wide letters', to('https://ｅｖｉｌ。example/'), 'to: https://evil.example/'],
  ['a host of two alphabets', to(`https://p${A}ypal.example/`), 'to: https://xn--pypal-4ve.example/'],
  [
    'a host all of another alphabet',
    to('https://\u0430\u0440\u0440\u04cf\u0435.example/'),
    'to: https://xn--80ak6aa92e.example/',
  ],
  ['a tab inside a host', to('https://ev\til.example/'), 'to: https://evil.example/'],
  ['a host in front of a long path', to(`https://evil.example/${'a/'.repeat(2000)}bank.example`), 'host: evil.example'],
  ['a mail address of two alphabets', to(`mail:bob@p${A}ypal.example`), 'to: mail:bob@xn--pypal-4ve.example'],
  ['a recipient with a line break', to('mail:eve\n  code: 000000'), 'to: mail:eve\\n  code'],
  [
    'a source that looks like a line',
    { provenance: { untrusted: true, private: false, sources: ['page\n  code: 000000', `x${'y'.repeat(900)}`] } },
    'page\\n  code: 000000',
  ],
];

test('there are 40 spoofs', () => expect(SPOOFS.length).toBeGreaterThanOrEqual(40));

/** How a line of ours begins. Fields may have any name, so the places of the others are what counts. */
const ENDING = [/^ {2}to: /u, /^ {2}why you are asked: it reaches/u, /^ {2}this conversation has read /u];

describe.each(SPOOFS)('%s', (_name, change, shown) => {
  const request = { ...BASE, ...change };
  const lines = describeApproval(request).split('\n');

  test('is read as what it is', () => expect(lines.join('\n')).toContain(shown));

  test('adds no line, hides nothing and stays short', () => {
    expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u2800\u3164]|(?! )\p{Zs}/u);
    expect(lines.length).toBeLessThan(40);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(9000);
    expect(lines.at(-1)).toBe('  code: abcdef, the same wherever this call is asked about');
    const fields = Math.min(25, Object.keys(request.input as object).length);
    const ours = lines.slice(1 + fields).filter((line) => !/^ {2}(?:host: |careful, )/u.test(line));
    expect(ours).toHaveLength(4);
    for (const [index, pattern] of ENDING.entries()) expect(ours[index]).toMatch(pattern);
  });
});

const ALIKE = ['pay', 'mail', 'bank', 'shop', 'post', 'cloud', 'note'].map((word) => `${word}${A}`);

test('the whole question, line by line', () => {
  const fields = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, index]));
  const first = Array.from({ length: 12 }, (_, index) => `  f${index} = ${index}`);
  const last = Array.from({ length: 12 }, (_, index) => `  f${index + 18} = ${index + 18}`);
  const request = { ...BASE, input: fields, diff: '-one\n+two\u202e', destination: 'Mailbox' };
  expect(describeApproval(request).split('\n')).toEqual([
    ...['Wooster wants to use send_mail:', ...first, '  … 6 of 30 arguments are not shown …', ...last],
    ...['  to: Mailbox', '  what changes:', '    -one', '    +two<U+202E>'],
    '  why you are asked: it reaches somebody outside your own channels',
    '  this conversation has read private text and untrusted content: fetch_text https://page.example/',
    '  code: abcdef, the same wherever this call is asked about',
  ]);
});

test('what was not read, and an unchanged text, take no line', () => {
  const plain = { ...BASE, input: 'as it is', provenance: { untrusted: false, private: false, sources: [] } };
  expect(describeApproval(plain).split('\n')).toEqual([
    ...['Wooster wants to use send_mail:', '  input = as it is', '  to: mail:bob@friend.example'],
    ...['  why you are asked: it reaches somebody outside your own channels'],
    '  code: abcdef, the same wherever this call is asked about',
  ]);
  const secret = { ...plain, provenance: { untrusted: false, private: true, sources: ['a', 'b'] } };
  expect(describeApproval(secret)).toContain('\n  this conversation has read private text: a, b\n');
});

test('2000 characters are shown whole, one more is not', () => {
  const shown = (length: number) => describeApproval({ ...BASE, input: { text: 'x'.repeat(length) } });
  expect(shown(2000)).toContain(`text = ${'x'.repeat(2000)}\n`);
  expect(shown(2001)).toContain(
    `text = ${'x'.repeat(1400)} … 1 of 2001 characters are not shown … ${'x'.repeat(600)}\n`,
  );
});

test('of many words that mix alphabets five are named, each once, and the rest counted', () => {
  const warning = describeApproval({ ...BASE, input: { text: [...ALIKE, ...ALIKE].join(' ') } });
  const line = warning.split('\n').find((each) => each.startsWith('  careful')) ?? '';
  expect(line.match(/xn--/gu)).toHaveLength(5);
  expect(line).toMatch(/^ {2}careful, words that mix alphabets: pay\u0430 \(xn--pay-8cd\), .* and 2 more$/u);
  const long = describeApproval({ ...BASE, input: { text: `${'pay'.repeat(30)}${A}` } });
  expect(long).toMatch(/mix alphabets: (?:pay){26}pa… \(91 characters\)$/mu);
});

test('24 arguments, a name of 80 characters and an address of 1400 are shown whole', () => {
  const fields = Object.fromEntries(Array.from({ length: 24 }, (_, index) => [`f${index}`, index]));
  expect(describeApproval({ ...BASE, input: fields })).not.toContain('not shown');
  expect(describeApproval({ ...BASE, input: { ['n'.repeat(80)]: 'x' } })).toContain(`  ${'n'.repeat(80)} = x\n`);
  const address = (chars: number) => `https://evil.example/${'a'.repeat(chars - 21)}`;
  expect(describeApproval({ ...BASE, destination: address(1400) })).not.toContain('host:');
  expect(describeApproval({ ...BASE, destination: address(1401) })).toContain('host: evil.example');
});

test.each([
  ['mail:bob@friend.example', 'mail:bob@friend.example'],
  [`bob@p${A}ypal.example`, 'bob@xn--pypal-4ve.example'],
  [`b${A}b`, `b${A}b`],
  [`b${A}b@friend.example`, `b${A}b@friend.example`],
  ['xhttp://EVIL.example', 'xhttp://EVIL.example'],
  ['httpx://EVIL.example', 'httpx://EVIL.example'],
  ['http://EVIL.example', 'http://evil.example/'],
])('the destination %s is shown as %s', (destination, shown) => {
  expect(describeApproval({ ...BASE, destination })).toContain(`\n  to: ${shown}\n`);
});

test('who decided is said in words, also when it was nobody', () => {
  expect([deciderText('terminal'), deciderText(null)]).toEqual(['terminal', null]);
  expect(deciderText(NOBODY_TO_ASK.by)).toBe('nobody to ask');
  expect(refusedBy('terminal')).toBe('refused by terminal');
  expect(refusedBy(NOBODY_TO_ASK.by)).toBe('there was nobody to ask');
});
