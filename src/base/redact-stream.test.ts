import { describe, expect, test } from 'vitest';
import { fakeSecrets } from '../testing/fake-secrets.ts';
import { Redactor } from './redact.ts';
import { RedactingStream } from './redact-stream.ts';

/** The part of a token that must not be seen: its longest run without separators. */
const core = (value: string) =>
  value.split(/[-_.:/@\s]/u).reduce((longest, part) => (part.length > longest.length ? part : longest), '');

describe('a stream', () => {
  const texts = [
    ...fakeSecrets(1, 3).map(({ value }) => ({ value: core(value), text: `see ${value} and on` })),
    { value: 'correct horse battery', text: 'it says correct horse battery here' },
    { value: 'hT7pQ2xL9vR4', text: 'the password is hT7pQ2xL9vR4, I think' },
    { value: 'hT7pQ2xL9vR4', text: 'Authorization: Bearer hT7pQ2xL9vR4\n' },
    { value: 'dark0theme9', text: 'Cookie: a=b123456; theme=dark0theme9\nnext' },
  ];

  test.each([1, 2, 3, 7, 20])('hides what is split into pieces of %i', (size) => {
    const redactor = new Redactor(['correct horse battery']);
    for (const { value, text } of texts) {
      const stream = new RedactingStream(redactor);
      let shown = '';
      for (let at = 0; at < text.length; at += size) shown += stream.write(text.slice(at, at + size));
      shown += stream.end();
      expect(shown).not.toContain(value);
      expect(shown).toBe(redactor.redact(text));
    }
  });

  test('ordinary words come through at most a word behind', () => {
    const stream = new RedactingStream(new Redactor(['correct horse battery']));
    expect(stream.write('Low tide is at ')).toBe('Low tide is at ');
    expect(stream.write('14')).toBe('');
    expect(stream.write(':05 today, ')).toBe('14:05 today, ');
    expect(stream.end()).toBe('');
  });
});

describe('what a stream holds back', () => {
  const stream = () => new RedactingStream(new Redactor());

  test('is forgotten when the pieces are discarded', () => {
    const it = stream();
    it.write('Low ti');
    it.reset();
    expect([it.write('High '), it.end(), it.end()]).toEqual(['High ', '', '']);
  });

  test('is a private key until its end is there', () => {
    const it = stream();
    const begin = '-----BEGIN RSA PRIVATE KEY-----';
    expect(it.write(`here: ${begin}\nMIIabc def\n`)).toBe('here: ');
    expect(it.write('ghi\n-----END RSA PRIVATE KEY-----')).toBe('');
    expect(it.write(' all is done ')).toBe('[secret] all is done ');
  });

  test('is released when it is too long for a secret', () => {
    const it = stream();
    expect(it.write('x'.repeat(60_000))).toBe('');
    expect(it.write('x'.repeat(10_000))).toHaveLength(70_000);
    expect(it.end()).toBe('');
  });

  test('is nothing of other scripts', () => expect(stream().write('明日の天気')).toBe('明日の天気'));

  test('is a cookie up to the end of its line', () => {
    const it = stream();
    expect(it.write('a\nCookie: a=b123456; theme=dark ')).toBe('a\n');
    expect(it.write('more\nnext ')).toBe('Cookie: [secret]\nnext ');
  });

  test('is a name that makes a secret of what follows', () => {
    const it = stream();
    expect(it.write('my api_key = ')).toBe('my ');
    expect(it.write('hT7pQ2xL9vR4 and on ')).toBe('api_key = [secret] and on ');
  });
});
