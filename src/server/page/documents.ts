import { command, get, Problem, put } from './api.ts';
import { add, fill, h, icon, keyed } from './dom.ts';
import { bytes, number } from './format.ts';
import { documentPath, whereCited } from './markdown.ts';
import { drawPicture } from './picture.ts';
import { type Place, placeOf } from './places.ts';
import { session } from './session.ts';
import { attempt, told } from './tell.ts';
import { heading, View } from './view.ts';
import { t } from './words.ts';

interface Source {
  readonly file: string;
  readonly root: string;
  readonly state: 'indexed' | 'empty' | 'failed' | 'skipped';
  readonly chunks: number;
  readonly bytes: number;
  readonly error: string | null;
  readonly trust: 'owner' | 'untrusted';
}

interface Hit {
  readonly chunkId: number;
  readonly file: string;
  readonly text: string;
  readonly citation: string;
}

interface Uploaded {
  readonly path: string;
  readonly ingested?: {
    readonly failed: readonly Note[];
    readonly skipped: readonly Note[];
    readonly empty: readonly string[];
  };
}

interface Note {
  readonly file: string;
  readonly why: string;
}

/** As the door has it. */
const MAX_BYTES = 20 * 1024 * 1024;

/** The documents of a project: what can be searched, what it says, and a place to drop more. */
export class Documents extends View {
  readonly #room = h('div', { class: 'stack' });
  readonly #reader = h('article', { class: 'reader', hidden: true });
  readonly #progress = h('p', { class: 'muted', role: 'status' });
  readonly #query = h('input', {
    type: 'search',
    id: 'search-docs',
    autocomplete: 'off',
    placeholder: t('search_docs'),
  });
  readonly #hits = h('div', { class: 'stack' });
  readonly #coverage = h('div', { class: 'coverage' });
  readonly #filter = h('input', { type: 'search', id: 'filter-docs', autocomplete: 'off', placeholder: t('filter') });
  readonly #list = h('ul', { class: 'plain' });
  #sources: readonly Source[] = [];

  protected build(): void {
    const search = (event: Event) => {
      event.preventDefault();
      void attempt(() => this.#search());
    };
    const label = h('label', { class: 'unseen', for: 'search-docs' }, t('search_docs'));
    const button = h('button', { type: 'submit', class: 'primary' }, t('search'));
    const form = h('form', { class: 'row search', role: 'search', on: { submit: search } }, label, this.#query, button);
    const filter = h(
      'div',
      { class: 'row' },
      h('label', { class: 'unseen', for: 'filter-docs' }, t('filter')),
      this.#filter,
    );
    const files = h('section', { class: 'part' }, h('h2', {}, t('documents')), this.#coverage, filter, this.#list);
    add(this.#room, [
      h('header', { class: 'room-head' }, heading(t('documents'))),
      form,
      this.#hits,
      this.#dropZone(),
      this.#progress,
      files,
    ]);
    fill(this, this.#room, this.#reader);
    this.#filter.addEventListener('input', () => this.#showList());
    this.moved(placeOf(new URL(location.href)));
  }

  override moved({ query }: Place): void {
    const file = query.get('file');
    this.#room.hidden = file !== null;
    this.#reader.hidden = file === null;
    if (file !== null) void this.#read(file, query.get('where') ?? '');
  }

  #dropZone(): HTMLElement {
    const input = h('input', { type: 'file', multiple: true, class: 'unseen', tabindex: -1, 'aria-hidden': 'true' });
    input.addEventListener('change', () => void this.#upload([...(input.files ?? [])]).then(() => (input.value = '')));
    const choose = h('button', { type: 'button', class: 'quiet', on: { click: () => input.click() } }, t('choose'));
    const zone = h('div', { class: 'drop' }, icon('upload'), h('span', {}, t('drop')), choose, input);
    const over = (is: boolean) => (event: Event) => {
      event.preventDefault();
      zone.classList.toggle('over', is);
    };
    zone.addEventListener('dragover', over(true));
    zone.addEventListener('dragleave', over(false));
    zone.addEventListener('drop', (event) => {
      over(false)(event);
      void this.#upload([...(event.dataTransfer?.files ?? [])]);
    });
    return zone;
  }

  async #upload(files: readonly File[]): Promise<void> {
    for (const file of files) {
      this.#progress.textContent = t('uploading', { name: file.name });
      this.#progress.textContent = await this.#send(file).catch(told);
      await this.refresh();
    }
  }

  /** @returns what became of it, in words. */
  async #send(file: File): Promise<string> {
    if (file.size > MAX_BYTES) return t('too_large', { name: file.name, size: bytes(MAX_BYTES) });
    const { path, ingested } = await this.#put(file);
    const name = path.split('/').at(-1) ?? path;
    const trouble = [...(ingested?.failed ?? []), ...(ingested?.skipped ?? [])].find((note) =>
      note.file.endsWith(name),
    );
    const why = trouble?.why ?? (ingested?.empty.some((empty) => empty.endsWith(name)) ? t('state_empty') : undefined);
    return why === undefined ? t('uploaded', { name }) : t('not_searchable', { name, why });
  }

  /** Another document of this name stays, and this one gets a number. */
  async #put(file: File): Promise<Uploaded> {
    const [, start = '', kind = ''] = /^(.+?)(\.[^.]+)?$/u.exec(file.name) ?? [];
    const query = new URLSearchParams({ project: session.project });
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? file.name : `${start} (${count})${kind}`;
      try {
        return await put<Uploaded>(`/api/documents/${encodeURIComponent(name)}?${query}`, file);
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'exists') throw error;
      }
    }
  }

  async #search(): Promise<void> {
    const query = this.#query.value.trim();
    if (query === '') return this.#hits.replaceChildren();
    const hits = await command<Hit>(['rag', 'search', query, '--k', '8'], { project: session.project });
    if (hits.length === 0) return fill(this.#hits, h('p', { class: 'muted', role: 'status' }, t('nothing_found')));
    keyed(this.#hits, hits, { keyOf: ({ chunkId }) => String(chunkId), make: drawHit });
  }

  protected async load(): Promise<void> {
    this.#sources = await command<Source>(['sources'], { project: session.project });
    this.#showList();
    const [n, part] = [this.#sources.length, this.#sources.filter(({ state }) => state === 'indexed').length];
    if (n === 0) return fill(this.#coverage, h('p', { class: 'muted' }, t('no_docs')));
    const said = t('coverage', { part: number(part), n });
    fill(
      this.#coverage,
      h('meter', { min: 0, max: n, value: part, 'aria-label': said }),
      h('p', { class: 'muted' }, said),
    );
  }

  #showList(): void {
    const words = this.#filter.value.trim().toLowerCase();
    const shown = this.#sources.filter(({ file }) => file.toLowerCase().includes(words));
    keyed(this.#list, shown, { keyOf: ({ root, file }) => `${root} ${file}`, make: drawSource });
  }

  /** Show a document, at the place that was cited. */
  async #read(file: string, where: string): Promise<void> {
    const back = h('a', { href: '/documents' }, `← ${t('back')}`);
    fill(this.#reader, back, heading(file));
    try {
      const path = `/api/documents/text?${new URLSearchParams({ name: file, project: session.project })}`;
      const [found] = (await get<{ items: readonly { text: string }[] }>(path)).items;
      const marked = drawDocument(found?.text ?? '', where);
      const picture = await drawPicture(file, where);
      add(this.#reader, [where !== '' && h('p', { class: 'muted' }, where), picture, marked]);
      marked.querySelector('mark')?.scrollIntoView({ block: 'center' });
    } catch (error) {
      const isGone = error instanceof Problem && error.status === 404;
      add(this.#reader, [h('p', { role: 'status' }, isGone ? t('document_gone') : told(error))]);
    }
  }
}

function drawHit({ file, text, citation }: Hit): HTMLElement {
  const where = whereCited(citation);
  return h(
    'article',
    { class: 'card hit' },
    h('a', { class: 'cited', href: documentPath(file, where) }, citation.slice(1, -1)),
    h('p', { class: 'clip' }, text),
  );
}

function drawSource({ file, state, chunks, error, trust, bytes: size }: Source): HTMLElement {
  const name = state === 'indexed' ? h('a', { href: documentPath(file) }, file) : h('span', {}, file);
  const about =
    state === 'indexed'
      ? `${t('passages', { n: chunks })} · ${bytes(size)}`
      : `${t(`state_${state}`)}${error === null ? '' : `: ${error}`}`;
  const below = h('span', { class: state === 'failed' ? 'bad block' : 'muted block' }, about);
  const tag = trust === 'untrusted' && h('span', { class: 'tag' }, t('untrusted'));
  return h('li', { class: 'line' }, h('span', { class: 'grow' }, name, below), tag);
}

/** The text with the cited lines marked; pages are not marked, since the text does not tell them. */
function drawDocument(text: string, where: string): HTMLElement {
  const [, from, to = from] = /^lines? (\d+)(?:-(\d+))?$/u.exec(where) ?? [];
  const lines = text.split('\n');
  const [start, end] = from === undefined ? [0, 0] : [Number(from) - 1, Number(to)];
  const piece = (first: number, last: number) =>
    lines
      .slice(first, last)
      .map((line) => `${line}\n`)
      .join('');
  const marked = end > start && h('mark', {}, piece(start, end));
  return h('pre', { class: 'document', tabindex: 0 }, piece(0, start), marked, piece(end, lines.length));
}
