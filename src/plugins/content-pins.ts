import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../base/folders.ts';
import { parseJson } from '../base/json.ts';
import { replaceFile } from '../base/replace-file.ts';

const Pin = z.object({
  /** Of the files that the owner agreed to; absent: they have not. */
  hash: z.string().optional(),
  /** Somebody else wrote it. */
  imported: z.boolean().optional(),
});
type Pin = z.infer<typeof Pin>;
const Pins = z.record(z.string(), Pin);

/**
 * What the owner decided about skills or programs, in one file of the home. A damaged one decides nothing: all are off
 * then.
 */
export class ContentPins {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  of(id: string): Pin {
    return this.#read()[id] ?? {};
  }

  async set(id: string, pin: Pin): Promise<void> {
    const pins = { ...this.#read(), [id]: pin };
    makeFolder(dirname(this.#path));
    await replaceFile(this.#path, `${JSON.stringify(pins, null, 1)}\n`);
  }

  #read(): Record<string, Pin> {
    try {
      const read = Pins.safeParse(parseJson(readFileSync(this.#path, 'utf8')));
      return read.success ? read.data : {};
    } catch {
      return {};
    }
  }
}
