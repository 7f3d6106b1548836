import { homedir } from 'node:os';
import { expect, test } from 'vitest';
import { pastedPictures } from './pasted-pictures.ts';

test.each([
  ['/tmp/letter.jpg when is it due?', ['/tmp/letter.jpg']],
  ['what is in /tmp/letter.jpg?', ['/tmp/letter.jpg']],
  [String.raw`/tmp/my\ photo\(1\).PNG`, ['/tmp/my photo(1).PNG']],
  [
    `'/tmp/it is.webp' and "/tmp/b c.tiff" and /tmp/x.png /tmp/x.png`,
    ['/tmp/it is.webp', '/tmp/b c.tiff', '/tmp/x.png'],
  ],
  ['~/scan.tif', [`${homedir()}/scan.tif`]],
  ['/etc/hosts says what?', []],
  ['see https://example.org/a.png and a/b.png', []],
])('%s', (line, paths) => expect(pastedPictures(line).paths).toEqual(paths));

test('the question is about the name of the file', () => {
  const { line } = pastedPictures('when is "/tmp/a b/letter.jpg" due, and /etc/hosts, and /tmp/x.png?');
  expect(line).toBe('when is @letter.jpg due, and /etc/hosts, and @x.png?');
});
