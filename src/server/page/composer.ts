import { add, fill, h, icon } from './dom.ts';
import { bytes } from './format.ts';
import { keep, kept } from './kept.ts';
import type { Attachment } from './outbox.ts';
import { tell } from './tell.ts';
import { t } from './words.ts';

const MOST_ATTACHED = 20;
const MAX_TEXT_CHARS = 400_000;
/** In base64 a third larger, and one of several in a request of 20 MB. */
const MAX_BYTES = 10 * 1024 * 1024;

export interface Composing {
  /** Under which a text that was not sent is kept; undefined: it is not. */
  readonly draft: string | undefined;
  send(text: string, attachments: readonly Attachment[]): void;
  stop?(): void;
}

/** Where a request is written. On a keyboard Enter sends it; Shift and Enter begin a line. */
export class Composer extends HTMLElement {
  readonly #input = h('textarea', { id: 'message', rows: 1, enterkeyhint: 'send', autocomplete: 'off' });
  readonly #files = h('input', { type: 'file', multiple: true, class: 'unseen', tabindex: -1, 'aria-hidden': 'true' });
  readonly #attached = h('ul', { class: 'chips', 'aria-label': t('attached') });
  readonly #send = h(
    'button',
    { type: 'submit', class: 'primary round', 'aria-label': t('send'), title: t('send') },
    icon('send'),
  );
  readonly #stop = h(
    'button',
    { type: 'button', class: 'round', 'aria-label': t('stop'), title: t('stop'), hidden: true },
    icon('stop'),
  );
  #attachments: readonly Attachment[] = [];
  #composing: Composing | undefined;

  begin(composing: Composing): void {
    this.#composing = composing;
    this.#input.placeholder = t('ask');
    const attach = h(
      'button',
      { type: 'button', class: 'round quiet', 'aria-label': t('attach'), title: t('attach') },
      icon('attach'),
    );
    attach.addEventListener('click', () => this.#files.click());
    this.#files.addEventListener('change', () => void this.#take([...(this.#files.files ?? [])]));
    this.#stop.addEventListener('click', () => composing.stop?.());
    this.#input.addEventListener('input', () => this.#written());
    this.#input.addEventListener('keydown', (event) => this.#pressed(event));
    const label = h('label', { class: 'unseen', for: 'message' }, t('message'));
    const line = h('div', { class: 'composer-line' }, attach, label, this.#input, this.#stop, this.#send);
    const submit = (event: Event) => {
      event.preventDefault();
      this.#submit();
    };
    add(this, [h('form', { class: 'composer', on: { submit } }, this.#attached, line, this.#files)]);
    this.open(composing.draft);
    this.#followDrops();
  }

  /** Go on with what was written under this name. */
  open(draft: string | undefined): void {
    if (this.#composing) this.#composing = { ...this.#composing, draft };
    this.write(draft === undefined ? '' : (kept<string>(`draft.${draft}`) ?? ''));
  }

  /** Put a text there, to be sent or changed. */
  write(text: string): void {
    this.#input.value = text;
    this.#written();
  }

  override focus(): void {
    this.#input.focus();
  }

  /** While a turn runs, what is written is added to it, and it can be stopped. */
  set running(running: boolean) {
    this.#stop.hidden = !running;
    this.#input.placeholder = t(running ? 'add_words' : 'ask');
  }

  #written(): void {
    const { value } = this.#input;
    // Browsers without `field-sizing` grow by lines.
    this.#input.rows = Math.min(8, value.split('\n').length);
    this.#send.disabled = value.trim() === '';
    const draft = this.#composing?.draft;
    if (draft !== undefined) keep(`draft.${draft}`, value === '' ? undefined : value);
  }

  #pressed(event: KeyboardEvent): void {
    const isTouch = matchMedia('(pointer: coarse)').matches;
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || isTouch) return;
    event.preventDefault();
    this.#submit();
  }

  #submit(): void {
    const text = this.#input.value.trim();
    if (text === '') return;
    this.#composing?.send(text, this.#attachments);
    this.#attachments = [];
    this.#showAttached();
    this.write('');
  }

  #followDrops(): void {
    this.addEventListener('dragover', (event) => event.preventDefault());
    this.addEventListener('drop', (event) => {
      event.preventDefault();
      void this.#take([...(event.dataTransfer?.files ?? [])]);
    });
  }

  async #take(files: readonly File[]): Promise<void> {
    this.#files.value = '';
    for (const file of files) {
      if (this.#attachments.length >= MOST_ATTACHED) return tell(t('too_many'));
      const content = await contentOf(file);
      if (content === undefined) tell(t('too_large', { name: file.name, size: bytes(MAX_BYTES) }));
      else this.#attachments = [...this.#attachments, { name: file.name.slice(-200), ...content }];
    }
    this.#showAttached();
  }

  #showAttached(): void {
    const chips = this.#attachments.map((each) => {
      const drop = () => {
        this.#attachments = this.#attachments.filter((other) => other !== each);
        this.#showAttached();
      };
      const label = `${t('remove')}: ${each.name}`;
      return h(
        'li',
        {},
        each.name,
        h('button', { type: 'button', class: 'icon-button', 'aria-label': label, on: { click: drop } }, icon('close')),
      );
    });
    fill(this.#attached, chips);
  }
}

/** Pictures and the like are read by the server. Undefined for what is too large. */
async function contentOf(file: File): Promise<{ text: string } | { data: string } | undefined> {
  if (file.size > MAX_BYTES) return undefined;
  const content = new Uint8Array(await file.arrayBuffer());
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content);
    if (text.length <= MAX_TEXT_CHARS && !text.includes('\0')) return { text };
  } catch {
    // It is no text.
  }
  return { data: base64(content) };
}

/** Piece by piece: a function takes so many arguments only. Three bytes are four letters, so pieces fit together. */
function base64(content: Uint8Array): string {
  const piece = 3 * 8192;
  const pieces = Array.from({ length: Math.ceil(content.length / piece) }, (_, at) =>
    btoa(String.fromCharCode(...content.subarray(at * piece, (at + 1) * piece))),
  );
  return pieces.join('');
}
