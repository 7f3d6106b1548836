import type { Taken } from '../parsed.ts';
import { decoder } from './image.ts';

/** The fields that are looked at, by their numbers. @see CIPA DC-008 (Exif 2.32), sections 4.6.3 to 4.6.6 */
const FIELD = { exif: 0x8769, gps: 0x8825, takenAt: 0x9003, offset: 0x9011 } as const;
const GPS = { northOrSouth: 1, latitude: 2, eastOrWest: 3, longitude: 4 } as const;
/** Bytes of a value, by its type: text, a whole number of 4 bytes, a fraction of two such numbers. */
const BYTES: Readonly<Record<number, number>> = { 2: 1, 4: 4, 5: 8 };
const ENTRY_BYTES = 12;
/** What JPEG and HEIC put in front. */
const MARK = Buffer.from('Exif\0\0');
const WRITTEN = /^(?<year>\d{4}):(?<month>\d\d):(?<day>\d\d) (?<time>\d\d:\d\d:\d\d)/u;
const OFFSET = /^[+-]\d\d:\d\d/u;
/** Of a degree: a metre or so. */
const PLACES = 5;

/** When and where a picture was taken, as its camera noted; undefined where it noted neither. */
export async function takenOf(bytes: Uint8Array): Promise<Taken | undefined> {
  const sharp = await decoder();
  const { exif } = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => ({ exif: undefined }));
  return exif && takenIn(exif);
}

/** The same from the bytes of Exif alone. Those that are broken note nothing. */
export function takenIn(exif: Uint8Array): Taken | undefined {
  try {
    const own = Buffer.from(exif.buffer, exif.byteOffset, exif.byteLength);
    const notes = new Notes(own.subarray(0, MARK.length).equals(MARK) ? own.subarray(MARK.length) : own);
    const [at, place] = [dayAndTime(notes), placeIn(notes)];
    return at === undefined && place === undefined ? undefined : { ...(at && { at }), ...(place && { place }) };
  } catch (error) {
    // Every offset is the file's own: one that points outside it says that the notes are broken.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function dayAndTime(notes: Notes): string | undefined {
  const fields = notes.within(FIELD.exif);
  const { year, month, day, time } = WRITTEN.exec(notes.textOf(fields.get(FIELD.takenAt)))?.groups ?? {};
  const at = `${year}-${month}-${day}T${time}`;
  // A camera whose clock was never set writes zeros.
  if (year === undefined || Number.isNaN(Date.parse(`${at}Z`))) return undefined;
  return `${at}${OFFSET.exec(notes.textOf(fields.get(FIELD.offset)))?.[0] ?? ''}`;
}

function placeIn(notes: Notes): Taken['place'] {
  const fields = notes.within(FIELD.gps);
  const degrees = (field: number, side: number, most: number) => {
    const [whole = Number.NaN, minutes = 0, seconds = 0] = notes.fractionsOf(fields.get(field));
    const value = whole + minutes / 60 + seconds / 3600;
    const isNegative = /^[SW]/u.test(notes.textOf(fields.get(side)));
    return value <= most ? Number((isNegative ? -value : value).toFixed(PLACES)) : undefined;
  };
  const latitude = degrees(GPS.latitude, GPS.northOrSouth, 90);
  const longitude = degrees(GPS.longitude, GPS.eastOrWest, 180);
  return latitude === undefined || longitude === undefined ? undefined : [latitude, longitude];
}

/** Where the values of a field are. */
interface Field {
  readonly type: number;
  readonly count: number;
  readonly at: number;
}

/** The directories of fields in Exif, which is laid out like TIFF. All methods throw RangeError beyond its end. */
class Notes {
  readonly #bytes: Buffer;
  readonly #isLittle: boolean;
  readonly #first: ReadonlyMap<number, Field>;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#isLittle = bytes.readUInt16BE(0) === 0x4949;
    this.#first = this.#fieldsAt(this.#long(4));
  }

  /** The fields of a directory that one of the first directory's fields points to. */
  within(field: number): ReadonlyMap<number, Field> {
    const found = this.#first.get(field);
    return found?.type === 4 ? this.#fieldsAt(this.#long(found.at)) : new Map();
  }

  textOf(field: Field | undefined): string {
    return field?.type === 2 ? this.#bytes.toString('latin1', field.at, field.at + field.count) : '';
  }

  /** The first three. */
  fractionsOf(field: Field | undefined): readonly number[] {
    if (field?.type !== 5) return [];
    const starts = [0, 8, 16].slice(0, field.count);
    return starts.map((start) => this.#long(field.at + start) / this.#long(field.at + start + 4));
  }

  #fieldsAt(at: number): ReadonlyMap<number, Field> {
    const fields = Array.from({ length: this.#short(at) }, (_, index) => {
      const entry = at + 2 + index * ENTRY_BYTES;
      const [type, count] = [this.#short(entry + 2), this.#long(entry + 4)];
      // What fits into four bytes stands there itself.
      const isInside = (BYTES[type] ?? 0) * count <= 4;
      return [this.#short(entry), { type, count, at: isInside ? entry + 8 : this.#long(entry + 8) }] as const;
    });
    return new Map(fields);
  }

  #short(at: number): number {
    return this.#isLittle ? this.#bytes.readUInt16LE(at) : this.#bytes.readUInt16BE(at);
  }

  #long(at: number): number {
    return this.#isLittle ? this.#bytes.readUInt32LE(at) : this.#bytes.readUInt32BE(at);
  }
}
