import { UNSPACED } from '../analysis/words.ts';
import type { Block, Parsed, Position, Seen } from './parsed.ts';

/** Raise it when the same blocks would be cut differently: all files are then cut again. */
export const CHUNKER_VERSION = 3;

/** A remainder of at most this share of the limit joins the chunk before it. */
const SHORT_REST = 0.25;
/** A run of characters counts as one word per this many: some files have megabytes without a space. */
const LONGEST_WORD = 40;
/** The same for scripts without spaces between words. */
const UNSPACED_WORD = 2;
/** The gap after the end of a sentence, with or without a space. Some scripts use none. */
const SENTENCE_END =
  /((?<=[.!?…。！？]["'”’)\]」』）]{0,8})\s+|(?<=[。！？]["'”’)\]」』）]{0,8})(?!["'”’)\]」』）\s]))/u;

export interface ChunkingOptions {
  /** The most words of a chunk, or a quarter more to avoid a short remainder. A long table row stays whole. */
  readonly words: number;
}

export interface Chunk {
  /** As shown to people: without title and headings, unless there is nothing else. */
  readonly text: string;
  readonly heading: readonly string[];
  readonly pages?: readonly [number, number] | undefined;
  readonly lines?: readonly [number, number] | undefined;
  readonly place?: string | undefined;
  readonly seen?: Seen | undefined;
  /** The metadata it had in the store that it was imported from. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** The text that a chunk is indexed and embedded by: title, headings and text, each once. */
export function searchableText(chunk: Pick<Chunk, 'text' | 'heading'>, title: string | null | undefined): string {
  const path = title && chunk.heading[0] !== title ? [title, ...chunk.heading] : chunk.heading;
  return path.at(-1) === chunk.text ? path.join('\n') : [...path, chunk.text].join('\n');
}

interface Piece extends Position {
  readonly text: string;
  readonly words: number;
  /** The separator between this piece and the one before it in a chunk. */
  readonly glue: string;
}

/** Cut a document at headings and paragraphs into chunks of about `words` words. */
export function chunk(parsed: Parsed, options: ChunkingOptions): Chunk[] {
  const chunker = new Chunker(options);
  chunker.add(parsed.blocks);
  return chunker.end();
}

export interface HeadingAbove {
  readonly level: number;
  readonly text: string;
}

/** How many groups wait for what comes next: a short remainder joins the chunk before it. */
const GROUPS_LEFT = 2;

/** Cuts a document that arrives in parts. */
export class Chunker {
  readonly #options: ChunkingOptions;
  #chunks: Chunk[] = [];
  #path: HeadingAbove[] = [];
  /** The last heading as long as nothing followed it. */
  #bare: (Position & { readonly text: string }) | undefined;
  #pieces: Piece[] = [];
  #words = 0;

  /** @param path the headings above the first block. */
  constructor(options: ChunkingOptions, path: readonly HeadingAbove[] = []) {
    this.#options = options;
    this.#path = [...path];
  }

  add(blocks: readonly Block[]): void {
    for (const block of blocks) this.#add(block);
  }

  /** The chunks that can no longer change, each returned once. */
  take(): Chunk[] {
    const groups = pack(this.#pieces, this.#options.words);
    const left = groups.slice(-GROUPS_LEFT).flat();
    this.#emit(groups.slice(0, -GROUPS_LEFT));
    this.#pieces = left;
    this.#words = left.reduce((sum, { words }) => sum + words, 0);
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }

  #add(block: Block): void {
    if (block.kind === 'heading') this.#addHeading(block);
    else if (block.kind === 'table') this.#addTable(block);
    else for (const piece of split(block, this.#options.words)) this.#addPiece(piece);
  }

  end(): Chunk[] {
    this.#flush();
    this.#flushBareHeading();
    return this.#chunks;
  }

  #addHeading(block: Block & { kind: 'heading' }): void {
    this.#flush();
    // A heading directly followed by a deeper one needs no chunk: it is in the heading path of what follows.
    if (this.#bare && block.level <= (this.#path.at(-1)?.level ?? 0)) this.#flushBareHeading();
    this.#path = [...this.#path.filter(({ level }) => level < block.level), { level: block.level, text: block.text }];
    this.#bare = block;
  }

  #addTable(block: Block & { kind: 'table' }): void {
    const header = block.header === '' ? [] : [block.header];
    if (this.#words >= this.#options.words) this.#flush();
    if (block.rows.length === 0)
      this.#addPiece({
        text: block.header,
        words: countWords(block.header),
        glue: '\n\n',
        lines: block.lines,
        page: block.page,
        place: block.place,
      });
    for (const [index, row] of block.rows.entries()) {
      const words = countWords(row.text);
      const fresh = index === 0 || this.#words + words > this.#options.words;
      if (fresh && index > 0) this.#flush();
      const text = fresh ? [...header, row.text].join('\n') : row.text;
      const lines = row.line === undefined ? undefined : ([row.line, row.line] as const);
      const place = block.place === undefined ? undefined : `${block.place}${row.number}`;
      this.#addPiece({ text, words: countWords(text), glue: fresh ? '\n\n' : '\n', lines, page: block.page, place });
    }
  }

  #addPiece(piece: Piece): void {
    const before = this.#pieces.at(-1);
    // What was read from a picture is cited by the half of the page it is in.
    const isElsewhere = piece.page !== before?.page || (piece.seen !== undefined && piece.place !== before?.place);
    if (before && isElsewhere) this.#flush();
    this.#pieces.push(piece);
    this.#words += piece.words;
  }

  #flush(): void {
    if (this.#pieces.length === 0) return;
    this.#emit(pack(this.#pieces, this.#options.words));
    this.#pieces = [];
    this.#words = 0;
    this.#bare = undefined;
  }

