import { describe, expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { takeDials } from '../testing/dials.ts';
import { tablesOf } from '../testing/rows.ts';
import { isPublicAddress } from './addresses.ts';
import { createGateway } from './gateway.ts';

const rows = tablesOf(import.meta.dirname, 'ssrf');

const hex = (bytes: readonly number[]) => bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
const asNumber = (bytes: readonly number[]) => bytes.reduce((sum, byte) => sum * 256 + byte, 0);
const octal = (value: number) => `0${value.toString(8)}`;
const fullWidth = (text: string) => text.replace(/[!-~]/gu, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0));
const circled = (text: string) => text.replace(/[1-9]/gu, (digit) => String.fromCodePoint(0x245f + Number(digit)));
const percent = (text: string) => [...text].map((char) => `%${hex([char.charCodeAt(0)])}`).join('');

/** Every way to write one IPv4 address that a URL parser reads. */
function ipv4Spellings(bytes: readonly [number, number, number, number]): string[] {
  const [a, b, c, d] = bytes;
  const dotted = bytes.join('.');
  return [
    dotted,
    `${dotted}.`,
    bytes.map((byte) => `0x${byte.toString(16)}`).join('.'),
    bytes.map(octal).join('.'),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    String(asNumber(bytes)),
    `0x${hex(bytes)}`,
    octal(asNumber(bytes)),
    `${octal(a)}.${b}.0x${c.toString(16)}.${d}`,
    fullWidth(dotted),
    circled(dotted),
    dotted.replaceAll('.', '。'),
    dotted.replaceAll('.', '｡'),
    dotted.replaceAll('.', '．'),
    percent(dotted),
    `${dotted[0]}\u00AD${dotted.slice(1)}`,
  ];
}

/** Every IPv6 address that carries an IPv4 one, and that a host may route by it. */
function ipv6Around(bytes: readonly [number, number, number, number]): string[] {
  const [high, low] = [hex(bytes.slice(0, 2)), hex(bytes.slice(2))];
  const dotted = bytes.join('.');
  return [
    `[::ffff:${dotted}]`,
    `[::ffff:${high}:${low}]`,
    `[0:0:0:0:0:ffff:${high}:${low}]`,
    `[::${dotted}]`,
    `[64:ff9b::${dotted}]`,
    `[64:ff9b:1::${dotted}]`,
    `[2002:${high}:${low}::1]`,
    `[2001:0:4136:e378:8000:63bf:${hex(bytes.slice(0, 2).map((byte) => byte ^ 255))}:${hex(bytes.slice(2).map((byte) => byte ^ 255))}]`,
    `[2a00:1450::5efe:${high}:${low}]`,
    `[2a00:1450::200:5efe:${high}:${low}]`,
  ];
}

const LOOPBACK = [127, 0, 0, 1] as const;
const METADATA = [169, 254, 169, 254] as const;
const PRIVATE = [192, 168, 1, 1] as const;

const HOSTS: readonly string[] = [
  ...[LOOPBACK, METADATA, PRIVATE].flatMap(ipv4Spellings),
  ...[LOOPBACK, METADATA, PRIVATE].flatMap(ipv6Around),
  ...['127.1', '127.0.1', '127.255.255.254', '0', '0.0.0.0', '0x0', '00', '0.1.2.3', '10.0.0.1', '10.255.255.255'],
  ...['100.64.0.1', '100.127.255.254', '172.16.0.1', '172.31.255.255', '192.0.0.8', '192.0.2.1', '192.88.99.1'],
  ...['198.18.0.1', '198.19.255.255', '198.51.100.7', '203.0.113.9', '224.0.0.1', '239.255.255.250', '240.0.0.1'],
  ...['255.255.255.255', '169.254.0.1', '169.254.170.2', '168.63.129.16'],
  ...[
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::0001]',
    '[fe80::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fd00::1]',
    '[fd12:3456::1]',
  ],
  ...[
    '[ff02::1]',
    '[100::1]',
    '[2001:db8::1]',
    '[2001:2::1]',
    '[2001:10::1]',
    '[2001:20::1]',
    '[3fff::1]',
    '[5f00::1]',
  ],
  ...['[fd00:ec2::254]', '[::ffff:0:127.0.0.1]'],
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'LocalHost.',
    'api.localhost',
    'a.b.localhost.',
    'loc\u00ADalhost',
    'ｌｏｃａｌｈｏｓｔ',
    '%6cocalhost',
  ],
];

const WHOLE: readonly string[] = [
  ...[
    'file:///etc/passwd',
    'ftp://example.org/',
    'gopher://example.org/',
    'data:text/plain,x',
    'javascript:1',
    'ws://example.org/',
  ],
  ...[
    'blob:https://example.org/1',
    'about:blank',
    'jar:http://example.org!/',
    'dict://example.org:11211/',
    'ldap://example.org',
  ],
  ...[
    'http://user@example.org/',
    'http://user:pass@example.org/',
    'http://example.org@127.0.0.1/',
    'http://127.0.0.1@example.org/',
  ],
  ...['http://example.org:22/', 'http://example.org:6379/', 'https://example.org:8443/', 'http://example.org:0/'],
  ...[
    'http:\\\\127.0.0.1\\',
    'http:/127.0.0.1',
    'http:127.0.0.1',
    'http:///127.0.0.1',
    'http://127.0.0.1\\@example.org/',
  ],
  ...[
    'http://127.0.0.1#@example.org/',
    'http://127.0.0.1?@example.org/',
    'http://\t127.0.0.1/',
    'ht\ntp://127.0.0.1/',
    ' http://127.0.0.1/',
  ],
  ...[
    'http://[fe80::1%25eth0]/',
    'http://[::1',
    'http://',
    'http://%2f@127.0.0.1',
    '//127.0.0.1/',
    '127.0.0.1',
    'http://example.org:99999/',
  ],
];

const gateway = createGateway({
  allowPrivate: [],
  log: silentLog,
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
});
const ask = (url: string) => gateway.request({ url, caller: 'fetch_text', signal: new AbortController().signal });

describe('addresses that lead inside', () => {
  const urls = [...HOSTS.map((host) => `http://${host}/`), ...WHOLE];

  test('there are at least 150 forms', () => expect(new Set(urls).size).toBeGreaterThanOrEqual(150));

  test.each(urls)('%j is refused and nothing is dialled', async (url) => {
    await expect(ask(url)).rejects.toMatchObject({ code: 'egress_refused' });
    expect(takeDials()).toEqual([]);
  });

  test.each([
    'intranet',
    'router.local',
    'metadata.google.internal',
    '127.0.0.1.nip.test',
    'a.example.org.',
    'xn--e1aybc.test',
  ])('the name %s that resolves inside is refused', async (name) => {
    await expect(ask(`http://${name}/`)).rejects.toMatchObject({ code: 'egress_refused' });
  });
});

describe('addresses of the public internet', () => {
  test.each(rows<[string]>('addresses of the public internet is one'))('%s is one', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );

  test.each(['', 'x', '1.2.3', '::g', '1.1.1.1/8', 'fe80::1%eth0'])('%j is none', (address) =>
    expect(isPublicAddress(address)).toBe(false),
  );
});
