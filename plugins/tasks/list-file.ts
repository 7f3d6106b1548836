import { readFile } from 'node:fs/promises';
import { changeInTurn, replaceFile } from '#plugin';

/** `- [ ] text`: the part before the text, the mark in the box, and the text. */
const ITEM = /^(\s*[-*+] \[([ xX])\] )(.*)$/su;

/** One line of a list file. */
export interface Line {
  /** Its bytes, one per character, including the line break; written back unless the line is replaced. */
  readonly bytes: string;
  /** Without the line break. */
  readonly text: string;
}

/** An item of a list: a line with a checkbox. */
export interface Item {
  readonly line: Line;
  readonly done: boolean;
  /** The text after the checkbox. */
  readonly text: string;
}

/** A change to a file: the new text of lines; `undefined` removes one. All other lines stay. */
export interface Edit {
  readonly replace?: ReadonlyMap<Line, string | undefined>;
  readonly append?: readonly string[];
}

/**
 * A Markdown file that a person edits too. Everything that a change does not touch is written back byte for byte:
 * headings, notes, other systems' line endings, invalid UTF-8.
 */
export class ListFile {
  readonly path: string;
  /** As the gate knows it. */
  readonly source: string;

  constructor(path: string) {
    this.path = path;
    this.source = `file:${path}`;
  }

  async items(): Promise<Item[]> {
    return itemsOf(await this.#read());
  }

  /**
   * Edit the current content of the file, one change at a time. Without a change, or when `edit` throws, it stays
   * as it is.
   *
   * @param edit gets the items in their order; open and done ones.
   */
  async change<T>(edit: (items: readonly Item[]) => Edit & { readonly result: T }): Promise<T> {
    return changeInTurn(this.path, async () => {
      const lines = await this.#read();
      const { replace = new Map(), append = [], result } = edit(itemsOf(lines));
      await this.#write(lines, replace, append);
      return result;
    });
  }

  async #read(): Promise<Line[]> {
    const bytes = await readFile(this.path, 'latin1').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    return (bytes.match(/[^\n]*\n|[^\n]+$/gu) ?? []).map((line) => ({
      bytes: line,
      text: Buffer.from(line.replace(/\r?\n$/u, ''), 'latin1').toString('utf8'),
    }));
  }

  async #write(
    lines: readonly Line[],
    replace: ReadonlyMap<Line, string | undefined>,
    append: readonly string[],
  ): Promise<void> {
    if (replace.size === 0 && append.length === 0) return;
    const end = lines[0]?.bytes.endsWith('\r\n') ? '\r\n' : '\n';
    const kept = lines.flatMap((line) => {
      if (!replace.has(line)) return [line.bytes];
      const text = replace.get(line);
      return text === undefined ? [] : [latin1(text) + (/\r?\n$/u.exec(line.bytes)?.[0] ?? '')];
    });
    const open = append.length > 0 && kept.length > 0 && !kept.at(-1)?.endsWith('\n');
    const text = `${kept.join('')}${open ? end : ''}${append.map((line) => latin1(line) + end).join('')}`;
    await replaceFile(this.path, Buffer.from(text, 'latin1'));
  }
}

/** The line with another text after its checkbox, or with the box ticked. */
export function withText({ line, done }: Item, text: string, tick = done): string {
  const [, head = '- [ ] '] = ITEM.exec(line.text) ?? [];
  return `${tick === done ? head : head.replace(/\[.\]/u, tick ? '[x]' : '[ ]')}${text}`;
}

function itemsOf(lines: readonly Line[]): Item[] {
  return lines.flatMap((line) => {
    const found = ITEM.exec(line.text);
    return found ? [{ line, done: found[2] !== ' ', text: (found[3] ?? '').trim() }] : [];
  });
}

function latin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/**
 * The one open item that a person or a model means: by number as the lists show it, by id, by its text, or by words
 * that only one item has.
 *
 * @throws Error that lists the items when none or several fit; nothing is guessed.
 */
export function findItem(items: readonly Item[], said: string | number): Item {
  const open = items.filter((item) => !item.done);
  const wanted = String(said).trim().replace(/^#/u, '');
  const byId = open.filter(({ text }) => text.includes(`(id: ${wanted})`));
  const byNumber = /^\d+$/u.test(wanted) ? open.slice(Number(wanted) - 1, Number(wanted)) : [];
  const lower = wanted.toLowerCase();
  const exact = open.filter(({ text }) => text.toLowerCase() === lower);
  const words = lower.split(/\s+/u);
  const some = open.filter(({ text }) => words.every((word) => text.toLowerCase().includes(word)));
  for (const found of [byId, byNumber, exact, some]) if (found.length === 1 && found[0]) return found[0];
  const choices = (some.length > 1 ? some : open).slice(0, 20).map((item) => `${open.indexOf(item) + 1}. ${item.text}`);
  const many = exact.length > 1 || some.length > 1;
  const why = many ? `Several open items fit "${wanted}"; give the number of one.` : `No open item is "${wanted}".`;
  throw new Error([why, ...choices].join('\n'));
}
