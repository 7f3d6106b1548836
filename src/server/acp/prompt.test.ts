import { expect, test } from 'vitest';
import { sheet } from '../../testing/pictures.ts';
import { readPrompt } from './prompt.ts';

const signal = new AbortController().signal;
/** No file is asked about. */
const files = { look: () => Promise.reject(new Error('asked')), judge: () => Promise.reject(new Error('asked')) };

test('a picture comes as its text, which is nobody’s in particular; one that cannot be read has a reason', async () => {
  const picture = await sheet('The anchor stands there', { width: 900, height: 300 });
  const data = (await picture.png().toBuffer()).toString('base64');
  const prompt = await readPrompt(
    [
      { type: 'text', text: 'what is in it?' },
      { type: 'image', data, mimeType: 'image/png' },
      { type: 'image', data: Buffer.from('nothing').toString('base64'), mimeType: 'image/png' },
    ],
    { folder: undefined, files, signal },
  );
  // What begins so in base64 is a JPEG.
  const shown = { jpeg: expect.stringMatching(/^\/9j\//u) };
  expect(prompt.material).toEqual([
    { name: 'picture.png', text: 'The anchor stands there', untrusted: true, picture: shown },
  ]);
  expect(prompt.left).toEqual(['picture.png (broken picture)']);
}, 240_000);
