import { expect, test } from 'vitest';
import { typedAddress, webAddress } from './web-address.ts';

test.each([
  ['https://Example.org/Page', 'https://example.org/Page'],
  ['http://example.org', 'http://example.org/'],
  ['HTTPS://bücher.example/', 'https://xn--bcher-kva.example/'],
])('%s is dialled as %s', (text, address) => {
  expect(webAddress(text)?.href).toBe(address);
});

test.each([
  'example.org',
  'ftp://example.org',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'https://bank.example@evil.example/',
  'https://:secret@evil.example/',
  'https://',
  '',
])('%j is no address of the web', (text) => {
  expect(webAddress(text)).toBeUndefined();
});

test.each([
  [' example.org/page ', 'https://example.org/page'],
  ['http://example.org', 'http://example.org/'],
  ['localhost:8080/x', 'https://localhost:8080/x'],
])('%j may lack its scheme', (text, address) => {
  expect(typedAddress(text)?.href).toBe(address);
});

test('another scheme stays what it is', () => {
  expect(typedAddress('ftp://example.org')).toBeUndefined();
  expect(typedAddress('bank.example@evil.example')).toBeUndefined();
});
