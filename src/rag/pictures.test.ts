import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { startDocuments } from '../testing/documents.ts';
import { temporaryFolder } from '../testing/home.ts';
import { pdfOf, scanOf, sheet } from '../testing/pictures.ts';
import { RAG_DEFAULTS } from './options.ts';

const signal = new AbortController().signal;
/** However busy the machine is. */
const options = { ...RAG_DEFAULTS, parseTimeoutMs: 600_000 };
const SMALL = { width: 900, height: 600 };
/** Reading takes seconds where several programs share a machine. */
const SLOW_MS = 240_000;

/** Whose second paragraph is in its lower half. */
function letter(thing: string): Promise<Sharp> {
  const between = Array<string>(7).fill('');
  const lines = ['Harbour Insurance Ltd', 'Your claim number 88-1204', ...between];
  return sheet([...lines, `Please send us the ${thing}`, 'by 18 December 2026.'].join('\n'), SMALL);
}

async function folder(files: Readonly<Record<string, Uint8Array>>) {
  const home = temporaryFolder();
  const docs = join(home, 'docs');
  mkdirSync(docs);
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(docs, name), bytes);
  return { docs, ...(await startDocuments(home, { options })) };
}

test(
  'a photo is found by its text, cited by its half, with the box of each line',
  async () => {
    const [photo, sideways, head] = [await letter('bill'), await letter('contract'), await letter('passport')];
    const { docs, documents } = await folder({
      'letter.jpg': await photo.rotate(2, { background: '#ccc' }).jpeg().toBuffer(),
      // As a phone held sideways stores it.
      'sideways.jpg': await sideways.rotate(270).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
      'head.png': await head.rotate(180).png().toBuffer(),
      // "The ferry leaves at seven" on its side, by heif-enc.
      'ferry.heic': readFileSync(join(import.meta.dirname, 'read/fixtures/ferry.heic')),
    });
    const report = await documents.ingest('home', [docs], { signal });
    expect(report).toMatchObject({ indexed: 4, empty: [], failed: [], skipped: [] });
    const hit = async (query: string) => {
      const [first] = await documents.search('home', query, { k: 1 });
      const { boxes = [] } = (first?.metadata?.seen ?? {}) as { boxes?: number[][] };
      return { ...first, box: boxes[0] };
    };
    expect(await hit('bill')).toMatchObject({
      citation: '[letter.jpg, lower half]',
      text: 'Please send us the bill by 18 December 2026.',
    });
    expect(await hit('ferry')).toMatchObject({ text: 'The ferry leaves at seven' });
    // The line begins 90 pixels from the left and some 440 down; on its head, from the right and the bottom.
    const box = [expect.closeTo(0.1, 1), expect.closeTo(0.74, 1), expect.any(Number), expect.any(Number)];
    expect(await hit('contract')).toMatchObject({ citation: '[sideways.jpg, lower half]', box });
    const turned = [expect.any(Number), expect.any(Number), expect.closeTo(0.9, 1), expect.closeTo(0.26, 1)];
    expect(await hit('passport')).toMatchObject({ citation: '[head.png, lower half]', box: turned });
  },
  SLOW_MS,
);

test(
  'pages of a scan are read, cited by their numbers; a stopped ingest goes on where it was',
  async () => {
    const words = ['anchor', 'barrel', 'candle', 'dinghy', 'engine', 'funnel'];
    const pages = await Promise.all(
      words.map(async (word) => (await sheet(`The ${word} stands there`, SMALL)).jpeg().toBuffer()),
    );
    const { docs, documents, store } = await folder({ 'scan.pdf': scanOf(pages, SMALL) });
    const stop = new AbortController();
    const told: string[] = [];
    const onProgress = ({ file }: { file: string }) => {
      told.push(file);
      if (file.includes('page')) stop.abort();
    };
    const stopped = await documents.ingest('home', [docs], { signal: stop.signal, onProgress });
    expect(stopped).toMatchObject({ aborted: true, indexed: 0, failed: [] });
    const kept = await store.db.selectFrom('seen_pages').select('page').orderBy('page').execute();
    expect(kept.map(({ page }) => page)).toEqual([1, 2, 3, 4]);
    expect(told).toContain('scan.pdf, page 4 of 6');

    const marked = JSON.stringify([{ kind: 'text', text: 'The barrel was kept', page: 2 }]);
    await store.db.updateTable('seen_pages').set({ found: marked }).where('page', '=', 2).execute();
    const report = await documents.ingest('home', [docs], { signal });
    expect(report).toMatchObject({ aborted: false, indexed: 1, failed: [] });
    const hits = async (query: string) =>
      (await documents.search('home', query, { k: 1 })).map((hit) => [hit.text, hit.citation]);
    expect(await hits('barrel')).toEqual([['The barrel was kept', '[scan.pdf, p. 2]']]);
    expect(await hits('funnel')).toEqual([['The funnel stands there', '[scan.pdf, p. 6]']]);
  },
  SLOW_MS,
);

