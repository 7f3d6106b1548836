import { describe, expect, test } from 'vitest';
import { STRANGER, type Voice } from '../base/turn.ts';
import { liveIn } from '../testing/link-readers.ts';
import { SPELLINGS } from '../testing/link-spellings.ts';
import { testNotifier } from '../testing/notifier.ts';
import { webServer } from '../testing/web-server.ts';
import { inert } from './inert.ts';

const D = 'collector.example/?d=secret';
const Z = '\u200b';
const KNOWN = 'https://known.example/page';
const VOICE: Voice = { untrusted: true, links: [KNOWN] };

/** Numbers that look random and are the same each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Spellings put together at random: a scheme, a host, what is done to its letters, and what stands around it. */
function generated(count: number): string[] {
  const next = numbers(33);
  const pick = <T>(of: readonly T[]): T => of[next(of.length)] as T;
  const schemes = [
    'https://',
    'http://',
    'HtTp://',
    '',
    '',
    'www.',
    '//',
    'https:',
    'https:\\\\',
    'hxhttps://',
    'ftp://',
  ];
  const hosts = [
    'collector.example',
    'a.b.collector.example',
    'collector.example:8080',
    'COLLECTOR.EXAMPLE',
    '8.8.4.4',
  ];
  const paths = ['/?d=secret', '?d=secret', '/secret', '#secret', '/secret.png', '/a/b/../secret?x=y.z&d=secret'];
  const users = ['', '', '', 'bank.example@', 'a:b@'];
  const letters: readonly ((text: string) => string)[] = [
    (text) => text,
    (text) => text.replaceAll('.', `${Z}.`),
    (text) => text.replaceAll('.', '\u2060.\u00ad'),
    (text) => text.replace('.', '\uff0e'),
    (text) => text.replace('.', '%2E'),
    (text) => text.replace('.', '&#x2e;'),
    (text) => text.replace('.', '\\.'),
    (text) => text.replace('.', '**.**'),
    (text) => text.replace('c', '<i>c</i>'),
    (text) =>
      text
        .normalize('NFKD')
        .replace(/[a-z]/gu, (c) => (next(3) ? c : String.fromCodePoint(0xff41 + c.charCodeAt(0) - 97))),
  ];
  const around: readonly ((text: string) => string)[] = [
    (text) => `see ${text} now`,
    (text) => `see ${text}, or not.`,
    (text) => `(${text})`,
    (text) => `"${text}"`,
    (text) => `<${text}>`,
    (text) => `[x](${text})`,
    (text) => `![x](${text} "t")`,
    (text) => `[x]: ${text}`,
    (text) => `<img src=${text}>`,
    (text) => `\`${text}\``,
    (text) => `**${text}**`,
    (text) => `||${text}||`,
    (text) => `> ${text}\n- ${text}`,
    (text) => `${KNOWN} ${text}`,
    (text) => `${KNOWN}/${text}`,
    (text) => `[${text}](${KNOWN})`,
    (text) => `界${text}界`,
  ];
  return Array.from({ length: count }, () => {
    return pick(around)(pick(schemes) + pick(users) + pick(letters)(pick(hosts)) + pick(paths));
  });
}

const alive = (text: string) => {
  const { addresses, rung } = liveIn(text);
  // A service that does not know Markdown takes the mark behind an address for a part of it.
  const isKnown = (each: string) => KNOWN.endsWith(each.replace(/[)\]>"'*_~|`.,]+$/u, ''));
  return [...addresses.filter((each) => !isKnown(each)), ...rung];
};

describe('what somebody else may have written', () => {
  test.each(SPELLINGS)('has no live address: %s', async (_what, text) => {
    expect(alive(text)).not.toEqual([]);
    const server = await webServer((_request, response) => response.writeHead(200).end('{"id":"1","content":""}'));
    const { send } = await testNotifier({ discordWebhookUrl: `${server.origin}/hook` });
    await send(text, 'discord', { voice: VOICE });
    const posted = JSON.parse(String(server.received[0]?.body));
    expect(posted.flags).toBe(4);
    expect(alive(posted.content)).toEqual([]);
  });

  test('has none in 2000 spellings put together at random', () => {
    const texts = generated(2000);
    expect(new Set(texts).size).toBeGreaterThan(1200);
    expect(texts.filter((text) => alive(inert(text, VOICE)).length > 0)).toEqual([]);
    expect(texts.filter((text) => alive(text).length === 0).length).toBeLessThan(20);
  });

  test.each([
    [`see https://${D} now`, 'see collector[.]example/?d=secret now'],
    ['[the report](https://collector.example/a)', 'the report (collector[.]example/a)'],
    [
      'see notes.md (3.14, v1.2.3, 10.30 h), e.g. this. And that...',
      'see notes[.]md (3.14, v1.2.3, 10.30 h), e.g. this. And that...',
    ],
    ['世界。你好。', '世界。你好。'],
    ['👨‍👩‍👧 and نمی‌خواهم', '👨‍👩‍👧 and نمی‌خواهم'],
    ['ask @eve: eve@mail.example', 'ask [@]eve: eve@mail[.]example'],
    ['steam://run/1', 'steam[:]//run/1'],
  ])('stays readable: %j', (text, shown) => expect(inert(text, STRANGER)).toBe(shown));

  test.each([
    `see ${KNOWN} now`,
    `(${KNOWN}).`,
    `<${KNOWN}>`,
    `[the page](${KNOWN})`,
    `**${KNOWN}**`,
    `- ${KNOWN}\n- ${KNOWN}`,
  ])('keeps a whole address that the owner or a search named: %j', (text) => {
    expect(inert(text, VOICE)).toBe(text);
  });
});

test('the words of the owner and of Wooster stay as they are', () => {
  const text = `see https://${D}, notes.md and @eve`;
  expect(inert(text, undefined)).toBe(text);
  expect(inert(text, { untrusted: false, links: [] })).toBe(text);
});
