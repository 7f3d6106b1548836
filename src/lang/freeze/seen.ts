import { z } from 'zod';
import { canonicalJson, isRecord } from '../../base/json.ts';
import { preview } from '../../base/text.ts';
import { isFigure, wordsIn } from '../save/leaves.ts';

const RANGE = z.object({ least: z.number(), most: z.number() });

/** What was seen at one place of the results of a call. Items of a list share a place. */
const PLACE = z.object({
  kinds: z.array(z.string()),
  /** The texts, unless they are of figures only. */
  texts: z.array(z.string()),
  /** Numbers, and the lengths of lists. */
  numbers: RANGE.optional(),
  /** Instants, in milliseconds from the time of the run. */
  instants: RANGE.optional(),
  /** Names that every record had. */
  keys: z.array(z.string()).optional(),
  /** In every run, whatever stood there was handed on. */
  handed: z.boolean(),
});

const CALL = z.object({ times: z.number(), places: z.record(z.string(), PLACE) });

/** What calls that read gave, by call: the tool with its input, or the tool alone where the input varied. */
export const SEEN = z.record(z.string(), CALL);
export type Seen = z.infer<typeof SEEN>;
type SeenPlace = z.infer<typeof PLACE>;

/** A call that read something, in one run. */
export interface Read {
  readonly tool: string;
  readonly input: unknown;
  readonly value: unknown;
}

/** One run: what it read, and all that it handed on, as text. */
export interface SeenRun {
  readonly at: Date;
  readonly reads: readonly Read[];
  readonly handed: string;
}

/**
 * What the runs have read, as far as a later run may differ from it. A value that was handed on each time may be any
 * other one of its kind. One that was not may have decided what was done: it has to be one that was seen, a number
 * between those that were.
 */
export function seenIn(runs: readonly SeenRun[]): Seen {
  const seen: Seen = {};
  const fixed = fixedCalls(runs);
  for (const { at, reads, handed } of runs)
    for (const read of reads) {
      const key = keyOf(read, fixed);
      const { times, places } = seen[key] ?? { times: 0, places: {} };
      seen[key] = { times: times + 1, places };
      for (const { path, value } of leavesOf(read.value))
        places[path] = noted(places[path] ?? FRESH, value, { at, handed });
    }
  // What may be anything need not be kept.
  for (const { places } of Object.values(seen))
    for (const [path, { kinds, keys, handed }] of Object.entries(places))
      if (handed && !kinds.includes('list')) places[path] = { kinds, texts: [], keys, handed };
  return seen;
}

/** @returns what a result has that no run has seen, in words; undefined: nothing. */
export function unseenIn(seen: Seen, { tool, input, value }: Read, at: Date): string | undefined {
  const call = seen[callKey(tool, input)] ?? seen[tool];
  if (!call) return `${tool} was never asked for ${preview(canonicalJson(input), 80)}`;
  for (const leaf of leavesOf(value)) {
    const place = call.places[leaf.path];
    const strange = place ? strangeAt(place, leaf, { at, places: call.places }) : 'was never there';
    if (strange) return `${leaf.path || 'the result'} of ${tool} ${strange}: ${preview(canonicalJson(leaf.value), 80)}`;
  }
  return undefined;
}

/** Whether a value of this call was handed on in every run. */
export function isHandedOn(seen: Seen, { tool, input }: Omit<Read, 'value'>, path: string): boolean {
  return (seen[callKey(tool, input)] ?? seen[tool])?.places[path]?.handed === true;
}

/** Calls with an input that every run has made. */
function fixedCalls(runs: readonly SeenRun[]): ReadonlySet<string> {
  const [first, ...others] = runs.map(({ reads }) => new Set(reads.map(({ tool, input }) => callKey(tool, input))));
  return new Set([...(first ?? [])].filter((key) => others.every((keys) => keys.has(key))));
}

function keyOf({ tool, input }: Read, fixed: ReadonlySet<string>): string {
  const key = callKey(tool, input);
  return fixed.has(key) ? key : tool;
}

function callKey(tool: string, input: unknown): string {
  return `${tool} ${canonicalJson(input)}`;
}

const FRESH: SeenPlace = { kinds: [], texts: [], handed: true };

