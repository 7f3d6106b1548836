import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { startDocuments } from '../../testing/documents.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { sheet } from '../../testing/pictures.ts';
import { documentPictures } from './document-pictures.ts';
import { answerProblem } from './problem.ts';

/** Reading takes seconds where several programs share a machine. */
const SLOW_MS = 240_000;

test(
  'a cited place is found on its picture, which is sent without what the camera noted',
  async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'docs'));
    const letter = await sheet(`Harbour Insurance Ltd${'\n'.repeat(9)}Please send us the bill`, {
      width: 900,
      height: 600,
    });
    const camera = { exif: { IFD0: { Copyright: 'secret owner' } }, orientation: 6 };
    const photo = await letter.rotate(270).withMetadata(camera).jpeg().toBuffer();
    writeFileSync(join(home, 'docs', 'letter.jpg'), photo);
    writeFileSync(join(home, 'docs', 'note.md'), 'No picture');
    const { documents } = await startDocuments(home);
    await documents.ingest('home', [join(home, 'docs')], { signal: new AbortController().signal });
    const door = documentPictures({ documents, read: (_, next) => next(), named: () => 'home' });
    door.onError((error, c) => answerProblem(error, c, () => undefined));
    const asked = async (path: string, query: Record<string, string>) =>
      door.request(`${path}?${new URLSearchParams(query)}`);

    const seen = await asked('/seen', { name: 'letter.jpg', where: 'lower half' });
    const box = [expect.closeTo(0.1, 1), expect.closeTo(0.74, 1), expect.any(Number), expect.any(Number)];
    expect(await seen.json()).toEqual({ items: [{ page: 1, boxes: [box] }] });
    expect(await (await asked('/seen', { name: 'letter.jpg' })).json()).toEqual({ items: [{ page: 1, boxes: [] }] });
    expect(await (await asked('/seen', { name: 'note.md' })).json()).toEqual({ items: [] });

    const picture = await asked('/picture', { name: 'letter.jpg' });
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    const sent = Buffer.from(await picture.arrayBuffer());
    // Upright, as the camera said.
    const shown = await sharp(sent).metadata();
    expect([shown.width, shown.height, shown.format, shown.exif]).toEqual([900, 600, 'jpeg', undefined]);
    expect(photo.includes('secret owner')).toBe(true);
    expect(sent.includes('secret owner')).toBe(false);

    for (const name of ['note.md', '../../etc/passwd']) expect((await asked('/picture', { name })).status).toBe(404);
  },
  SLOW_MS,
);
