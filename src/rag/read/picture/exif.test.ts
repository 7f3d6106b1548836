import sharp, { type Exif } from 'sharp';
import { expect, test } from 'vitest';
import { takenIn, takenOf } from './exif.ts';

const CAMERA = { DateTimeOriginal: '2026:11:03 14:22:05', OffsetTimeOriginal: '+01:00' };
const HARBOUR = { GPSLatitudeRef: 'N', GPSLatitude: '47/1 32/1 4560/100' };
const EAST = { GPSLongitudeRef: 'E', GPSLongitude: '9/1 41/1 0/1' };

function photo(exif: Exif): Promise<Buffer> {
  const plain = sharp({ create: { width: 40, height: 40, channels: 3, background: '#fff' } });
  return plain.withExif(exif).jpeg().toBuffer();
}

test.each([
  [
    { IFD2: CAMERA, IFD3: { ...HARBOUR, ...EAST } },
    { at: '2026-11-03T14:22:05+01:00', place: [47.546, 9.68333] },
  ],
  [{ IFD2: { DateTimeOriginal: CAMERA.DateTimeOriginal }, IFD3: HARBOUR }, { at: '2026-11-03T14:22:05' }],
  [{ IFD3: { ...HARBOUR, ...EAST, GPSLatitudeRef: 'S', GPSLongitudeRef: 'W' } }, { place: [-47.546, -9.68333] }],
  [{ IFD2: { DateTimeOriginal: '0000:00:00 00:00:00' } }, undefined],
  [{ IFD3: { ...EAST, GPSLatitudeRef: 'N', GPSLatitude: '47/0 0/1 0/1' } }, undefined],
  [{ IFD0: { Artist: 'Ann' } }, undefined],
])('%j', async (exif, taken) => {
  expect(await takenOf(await photo(exif))).toEqual(taken);
});

test('both orders of bytes are read; what is cut or points outside itself notes nothing or less', async () => {
  const whole = big();
  expect(takenIn(whole)).toEqual({ at: '2026-11-03T14:22:05' });
  for (let length = 0; length < whole.length - 1; length++)
    expect([undefined, '2026-11-03T14:22:05']).toContain(takenIn(whole.subarray(0, length))?.at);
  for (let at = 0; at < whole.length; at++) {
    const broken = Buffer.from(whole);
    broken[at] = 0xff;
    expect(() => takenIn(broken)).not.toThrow();
  }
  expect(await takenOf(Buffer.from('not a picture'))).toBeUndefined();
});

/** The day alone, most significant bytes first, as some cameras write. */
function big(): Buffer {
  const text = Buffer.from('2026:11:03 14:22:05\0');
  const bytes = Buffer.alloc(44);
  bytes.write('MM\0*');
  bytes.writeUInt32BE(8, 4);
  bytes.writeUInt16BE(1, 8);
  field(bytes, 10, [0x8769, 4, 1, 26]);
  bytes.writeUInt16BE(1, 26);
  field(bytes, 28, [0x9003, 2, text.length, 44]);
  return Buffer.concat([bytes, text]);
}

function field(bytes: Buffer, at: number, [id, type, count, value]: [number, number, number, number]): void {
  bytes.writeUInt16BE(id, at);
  bytes.writeUInt16BE(type, at + 2);
  bytes.writeUInt32BE(count, at + 4);
  bytes.writeUInt32BE(value, at + 8);
}