function noted(before: SeenPlace, value: unknown, { at, handed }: Pick<SeenRun, 'at' | 'handed'>): SeenPlace {
  const place = { ...before, kinds: [...new Set([...before.kinds, kindOf(value)])] };
  const [number, instant] = [numberOf(value), instantOf(value)];
  if (number !== undefined) place.numbers = widened(place.numbers, number);
  if (instant !== undefined) place.instants = widened(place.instants, instant - at.getTime());
  else if (typeof value === 'string' && !isOpaque(value)) place.texts = [...new Set([...place.texts, value])];
  if (isRecord(value)) place.keys = place.keys?.filter((name) => Object.hasOwn(value, name)) ?? Object.keys(value);
  if (isLeaf(value)) place.handed &&= isIn(value, handed);
  return place;
}

function strangeAt(
  place: SeenPlace,
  { path, value }: Leaf,
  { at, places }: { readonly at: Date; readonly places: Readonly<Record<string, SeenPlace>> },
): string | undefined {
  if (!place.kinds.includes(kindOf(value))) return `was never of this kind (${kindOf(value)})`;
  const missing = isRecord(value) ? place.keys?.find((name) => !Object.hasOwn(value, name)) : undefined;
  if (missing !== undefined) return `never lacked ${missing}`;
  if (isLeaf(value) && place.handed) return undefined;
  if (Array.isArray(value)) return lengthOf(place, value.length, () => itemsAreHandedOn(places, path));
  if (typeof value === 'number' && !isWithin(place.numbers, value)) return 'was never this number';
  const instant = instantOf(value);
  if (instant !== undefined)
    return isWithin(place.instants, instant - at.getTime()) ? undefined : 'was never so long ago, or ahead';
  if (typeof value !== 'string' || isOpaque(value)) return undefined;
  return place.texts.includes(value) ? undefined : 'was never this text';
}

/** A list of which every item is handed on may be longer than any before. */
function lengthOf({ numbers }: SeenPlace, length: number, mayGrow: () => boolean): string | undefined {
  if (isWithin(numbers, length) || (numbers && length > numbers.most && mayGrow())) return undefined;
  return `never had ${length} items`;
}

function itemsAreHandedOn(places: Readonly<Record<string, SeenPlace>>, list: string): boolean {
  return Object.entries(places).every(([path, { handed }]) => !path.startsWith(`${list}[]`) || handed);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  if (value === null || typeof value === 'boolean') return String(value);
  return isRecord(value) ? 'record' : typeof value;
}

function numberOf(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'number' ? value : undefined;
}

function instantOf(value: unknown): number | undefined {
  const time = typeof value === 'string' && /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/u.test(value);
  return time ? Date.parse(value as string) : undefined;
}

/** An id or a hash: no words that could decide anything. */
function isOpaque(text: string): boolean {
  return text !== '' && wordsIn(text).every(isFigure) && wordsIn(text).length > 0;
}

function isLeaf(value: unknown): boolean {
  return !Array.isArray(value) && !isRecord(value);
}

const LEAST_CHARS = 2;

/** Whether a text holds a value as a whole word; of one sign only chance could be seen. */
function isIn(value: unknown, text: string): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  const wanted = String(value).trim();
  return wanted.length >= LEAST_CHARS && text.includes(wanted);
}

function widened(range: z.infer<typeof RANGE> | undefined, value: number): z.infer<typeof RANGE> {
  return { least: Math.min(range?.least ?? value, value), most: Math.max(range?.most ?? value, value) };
}

function isWithin(range: z.infer<typeof RANGE> | undefined, value: number): boolean {
  return range !== undefined && range.least <= value && value <= range.most;
}

interface Leaf {
  readonly path: string;
  readonly value: unknown;
}

/** A value and all of its parts. */
function leavesOf(value: unknown, path = ''): Leaf[] {
  const own = { path, value };
  if (Array.isArray(value)) return [own, ...value.flatMap((each: unknown) => leavesOf(each, `${path}[]`))];
  if (!isRecord(value)) return [own];
  const parts = Object.entries(value).flatMap(([name, each]) => leavesOf(each, path === '' ? name : `${path}.${name}`));
  return [own, ...parts];
}
