import type { HeifDecoder } from 'libheif-js/wasm-bundle.js';
import { Unreadable } from '../parsed.ts';

type HeifImage = ReturnType<InstanceType<typeof HeifDecoder>['decode']>[number];

/** What a decoder gives: red, green, blue and alpha, row by row. */
interface Colours {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** The picture of a file from a phone, upright. `sharp` brings no decoder for it. @throws Unreadable */
export async function decodeHeic(bytes: Uint8Array): Promise<Colours> {
  const {
    default: { HeifDecoder },
  } = await import('libheif-js/wasm-bundle.js');
  const images = new HeifDecoder().decode(bytes);
  try {
    const [image] = images;
    if (image === undefined) throw new Unreadable('broken picture');
    return await displayed(image);
  } finally {
    for (const each of images) each.free();
  }
}

function displayed(image: HeifImage): Promise<Colours> {
  const [width, height] = [image.get_width(), image.get_height()];
  const data = new Uint8ClampedArray(width * height * 4);
  return new Promise((resolve, reject) => {
    image.display({ data, width, height }, (pixels) => {
      if (pixels === null) reject(new Unreadable('broken picture'));
      else resolve({ width, height, data: new Uint8Array(data.buffer) });
    });
  });
}
