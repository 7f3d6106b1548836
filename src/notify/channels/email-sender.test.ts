import { describe, expect, test } from 'vitest';
import { readFields, senderOf } from './email-sender.ts';

const SERVER = 'mx.example.net';
const PASS = 'dmarc=pass (p=reject dis=none) header.from=example.org';
/** Who a mail with these results and this From field is from. */
const from = (results: readonly string[], head = 'From: Anna <anna@example.org>', address = 'anna@example.org') => {
  const lines = results.map((each) => `Authentication-Results: ${each}`);
  return senderOf(readFields([...lines, head, 'Subject: hi'].join('\r\n')), SERVER, [address]);
};

describe('a sender is known', () => {
  test.each([
    ['', `${SERVER}; spf=pass smtp.mailfrom=example.org; ${PASS}`],
    ['in any case', `MX.Example.NET; DMARC=Pass header.from=EXAMPLE.org`],
    ['with a version', `${SERVER} 1; ${PASS}`],
    ['over several lines', `${SERVER};\r\n\tdkim=pass header.d=example.org;\r\n ${PASS}`],
    ['with a comment in front', `(border) ${SERVER}; ${PASS}`],
    ['with quotes', `"${SERVER}"; dmarc=pass header.from="example.org"`],
  ])('if the receiving server says so %s', (_how, results) => {
    expect(from([results])).toBe('anna@example.org');
  });

  test('also under a domain in another script', () => {
    const results = `${SERVER}; dmarc=pass header.from=xn--bcher-kva.example`;
    expect(from([results], 'From: a@bücher.example', 'a@bücher.example')).toBe('a@bücher.example');
  });
});

describe('nobody is known', () => {
  test.each([
    ['without results', []],
    ['by the results of another server', [`mx.evil.example; ${PASS}`]],
    ['by a server that only begins like it', [`${SERVER}.evil.example; ${PASS}`]],
    ['by an older standard alone', [`${SERVER}; dkim=pass header.d=example.org; spf=pass smtp.mailfrom=example.org`]],
    ['if the check failed', [`${SERVER}; dmarc=fail header.from=example.org`]],
    ['if it could not be made', [`${SERVER}; dmarc=none header.from=example.org`]],
    ['if two results of the server differ', [`${SERVER}; ${PASS}`, `${SERVER}; dmarc=fail header.from=example.org`]],
    ['if it passed for another domain', [`${SERVER}; dmarc=pass header.from=evil.example`]],
    ['if it passed for a domain below', [`${SERVER}; dmarc=pass header.from=x.example.org`]],
    ['if it names no domain', [`${SERVER}; dmarc=pass`]],
    [
      'by what stands in a comment',
      [`${SERVER}; dmarc=fail (dmarc=pass header.from=example.org) header.from=evil.example`],
    ],
    ['by a server named in a comment', [`mx.evil.example (${SERVER}; ${PASS})`]],
    ['by comments that do not close', [`${SERVER}; ${PASS} (`, `${SERVER}) ; ${PASS}`]],
    ['by a word that begins like it', [`${SERVER}; dmarc=passed header.from=example.org`]],
  ])('%s', (_how, results) => {
    expect(from(results)).toBeUndefined();
  });

  test.each([
    ['two fields', 'From: anna@example.org\r\nFrom: bob@evil.example', ['anna@example.org']],
    ['two addresses', 'From: anna@example.org, bob@evil.example', ['anna@example.org', 'bob@evil.example']],
    ['none', 'From: undisclosed', []],
    ['an address within an address', 'From: <anna@example.org@evil.example>', ['anna@example.org@evil.example']],
  ])('by a From with %s', (_how, head, addresses) => {
    const fields = readFields([`Authentication-Results: ${SERVER}; ${PASS}`, head].join('\r\n'));
    expect(senderOf(fields, SERVER, addresses)).toBeUndefined();
  });
});
