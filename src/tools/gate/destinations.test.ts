import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { PLAIN_TOOL } from '../../testing/tools.ts';
import { defineTool, type Tool } from '../tool.ts';
import { departureOf, isKnownAddress, isKnownLink, isKnownQuery } from './destinations.ts';

const SAID = [
  'Please summarise it for me: https://page.example/story?id=7, then http://plain.example/a and shop.example/list.',
  'Look at (https://wiki.example/Tree_(plant)), **https://bold.example/x** and www.page.example/News/ too',
  'Our box is 192.0.2.7:8080/status or https://[2001:db8::1]/six, and Köln has https://münchen.example/straße',
  'The letter says 127 0 0 1 8080, evil example, collector, notes and 3.14 litres.Then read https://frag.example/a#two',
];
/** Of a conversation of its own: what is worked out of one is remembered. */
const known = (said: readonly string[] = SAID) => ({
  said: [...said],
  destinations: new Set(['https://found.example/', 'https://hit.example/p?q=1#top', 'no address']),
});

/** What may be visited without a question: as it will be dialled, it is a place that was named. */
const DERIVED = [
  'https://page.example/story?id=7',
  'https://page.example/story?id=7#part',
  'https://www.page.example/story?id=7',
  'HTTPS://PAGE.example/story?id=7',
  'https://page.example:443/story?id=7',
  'https://page.example./story?id=7',
  'https://page.example/./story?id=7',
  'https://page.example/x/../story?id=7',
  'https://pa\tge.example/story?id=7',
  '  https://page.example/story?id=7',
  'https:\\\\page.example\\story?id=7',
  'https:page.example/story?id=7',
  'https://page。example/story?id=7',
  'https://ｐａｇｅ.example/story?id=7',
  'https://pa%67e.example/story?id=7',
  'http://plain.example/a',
  'https://plain.example/a',
  'https://plain.example/a/',
  'http://plain.example:80/a',
  'https://shop.example/list',
  'http://shop.example/list',
  'https://www.shop.example/list',
  'https://wiki.example/Tree_(plant)',
  'https://bold.example/x',
  'https://page.example/News',
  'https://www.page.example/News/',
  'https://192.0.2.7:8080/status',
  'http://192.0.2.7:8080/status',
  'http://3221225991:8080/status',
  'http://0xc0.0.2.7:8080/status',
  'https://[2001:db8::1]/six',
  'https://[2001:0db8:0:0::1]/six',
  'https://münchen.example/straße',
  'https://xn--mnchen-3ya.example/stra%C3%9Fe',
  'https://MÜNCHEN.example/straße',
  'https://frag.example/a',
  'https://frag.example/a#two',
  'https://frag.example/a#anything',
  'https://found.example/',
  'https://found.example',
  'https://hit.example/p?q=1',
];

