import { expect, test } from 'vitest';
import { outcome, told } from '../../../testing/built-in-outcome.ts';

test.each([
  ['list my files', [{ path: 'a.txt' }, 'b.txt'], 'a.txt\nb.txt'],
  ['list my files', [], 'The folder is empty.'],
  ['welche Dateien habe ich?', 'none', 'Der Ordner ist leer.'],
  ['write hi to a.txt', 'Wrote a.txt.', 'Wrote a.txt.'],
  ['schreib hallo Welt in a.txt', 'Wrote a.txt.', 'Geschrieben: a.txt (10 Zeichen).'],
  ['lies a.txt', 'Hallo.', 'Hallo.'],
])('%s answering %j', (text, value, said) => expect(told(text, value)).toBe(said));

test.each([
  ['write to a.txt hi there', 'a.txt', 'hi there'],
  ['replace everything in notes/a.txt with hi', 'notes/a.txt', 'hi'],
  ['write "hi, all" to "a.txt"', 'a.txt', 'hi, all'],
])('%s', (text, path, content) => expect(outcome(text)).toEqual([['write_file', { path, content }]]));

test.each([
  [
    'append hi to a.txt',
    'I can only write whole files. "note: ..." adds to your journal; "write ... to FILE" replaces a file.',
  ],
  [
    'füge hallo zu a.txt hinzu',
    'Ich kann nur ganze Dateien schreiben. „notiere: ...“ ergänzt dein Journal; „schreib ... in DATEI“ ersetzt eine Datei.',
  ],
])('%s: what can be done instead', (text, said) => expect(outcome(text)).toBe(said));

test('the name of a page is none of a file', () => {
  expect(outcome('read https://a.example/a.txt')).toEqual([['fetch_text', { url: 'https://a.example/a.txt' }]]);
});
