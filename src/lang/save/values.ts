import { canonicalJson, isRecord } from '../../base/json.ts';
import { findTime } from '../../when/find.ts';
import { keyText, numberText, quoted, templateText } from '../format/literals.ts';
import { RESERVED } from '../grammar/unexpected.ts';
import { isFigure, type Leaf, leavesOf, wordsIn } from './leaves.ts';

/** Something that the program knows by a name: what a call gave, or one item of a list. */
export interface Known {
  readonly name: string;
  readonly value: unknown;
  /** It was read, so that words may come from it; what an action says of itself is told again by the action. */
  readonly isRead: boolean;
}

/** A parameter of the program, with what it was in the conversation. */
export interface Param {
  readonly name: string;
  readonly type: 'string' | 'int' | 'float';
  readonly value: string | number;
}

/** How a value is written in the program. */
export interface Written {
  readonly text: string;
  /** The names that it reads. */
  readonly uses: ReadonlySet<string>;
  /** A model put it together from what had been read: it cannot be copied, and is asked for again. */
  readonly composed: boolean;
}

/** What is known about the place of a value. */
export interface Place {
  /** Its field, for the name of a parameter. */
  readonly field: string;
  /** JSON Schema of the field. */
  readonly schema?: unknown;
  /** It may be left out: a setting of the call rather than its matter. */
  readonly optional?: boolean;
}

/** So many words of its own make a text more than a label. */
const LABEL_WORDS = 4;
const [LEAST_TEXT, LEAST_FIGURES] = [3, 2];

interface Said {
  readonly request: string;
  readonly at: Date;
  readonly timeZone: string;
}

/**
 * Where the values of a turn came from, found by the values themselves: the request, an earlier result, or neither.
 * What came from the request becomes a parameter, what came from a result is read from there, and the rest is as it
 * was, unless words or figures in it show that it was made of results.
 */
export class Values {
  readonly params: Param[] = [];
  readonly #said: Said;
  readonly #taken: Set<string>;
  #known: readonly Known[] = [];

  /** @param taken names that neither a parameter nor a variable may have. */
  constructor(said: Said, taken: Iterable<string>) {
    this.#said = said;
    this.#taken = new Set([...taken, ...RESERVED]);
  }

  /** A name that is still free, like this one. */
  name(wanted: string): string {
    const plain = wanted.replace(/\W+/gu, '_').replace(/^(?=\d)/u, '_') || 'value';
    const names = [plain, ...Array.from({ length: 999 }, (_, index) => `${plain}${index + 2}`)];
    const free = names.find((name) => !this.#taken.has(name)) ?? plain;
    this.#taken.add(free);
    return free;
  }

  know(known: Known): void {
    this.#known = [...this.#known, known];
  }

  /** While `work` runs, one more thing is known, and looked at first. */
  within<T>(item: Known, work: () => T): T {
    const before = this.#known;
    this.#known = [item, ...before];
    try {
      return work();
    } finally {
      this.#known = before;
    }
  }

  /** What is known by now. */
  get known(): readonly Known[] {
    return this.#known;
  }

  /** The lists that are known, the longest first. */
  lists(): readonly { readonly items: readonly unknown[]; readonly path: string }[] {
    const lists = this.#leaves().flatMap(({ value, path }) =>
      Array.isArray(value) && value.length > 0 ? [{ items: value as unknown[], path }] : [],
    );
    return lists.toSorted((a, b) => b.items.length - a.items.length);
  }

  /** How a value is written at its place. */
  write(value: unknown, place: Place): Written {
    if (Array.isArray(value) || isRecord(value)) return this.#whole(value, place);
    if (typeof value === 'number') return this.#number(value, place);
    if (typeof value === 'string') return this.#string(value, place);
    return plain(String(value ?? null));
  }