  #emit(groups: readonly Piece[][]): void {
    const heading = this.#path.map((each) => each.text);
    for (const group of groups) {
      const text = group.map((piece, index) => (index === 0 ? piece.text : piece.glue + piece.text)).join('');
      this.#chunks.push({ text, heading, ...span(group) });
    }
  }

  #flushBareHeading(): void {
    if (!this.#bare) return;
    const { text } = this.#bare;
    this.#chunks.push({ text, heading: this.#path.map((each) => each.text), ...span([this.#bare]) });
    this.#bare = undefined;
  }
}

/** Group pieces up to the limit. A short remainder joins the last group: alone, its length would lift its rank. */
function pack(pieces: readonly Piece[], limit: number): Piece[][] {
  const groups: { pieces: Piece[]; words: number }[] = [];
  for (const piece of pieces) {
    const last = groups.at(-1);
    if (last && last.words + piece.words <= limit) {
      last.pieces.push(piece);
      last.words += piece.words;
    } else groups.push({ pieces: [piece], words: piece.words });
  }
  const rest = groups.at(-1);
  const before = groups.at(-2);
  if (rest && before && rest.words <= limit * SHORT_REST) before.pieces.push(...(groups.pop()?.pieces ?? []));
  return groups.map((group) => group.pieces);
}

function span(pieces: readonly Position[]): Omit<Chunk, 'text' | 'heading'> {
  const lines = pieces.flatMap((piece) => piece.lines ?? []);
  const pages = pieces.flatMap((piece) => piece.page ?? []);
  const places = pieces.flatMap((piece) => piece.place ?? []);
  const seen = pieces.flatMap((piece) => piece.seen ?? []);
  const range = (values: number[]) => [Math.min(...values), Math.max(...values)] as const;
  return {
    ...(lines.length > 0 && { lines: range(lines) }),
    ...(pages.length > 0 && { pages: range(pages) }),
    ...(places.length > 0 && { place: joinPlaces(places[0] ?? '', places.at(-1) ?? '') }),
    ...(seen.length > 0 && { seen: joinSeen(seen) }),
  };
}

/** As sure as the least sure of them. */
function joinSeen(seen: readonly Seen[]): Seen {
  const boxes = new Map(seen.flatMap((each) => each.boxes).map((box) => [box.join(), box]));
  return { boxes: [...boxes.values()], confidence: Math.min(...seen.map(({ confidence }) => confidence)) };
}

/** `Budget!row 4` to `Budget!row 9` is `Budget!row 4-9`. */
function joinPlaces(first: string, last: string): string {
  if (first === last) return first;
  const number = /\d+$/u.exec(last)?.[0];
  const same = number !== undefined && first.replace(/\d+$/u, '') === last.replace(/\d+$/u, '');
  return same ? `${first}-${number}` : `${first} to ${last}`;
}

/** A block as pieces that fit: whole, else by lines, else by sentences, else by words. */
function split(block: Block & { kind: 'text' | 'code' }, limit: number): Piece[] {
  const { text, lines, page, place, seen } = block;
  const words = countWords(text);
  if (words <= limit) return [{ text, words, glue: '\n\n', lines, page, place, seen }];
  const rows = text.split('\n');
  const exact = lines !== undefined && lines[1] - lines[0] + 1 === rows.length;
  return rows.flatMap((row, index) => {
    const at = exact ? ([lines[0] + index, lines[0] + index] as const) : lines;
    const parts = countWords(row) <= limit ? [{ text: row, glue: '' }] : sentences(row, limit);
    return parts.map((part, number) => ({
      text: part.text,
      words: countWords(part.text),
      glue: number === 0 ? '\n' : part.glue,
      lines: at,
      page,
      place,
      seen,
    }));
  });
}

interface Part {
  readonly text: string;
  /** What stood between it and the part before. */
  readonly glue: string;
}

function sentences(text: string, limit: number): Part[] {
  const pieces = text.split(SENTENCE_END);
  return pieces.flatMap((sentence, index) => {
    if (index % 2 === 1 || sentence === '') return [];
    const glue = pieces[index - 1] ? ' ' : '';
    return countWords(sentence) <= limit ? [{ text: sentence, glue }] : everyFew(sentence, limit, glue);
  });
}

/** Parts of `limit` words, the last one of what is left. */
function everyFew(sentence: string, limit: number, glue: string): Part[] {
  const parts: Part[] = [];
  let text = '';
  let size = 0;
  let next = glue;
  for (const word of shortWords(sentence)) {
    if (size === limit) {
      parts.push({ text, glue: next });
      [text, size, next] = ['', 0, word.glue];
    }
    text += size === 0 ? word.text : word.glue + word.text;
    size++;
  }
  return [...parts, { text, glue: next }];
}

/** The words, with those that count as several cut up. */
function shortWords(text: string): Part[] {
  return (text.match(/\S+/gu) ?? []).flatMap((word, index) => {
    const length = wordLength(word);
    const glue = index === 0 ? '' : ' ';
    if (word.length <= length) return [{ text: word, glue }];
    const characters = [...word];
    const cuts = Array.from({ length: Math.ceil(characters.length / length) }, (_, cut) => cut * length);
    return cuts.map((at) => ({ text: characters.slice(at, at + length).join(''), glue: at === 0 ? glue : '' }));
  });
}

function wordLength(word: string): number {
  return UNSPACED.test(word) ? UNSPACED_WORD : LONGEST_WORD;
}

/** Count words the way chunks are measured: long runs without a space count by their length. */
export function countWords(text: string): number {
  const words = text.match(/\S+/gu) ?? [];
  return words.reduce((sum, word) => sum + Math.ceil(word.length / wordLength(word)), 0);
}
