import { command, list } from './api.ts';
import { add, h, icon, keyed } from './dom.ts';
import { day } from './format.ts';
import { attempt } from './tell.ts';
import { t } from './words.ts';

interface Listed {
  readonly id: string;
  readonly title: string;
  readonly updatedAt: string;
}

interface Found {
  readonly conversationId: string;
  readonly title: string;
  readonly at: string;
  readonly excerpt: string;
}

/** A row of the list: a day, or a conversation below it. */
interface Row {
  readonly id: string;
  readonly day: string;
  readonly title: string;
  readonly excerpt: string;
  readonly current: boolean;
}

const TYPING_MS = 250;

/** Past conversations, by day, or those in which words occur. */
export class HistoryList extends HTMLElement {
  readonly #search = h('input', {
    type: 'search',
    id: 'search-chats',
    placeholder: t('search_chats'),
    autocomplete: 'off',
  });
  readonly #rows = h('ul', { class: 'history-rows' });
  readonly #none = h('p', { class: 'muted', hidden: true, role: 'status' }, t('nothing_found'));
  #typing: ReturnType<typeof setTimeout> | undefined;
  #current: string | undefined;

  connectedCallback(): void {
    this.#search.addEventListener('input', () => {
      clearTimeout(this.#typing);
      this.#typing = setTimeout(() => void this.refresh(), TYPING_MS);
    });
    const label = h('label', { class: 'unseen', for: 'search-chats' }, t('search_chats'));
    const start = h('a', { class: 'button', href: '/chat' }, icon('plus'), t('new_chat'));
    add(this, [start, label, this.#search, this.#none, this.#rows]);
  }

  /** Mark the one that is open. */
  async show(current: string | undefined): Promise<void> {
    this.#current = current;
    await this.refresh();
  }

  async refresh(): Promise<void> {
    const words = this.#search.value.trim();
    const rows = await attempt(() => (words === '' ? this.#listed() : this.#found(words)));
    if (!rows || words !== this.#search.value.trim()) return;
    this.#none.hidden = rows.length > 0 || words === '';
    const marked = rows.map((each, at) => ({
      ...each,
      current: each.id === this.#current,
      day: each.day === rows[at - 1]?.day ? '' : each.day,
    }));
    keyed(this.#rows, marked, { keyOf: ({ id, excerpt }) => id + excerpt, make: drawRow });
  }

  async #listed(): Promise<readonly Row[]> {
    const all = await list<Listed>('/api/conversations');
    return all.map(({ id, title, updatedAt }) => ({ id, title, excerpt: '', day: day(updatedAt), current: false }));
  }

  async #found(words: string): Promise<readonly Row[]> {
    const all = await command<Found>(['sessions', 'search', words]);
    return all.map(({ conversationId, title, at, excerpt }) => ({
      id: conversationId,
      title,
      excerpt,
      day: day(at),
      current: false,
    }));
  }
}

function drawRow({ id, title, excerpt, day: label, current }: Row): HTMLElement {
  const link = h(
    'a',
    { href: `/chat/${encodeURIComponent(id)}`, 'aria-current': current ? 'page' : undefined },
    h('span', { class: 'title' }, title || t('untitled')),
    excerpt !== '' && h('span', { class: 'muted excerpt' }, excerpt),
  );
  return h('li', {}, label !== '' && h('h3', { class: 'day' }, label), link);
}