  /** A text with everything in it that is known by a name. */
  template(text: string): Written & { readonly rest: string } {
    const holes = [...this.params.map(({ name, value }): Leaf => ({ value, path: name })), ...this.#leaves()]
      .map(({ value, path }) => ({ path, text: isHole(value) ? String(value) : '' }))
      .filter((hole) => hole.text !== '' && text.includes(hole.text))
      .toSorted((a, b) => b.text.length - a.text.length);
    const parts = holes.reduce<readonly Part[]>((all, hole) => all.flatMap((part) => cutOut(part, hole)), [{ text }]);
    const rest = parts.flatMap((part) => (part.path === undefined ? [part.text] : [])).join(' ');
    const uses = new Set(parts.flatMap(({ path }) => (path === undefined ? [] : [rootOf(path)])));
    const [first] = parts;
    if (parts.length === 1 && first?.path !== undefined) return { text: first.path, uses, composed: false, rest };
    const inner = parts
      .map((part) => (part.path === undefined ? templateText(part.text) : `\${${part.path}}`))
      .join('');
    return { text: uses.size === 0 ? quoted(text) : `\`${inner}\``, uses, composed: this.#isMade(rest, uses), rest };
  }

  #whole(value: object, place: Place): Written {
    const same = this.#same(value);
    if (same && Object.keys(value).length > 0) return from(same.path);
    const parts = Array.isArray(value)
      ? value.map((each: unknown) => this.write(each, place))
      : Object.entries(value).map(([field, each]) => {
          const written = this.write(each, { ...place, field });
          return { ...written, text: `${keyText(field)}: ${written.text}` };
        });
    const inner = parts.map(({ text }) => text).join(', ');
    const uses = new Set(parts.flatMap((each) => [...each.uses]));
    const text = Array.isArray(value) ? `[${inner}]` : `{ ${inner} }`;
    return { text, uses, composed: parts.some(({ composed }) => composed) };
  }

  #number(value: number, { field, optional = false }: Place): Written {
    if (wordsIn(this.#said.request).includes(String(value)))
      return this.#param(field, value, Number.isInteger(value) ? 'int' : 'float');
    const same = isHole(value) ? this.#same(value) : undefined;
    if (same) return from(same.path);
    return { ...plain(numberText(value)), composed: !optional && this.#known.length > 0 };
  }

  #string(value: string, { field, schema }: Place): Written {
    if (isChoice(schema, value) || value === '') return plain(quoted(value));
    const time = this.#timeWords(value);
    if (time !== undefined) return this.#param(field, time, 'string');
    if (isWithin(value, this.#said.request)) return this.#param(field, value, 'string');
    const same = value.length >= LEAST_TEXT ? this.#same(value) : undefined;
    return same ? from(same.path) : this.template(value);
  }

  /** A part of what is known that is this value. */
  #same(value: unknown): Leaf | undefined {
    const key = canonicalJson(value);
    return this.#leaves().find((leaf) => typeof leaf.value === typeof value && canonicalJson(leaf.value) === key);
  }

  #leaves(): readonly Leaf[] {
    return this.#known.flatMap(({ name, value }) => leavesOf(value, name));
  }

  /** An instant that the request names in words is named in words again: on another day it is another one. */
  #timeWords(value: string): string | undefined {
    const instant = /^\d{4}-\d\d-\d\dT/u.test(value) ? Date.parse(value) : Number.NaN;
    if (Number.isNaN(instant)) return undefined;
    const { request, at, timeZone } = this.#said;
    const found = findTime(request, { now: at, timeZone });
    const isIt = found?.kind === 'once' && Math.abs(found.at.getTime() - instant) < MINUTE_MS;
    return isIt ? found.words : undefined;
  }

  /** Whether what is left of a text, without what is known by a name, was made of what had been read. */
  #isMade(rest: string, uses: ReadonlySet<string>): boolean {
    if (this.#known.length === 0) return false;
    const asked = new Set(wordsIn(this.#said.request));
    const own = wordsIn(rest).filter((word) => !asked.has(word));
    if (own.some(isFigure)) return true;
    const read = this.#known.filter(({ isRead }) => isRead);
    if (read.length === 0) return false;
    const theirs = new Set(
      read.flatMap(({ value }) => wordsIn(typeof value === 'string' ? value : canonicalJson(value))),
    );
    return own.some((word) => theirs.has(word)) || (uses.size === 0 && own.length >= LABEL_WORDS);
  }

  #param(field: string, value: string | number, type: Param['type']): Written {
    const known = this.params.find((each) => each.value === value && each.type === type);
    const param = known ?? { name: this.name(field), value, type };
    if (!known) this.params.push(param);
    return from(param.name);
  }
}

const MINUTE_MS = 60_000;

/** A stretch of a text, or the expression that stands for it. */
interface Part {
  readonly text: string;
  readonly path?: string;
}

function cutOut(part: Part, hole: { readonly text: string; readonly path: string }): Part[] {
  if (part.path !== undefined) return [part];
  const pieces = part.text.split(hole.text);
  const whole: Part[] = [];
  for (const [index, text] of pieces.entries()) {
    if (index > 0) whole.push(hole);
    if (text !== '') whole.push({ text });
  }
  // Half a word is no value: "art" in "start".
  const isApart = pieces.every((text, index) => {
    const [next] = pieces.slice(index + 1);
    const end = hole.text.at(-1) ?? '';
    return (
      next === undefined || !((isLetter(text.at(-1)) && isLetter(hole.text[0])) || (isLetter(end) && isLetter(next[0])))
    );
  });
  return isApart ? whole : [part];
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

function isHole(value: unknown): value is string | number {
  if (typeof value === 'number') return String(value).length >= LEAST_FIGURES;
  return typeof value === 'string' && value.trim().length >= LEAST_TEXT;
}

function plain(text: string): Written {
  return { text, uses: new Set(), composed: false };
}

function from(path: string): Written {
  return { text: path, uses: new Set([rootOf(path)]), composed: false };
}

function rootOf(path: string): string {
  return /^\w+/u.exec(path)?.[0] ?? path;
}

/** Whether a text stands in another as whole words; case does not count. */
function isWithin(text: string, whole: string): boolean {
  const at = whole.toLowerCase().indexOf(text.toLowerCase());
  return at >= 0 && !isLetter(whole[at - 1]) && !isLetter(whole[at + text.length]);
}

/** One of a closed list of words. */
function isChoice(schema: unknown, value: string): boolean {
  if (!isRecord(schema)) return false;
  if (schema.const === value || (Array.isArray(schema.enum) && schema.enum.includes(value))) return true;
  return [schema.anyOf ?? schema.oneOf ?? []].flat().some((each) => isChoice(each, value));
}
