import { get, Problem, post, SHUT_OUT } from './api.ts';
import { Chat } from './chat.ts';
import { Documents } from './documents.ts';
import { fill, h, icon } from './dom.ts';
import { outbox } from './outbox.ts';
import { pairRoom } from './pair.ts';
import { MOVED, type Place, placeOf, ROOMS, type Room } from './places.ts';
import { Schedule } from './schedule.ts';
import { session } from './session.ts';
import { DevicesRoom, MemoryRoom, SettingsRoom } from './small-rooms.ts';
import { type Notice, stream } from './stream.ts';
import { attempt, TELL, type Telling, tell, told } from './tell.ts';
import { Today } from './today.ts';
import type { View } from './view.ts';
import { t } from './words.ts';

const VIEWS: Readonly<Record<Room, new () => View>> = {
  today: Today,
  chat: Chat,
  schedule: Schedule,
  documents: Documents,
  memory: MemoryRoom,
  devices: DevicesRoom,
  settings: SettingsRoom,
};
/** Those within reach of a thumb on a phone; the others are behind "More". */
const AT_HAND = 4;
const TOLD_MS = 5000;
/** Others learn this seldom that somebody is here. */
const ACTIVE_MS = 60_000;

/** The frame: navigation, the room that is open, what is said for a while, and the connection. */
export class Page extends HTMLElement {
  readonly #main = h('main', { id: 'content', tabindex: -1 });
  readonly #nav = h('nav', { 'aria-label': t('rooms') });
  readonly #offline = h('p', { class: 'offline', role: 'status' });
  readonly #toasts = h('div', { class: 'toasts', role: 'status', 'aria-live': 'polite' });
  #view: { readonly room: Room; readonly view: View } | undefined;
  #isIn = false;
  #activeAt = 0;

  async connectedCallback(): Promise<void> {
    fill(
      this,
      h('a', { class: 'skip', href: '#content' }, t('skip')),
      this.#nav,
      this.#main,
      this.#offline,
      this.#toasts,
    );
    this.#drawNav();
    addEventListener(MOVED, () => this.#moved());
    addEventListener(TELL, (event) => this.#tell((event as CustomEvent<Telling>).detail));
    addEventListener(SHUT_OUT, () => this.#shutOut());
    registerWorker();
    if (placeOf(new URL(location.href)).room === 'pair') this.#shutOut();
    else await this.#enter();
  }

  /** Show the home, if this browser may see it. */
  async #enter(): Promise<void> {
    try {
      await session.open();
    } catch (error) {
      if (error instanceof Problem && error.status === 401) return;
      // Without a connection the page waits for one.
      this.#offline.textContent = told(error);
      setTimeout(() => void this.#enter(), TOLD_MS);
      return;
    }
    this.#isIn = true;
    this.#offline.textContent = '';
    this.#listen();
    this.#moved();
    if (this.#view?.room !== 'chat') for (const outgoing of outbox.waiting()) void attempt(() => outbox.send(outgoing));
  }

  #listen(): void {
    stream.on('connection', (live) => {
      this.#offline.textContent = live ? '' : t('offline');
    });
    // Perhaps this browser is not let in any more.
    stream.on('refused', () => void get('/api/me').catch(() => undefined));
    stream.on('notices', (notices, name) => this.#showNotices(notices, name));
    stream.begin();
    for (const name of ['pointerdown', 'keydown'] as const)
      addEventListener(name, () => this.#active(), { passive: true });
  }

  /** So that notices come to where their owner is. */
  #active(): void {
    if (!this.#isIn || Date.now() - this.#activeAt < ACTIVE_MS) return;
    this.#activeAt = Date.now();
    post('/api/page/active').catch(() => undefined);
  }

  /** Delivered is what was drawn: a tab that is hidden draws nothing. */
  #showNotices(notices: readonly Notice[], name: string): void {
    for (const { text } of notices) this.#tell({ text, stays: true });
    requestAnimationFrame(
      () => void attempt(() => post('/api/page/shown', { name })).then(() => this.#view?.view.refresh()),
    );
  }

  #moved(): void {
    const place = placeOf(new URL(location.href));
    if (!this.#isIn) this.#shutOut();
    if (!this.#isIn || place.room === 'pair') return;
    const isOther = place.room !== this.#view?.room;
    if (isOther) this.#open(place.room);
    else this.#view?.view.moved(place);
    this.#mark(place);
  }

  #open(room: Room): void {
    const isFirst = this.#view === undefined;
    const view = new VIEWS[room]();
    this.#view = { room, view };
    this.className = `in-${room}`;
    this.#main.replaceChildren(view);
    this.#main.scrollTop = 0;
    if (!isFirst && room !== 'chat') view.querySelector('h1')?.focus();
  }

  #mark({ room }: Place): void {
    document.title = `${t(room)} · Wooster`;
    for (const link of this.#nav.querySelectorAll('a')) {
      if (link.dataset.room === room) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    this.#nav.querySelector('details')?.removeAttribute('open');
  }

  #drawNav(): void {
    const link = (room: Room) => h('a', { href: `/${room}`, 'data-room': room }, icon(room), h('span', {}, t(room)));
    const [near, far] = [ROOMS.slice(0, AT_HAND), ROOMS.slice(AT_HAND)];
    const brand = h(
      'a',
      { class: 'brand', href: '/today' },
      h('img', { src: '/icon.svg', alt: '', width: 28, height: 28 }),
      h('span', {}, 'Wooster'),
    );
    const more = h(
      'details',
      { class: 'more' },
      h('summary', {}, icon('more'), h('span', {}, t('more'))),
      h('div', { class: 'sheet' }, far.map(link)),
    );
    fill(this.#nav, brand, near.map(link), h('div', { class: 'far' }, far.map(link)), more);
  }

  /** Whoever was in sees nothing of it any more. */
  #shutOut(): void {
    if (this.#isIn) {
      location.assign('/pair');
      return;
    }
    this.className = 'is-out';
    document.title = `${t('pair')} · Wooster`;
    this.#main.replaceChildren(pairRoom(() => this.#enter()));
  }

  #tell({ text, stays = false }: Telling): void {
    const close = h('button', { type: 'button', class: 'icon-button', 'aria-label': t('close') }, icon('close'));
    const toast = h('div', { class: stays ? 'toast stays' : 'toast' }, h('p', {}, text), close);
    close.addEventListener('click', () => toast.remove());
    this.#toasts.append(toast);
    if (!stays) setTimeout(() => toast.remove(), TOLD_MS);
  }
}

interface WorkerPolicy {
  createScriptURL(url: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: WorkerPolicy): WorkerPolicy;
}

/** The one script address that is given as text: the worker's own. */
function registerWorker(): void {
  if (!('serviceWorker' in navigator)) return;
  const { trustedTypes } = globalThis as unknown as { trustedTypes?: TrustedTypes };
  const own = (url: string) => {
    if (url === '/sw.js') return url;
    throw new TypeError(`${url} is no worker of this page`);
  };
  const url = trustedTypes?.createPolicy('sw', { createScriptURL: own }).createScriptURL('/sw.js') ?? '/sw.js';
  navigator.serviceWorker.register(url).catch((error: unknown) => tell(String(error)));
}