test(
  'each page of a TIFF is one; a picture without text is empty',
  async () => {
    const pages = await Promise.all(
      ['The anchor', 'The barrel'].map(async (text) => (await sheet(text, SMALL)).png().toBuffer()),
    );
    const { docs, documents } = await folder({
      'fax.tiff': await sharp(pages, { join: { animated: true } })
        .tiff()
        .toBuffer(),
      'plain.png': await sharp({ create: { ...SMALL, channels: 3, background: '#fff' } })
        .png()
        .toBuffer(),
    });
    const report = await documents.ingest('home', [docs], { signal });
    expect(report).toMatchObject({ indexed: 1, empty: ['plain.png'], failed: [] });
    expect((await documents.search('home', 'barrel', { k: 1 })).map(({ citation }) => citation)).toEqual([
      '[fax.tiff, p. 2]',
    ]);
  },
  SLOW_MS,
);

test(
  'when and where a photo was taken is kept with it only while that is asked for, and is in no passage',
  async () => {
    const GPS = { GPSLatitudeRef: 'N', GPSLatitude: '47/1 32/1 4560/100' };
    const exif = {
      IFD2: { DateTimeOriginal: '2026:11:03 14:22:05' },
      IFD3: { ...GPS, GPSLongitudeRef: 'E', GPSLongitude: '9/1 41/1 0/1' },
    };
    const home = temporaryFolder();
    const docs = join(home, 'docs');
    mkdirSync(docs);
    const page = await sheet('The anchor stands there', SMALL);
    writeFileSync(join(docs, 'anchor.jpg'), await page.clone().withExif(exif).jpeg().toBuffer());
    writeFileSync(join(docs, 'notes.md'), 'The barrel stands here.');
    const taken = async (isAsked: boolean) => {
      const { documents, stop } = await startDocuments(home, { options: { ...options, exif: isAsked } });
      const { indexed } = await documents.ingest('home', [docs], { signal });
      const found = [await documents.search('home', 'anchor', { k: 1 }), await documents.texts('home', 'anchor.jpg')];
      expect(JSON.stringify(found)).toContain('anchor');
      expect(JSON.stringify(found)).not.toMatch(/47\.5|14:22/u);
      const [photo] = await documents.sources('home');
      await stop();
      return { indexed, taken: photo?.taken };
    };
    expect(await taken(false)).toEqual({ indexed: 2, taken: undefined });
    const asked = { at: '2026-11-03T14:22:05', place: [47.546, 9.68333] };
    expect(await taken(true)).toEqual({ indexed: 1, taken: asked });
    expect(await taken(true)).toEqual({ indexed: 0, taken: asked });
    expect(await taken(false)).toEqual({ indexed: 1, taken: undefined });
  },
  SLOW_MS,
);

test(
  'what cannot be read has a reason each, and the next picture is read',
  async () => {
    const page = await sheet('The anchor stands there', SMALL);
    const png = await page.clone().png().toBuffer();
    const frames = [png, await sheet('Another', SMALL).then((each) => each.png().toBuffer())];
    const { docs, documents } = await folder({
      'a-bomb.png': bomb(60_000, 60_000),
      'a-broken.jpg': Buffer.from('not a picture'),
      'a-cut.png': png.subarray(0, 3000),
      'a-drawing.png': Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><text>hello</text></svg>',
      ),
      'a-film.gif': await sharp(frames, { join: { animated: true } })
        .gif()
        .toBuffer(),
      'a-icon.png': await page.clone().resize(16, 16).png().toBuffer(),
      'a-locked.pdf': locked(),
      'b.pdf': scanOf([Buffer.from('no JPEG'), await page.clone().jpeg().toBuffer()], SMALL),
      'c.png': png,
    });
    const report = await documents.ingest('home', [docs], { signal });
    expect([...report.failed, ...report.skipped].map(({ file, why }) => `${file}: ${why}`).sort()).toEqual([
      'a-bomb.png: 60000 x 60000 pixels, more than 64 million',
      'a-broken.jpg: broken picture',
      'a-cut.png: broken picture',
      'a-drawing.png: broken picture',
      'a-film.gif: an animation',
      'a-icon.png: too small for text',
      'a-locked.pdf: encrypted: save a copy without its password',
    ]);
    const [scan] = (await documents.sources('home')).filter(({ file }) => file === 'b.pdf');
    expect(scan).toMatchObject({ state: 'indexed', error: expect.stringMatching(/^page 1: /u) });
    const found = await documents.search('home', 'anchor', { k: 2 });
    expect(
      found.flatMap(({ citation, copies = [] }) => [citation, ...copies.map((copy) => copy.citation)]).sort(),
    ).toEqual(['[b.pdf, p. 2]', '[c.png, upper half]']);
  },
  SLOW_MS,
);

/** A picture of which only its header says how large it is. */
function bomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const rows = deflateSync(Buffer.alloc((1 + width / 8) * 1000));
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

/** A file that asks for a password. */
function locked(): Buffer {
  const key = 'a'.repeat(64);
  const encrypt = `<< /Filter /Standard /V 1 /R 2 /Length 40 /P -44 /O <${key}> /U <${key}> >>`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>',
    encrypt,
  ];
  return pdfOf(
    objects.map((each) => Buffer.from(each)),
    `/Encrypt 4 0 R /ID [<${'00'.repeat(16)}> <${'00'.repeat(16)}>]`,
  );
}