/** What could carry something out, or goes where nobody sent it. */
const FREE = [
  // These six went through when a text that was no address was compared word by word.
  '127.0.0.1:8080/ ~!$&',
  'http://127.0.0.1:8080/ evil',
  'evil.example./~!$',
  'evil\texample',
  'evil。example',
  'summarise.it',
  // Nor is any other text an address.
  'summarise it',
  'evil example',
  'evil',
  '',
  ' ',
  '/story',
  '//page.example/story?id=7',
  '?id=7',
  '#story',
  'page.example/story?id=7',
  'the network, from the workspace',
  'mailto:collector@evil.example',
  'ftp://page.example/story?id=7',
  'file:///letter',
  'data:text/plain,notes',
  'javascript:notes',
  'ws://page.example/story?id=7',
  'wss://page.example/story?id=7',
  'blob:https://page.example/story',
  'view-source:https://page.example/story?id=7',
  'https://',
  'https:///',
  'https://:443/',
  'https://exa mple.example/',
  'https://page.example:99999/story?id=7',
  'https://[::1/',
  'https://%00.example/',
  // Another host.
  'https://evil.example/',
  'https://page.example.evil.example/story?id=7',
  'https://evilpage.example/story?id=7',
  'https://story.page.example/story?id=7',
  'https://page.exampl/story?id=7',
  'https://page.example%2eevil.example/story?id=7',
  'https://page.example\\.evil.example/story?id=7',
  'https://summarise.it/',
  'https://summarise。it/',
  'https://collector.notes/',
  'https://litres.Then/x',
  'https://3.14/',
  'https://p\u0430ge.example/story?id=7',
  'https://page.example\u200b.evil.example/',
  'https://127.0.0.1/',
  'https://[::ffff:192.0.2.7]/status',
  'http://192.0.2.7/status',
  'https://munchen.example/straße',
  // A user name, which is data and makes a host look like another one.
  'https://notes@page.example/story?id=7',
  'https://notes:letter@page.example/story?id=7',
  'https://page.example@evil.example/story?id=7',
  'https://:x@page.example/story?id=7',
  // Another port or scheme.
  'https://page.example:8443/story?id=7',
  'http://page.example/story?id=7',
  'http://page.example:443/story?id=7',
  'https://plain.example:80/a',
  'https://192.0.2.7:8081/status',
  // Another path or query.
  'https://page.example/',
  'https://page.example/story',
  'https://page.example/story?id=8',
  'https://page.example/story?id=7&d=notes',
  'https://page.example/story?d=notes&id=7',
  'https://page.example/story?id=7?',
  'https://page.example/story?ID=7',
  'https://page.example/Story?id=7',
  'https://page.example/story/notes?id=7',
  'https://page.example//story?id=7',
  'https://page.example/story;notes?id=7',
  'https://page.example/story%20?id=7',
  'https://page.example/%73tory?id=7',
  'https://page.example/story?id=%37',
  'https://page.example/story?id=7%00',
  'https://plain.example/a?',
  'https://plain.example/a?x',
  'https://plain.example/a//',
  'https://plain.example/A',
  'https://shop.example/list/notes',
  'https://wiki.example/Tree',
  'https://found.example/notes',
  'https://hit.example/p?q=2',
  'https://hit.example/p',
];

test('there are 120 forms, and none twice', () => {
  expect(new Set([...DERIVED, ...FREE]).size).toBe(DERIVED.length + FREE.length);
  expect(DERIVED.length + FREE.length).toBeGreaterThanOrEqual(120);
});

test.each(DERIVED)('%j is a place that was named', (address) => {
  expect(isKnownAddress(address, known())).toBe(true);
});

test.each(FREE)('%j is free', (address) => {
  expect(isKnownAddress(address, known())).toBe(false);
});

test.each([
  ['https://frag.example/a', true],
  ['https://frag.example/a#two', true],
  ['https://frag.example/a#my-notes', false],
  ['https://frag.example/a#:~:text=my-notes', false],
  ['https://page.example/story?id=7', true],
  ['https://page.example/story?id=7#my-notes', false],
  ['https://hit.example/p?q=1#top', true],
  ['https://hit.example/p?q=1#down', false],
  ['https://evil.example/', false],
  ['no address', false],
])('as a link, %s: %j', (address, isKnown) => {
  expect(isKnownLink(address, known())).toBe(isKnown);
});

const LONG = `https://long.example/${'x'.repeat(4096 - 'https://long.example/'.length)}`;

test.each([
  ['eight marks behind it', 'https://end.example/x!!!!!!!!', 'https://end.example/x', true],
  ['nine', 'https://end.example/x!!!!!!!!!', 'https://end.example/x', false],
  ['a length of 4096 characters', LONG, LONG, true],
  ['one more', `${LONG}x`, `${LONG}x`, false],
  ['no blank before it', 'Read this:http://glued.example/x', 'http://glued.example/x', true],
  ['nor before the next one', 'http://a.example/xhttps://b.example/y', 'https://b.example/y', true],
  ['a bracket and no scheme', 'our box (192.0.2.9/status)', 'http://192.0.2.9/status', true],
  ['marks around its host', '((**end.example**))', 'https://end.example/', true],
  ['a port and nothing behind it', 'it is 192.0.2.9:8080', 'http://192.0.2.9:8080/', true],
  ['a port that is too long', 'it is 192.0.2.9:123456', 'http://192.0.2.9/', false],
  ['another one within it', 'https://a.example/?to=http:x', 'https://a.example/?to=https:x', false],
  ['www. within its name', 'https://mail.www.example/x', 'https://mail.example/x', false],
  ['a scheme alone before it', 'it starts with https:// and goes on with end.example', 'https://end.example/', true],
])('of an address with %s', (_name, said, address, isKnown) => {
  expect(isKnownAddress(address, known([said]))).toBe(isKnown);
});

test('what was said is read once, and again when there is more', () => {
  const places = known([]);
  const reading = vi.spyOn(places.destinations, Symbol.iterator);
  const asked = () => [isKnownAddress('https://new.example/', places), reading.mock.calls.length];
  expect([asked(), asked()]).toEqual([
    [false, 1],
    [false, 1],
  ]);
  places.destinations.add('https://new.example/');
  expect([asked(), asked()]).toEqual([
    [true, 2],
    [true, 2],
  ]);
});

test('a word may be searched for as often as it was said', () => {
  const said = ['Otters, otters and more.', 'OTTERS!'];
  expect(isKnownQuery('otters otters otters', said)).toBe(true);
  expect(isKnownQuery('otters otters otters otters', said)).toBe(false);
});

test.each([
  ['otters in norway', true],
  ['Norway otters', true],
  ['OTTERS', true],
  ['Otters', true],
  ['Kölner Müller', true],
  ['iPhone', true],
  ['', false],
  ['otters ', false],
  [' otters', false],
  ['otters  in norway', false],
  ['otters\tin', false],
  ['otters\u00a0in', false],
  ['otters, norway', false],
  ['otters-norway', false],
  ['otters.norway', false],
  ['"otters"', false],
  ['otters+norway', false],
  ['oTTers', false],
  ['otterS', false],
  ['ipHONE', false],
  ['otters otters', false],
  ['otters in in norway', false],
  ['otters weasels', false],
  ['ott', false],
  ['ｏｔｔｅｒｓ', false],
  ['Ko\u0308lner', false],
  ['otters\u200b', false],
  ['оtters', false],
])('the search %j: %j', (query, isKnown) => {
  expect(isKnownQuery(query, ['search for otters in Norway, and the Kölner', 'Müller has an iPhone'])).toBe(isKnown);
});

describe('of a tool', () => {
  const base = { ...PLAIN_TOOL, name: 'go', input: z.object({ to: z.string() }), execute: () => 'went' };
  const said = { said: ['go to https://page.example/ with otters'], destinations: new Set<string>() };
  const departure = (more: Partial<Tool['policy']>, to: string) =>
    departureOf(defineTool({ ...base, policy: { ...base.policy, ...more } }), { to }, said);
  const destination = (input: unknown) => (input as { to: string }).to;

  test('one that names its URL or its query goes there, one that names nothing may go anywhere', () => {
    expect(departure({ network: true, destination }, 'https://page.example/')).toBe('derived');
    expect(departure({ network: true, destination }, 'otters')).toBe('free');
    expect(departure({ network: true, query: destination }, 'otters')).toBe('derived');
    expect(departure({ network: true, query: destination }, 'https://page.example/')).toBe('free');
    expect(departure({ network: true }, 'otters')).toBe('free');
    expect(departure({ network: true, effect: 'local' }, 'otters')).toBe('free');
    expect(departure({ network: true, effect: 'outbound' }, 'otters')).toBe('none');
    expect(departure({}, 'otters')).toBe('none');
  });

  test('the gate asks before a call that may go anywhere, once there is something to carry and somebody who wants it', async () => {
    const scope = await testScope();
    const toolbox = testToolbox([defineTool({ ...base, policy: { ...base.policy, network: true } })], scope);
    expect(await toolbox.call('go', { to: 'otters' }, scope)).toMatchObject({ ok: true });
    await scope.labels.read({ untrusted: true, private: true }, 'a letter');
    expect(await toolbox.call('go', { to: 'weasels' }, scope)).toMatchObject({ ok: false, reason: 'denied' });
  });
});
