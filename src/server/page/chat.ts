import { command, get, list, Problem, post } from './api.ts';
import { Composer } from './composer.ts';
import { fill, h, icon } from './dom.ts';
import { type FoldedEvent, fold, newTurn, type ShownTurn, withProposals } from './fold.ts';
import { HistoryList } from './history-list.ts';
import { keep, kept } from './kept.ts';
import { type Attachment, type Begun, type Outgoing, outbox } from './outbox.ts';
import { go, type Place, placeOf } from './places.ts';
import { session } from './session.ts';
import { stream, type Told } from './stream.ts';
import { attempt, sure, tell, told } from './tell.ts';
import { TurnView } from './turn-view.ts';
import { View } from './view.ts';
import { t } from './words.ts';

interface Conversation {
  readonly title: string | null;
  readonly turns: readonly {
    readonly id: string;
    readonly text: string;
    readonly running: boolean;
    readonly events: readonly FoldedEvent[];
    readonly last: number;
  }[];
}

interface Proposed {
  readonly id: string;
  readonly turnId: string;
  readonly tool: string;
  readonly text: string;
}

/** So close to its end, a transcript follows what comes. */
const NEAR_PX = 90;

/** One conversation, and the list of all. */
export class Chat extends View {
  readonly #title = h('h1', { tabindex: -1 });
  readonly #log = h('div', { class: 'transcript', role: 'log', 'aria-label': t('transcript'), tabindex: 0 });
  readonly #remove = h(
    'button',
    { type: 'button', class: 'icon-button', 'aria-label': t('delete_chat'), title: t('delete_chat') },
    icon('trash'),
  );
  readonly #composer = new Composer();
  readonly #history = new HistoryList();
  readonly #aside = h('aside', { class: 'history', id: 'history', 'aria-label': t('conversations') }, this.#history);
  readonly #turns = new Map<string, { readonly view: TurnView; turn: ShownTurn }>();
  #proposals: readonly Proposed[] = [];
  /** Whether nothing can have been missed. */
  #isSure = false;
  #id: string | undefined;

  protected build(): void {
    const opener = h(
      'button',
      {
        type: 'button',
        class: 'icon-button opener',
        'aria-controls': 'history',
        'aria-expanded': 'false',
        'aria-label': t('conversations'),
      },
      icon('history'),
    );
    const toggle = (open: boolean) => {
      this.#aside.classList.toggle('open', open);
      opener.setAttribute('aria-expanded', String(open));
    };
    opener.addEventListener('click', () => toggle(!this.#aside.classList.contains('open')));
    this.#aside.addEventListener(
      'click',
      ({ target }) => target instanceof Element && target.closest('a') && toggle(false),
    );
    this.addEventListener('keydown', ({ key }) => key === 'Escape' && toggle(false));
    const head = h('header', { class: 'talk-head' }, opener, this.#title, this.#remove);
    fill(this, h('section', { class: 'talk' }, head, this.#log, this.#composer), this.#aside);
    this.#remove.addEventListener('click', () => void this.#delete());
    this.#composer.begin({
      draft: undefined,
      send: (text, attached) => void this.#send(text, attached),
      stop: () => void this.#stop(),
    });
    this.leaving.signal.addEventListener(
      'abort',
      stream.on('told', (event, id) => this.#told(event, id)),
    );
    addEventListener('pagehide', () => this.#keepScroll(), { signal: this.leaving.signal });
    this.moved(placeOf(new URL(location.href)));
    for (const outgoing of outbox.waiting()) void this.#deliver(outgoing);
  }

  override moved({ id, query }: Place): void {
    const isOther = id !== this.#id || !this.isConnected;
    if (isOther || this.#turns.size === 0) this.#open(id);
    const words = query.get('ask');
    if (words !== null) this.#composer.write(words);
    if (isOther) void this.refresh();
    if (!matchMedia('(pointer: coarse)').matches) this.#composer.focus();
  }

  #open(id: string | undefined): void {
    this.#id = id;
    this.#turns.clear();
    this.#log.replaceChildren();
    this.#composer.open(id ?? 'new');
    this.#composer.running = false;
    this.#remove.hidden = id === undefined;
    this.#title.textContent = id === undefined ? t('untitled') : '';
    if (id === undefined) fill(this.#log, this.#welcome());
  }

  #welcome(): HTMLElement {
    const words = (['try_1', 'try_2', 'try_3'] as const).map((word) => {
      const write = () => {
        this.#composer.write(t(word));
        this.#composer.focus();
      };
      return h('li', {}, h('button', { type: 'button', class: 'suggestion', on: { click: write } }, t(word)));
    });
    return h(
      'div',
      { class: 'welcome' },
      h('p', { class: 'greeting' }, t('welcome')),
      h('p', { class: 'muted' }, t('welcome_more')),
      h('ul', {}, words),
    );
  }

  protected async load(): Promise<void> {
    const id = this.#id;
    void this.#history.show(id);
    if (id === undefined) return;
    const [conversation, proposals] = await Promise.all([
      get<Conversation>(`/api/conversations/${encodeURIComponent(id)}`),
      list<Proposed>('/api/proposals'),
    ]);
    if (id !== this.#id) return;
    this.#proposals = proposals;
    this.#title.textContent = conversation.title ?? t('untitled');
    this.#showAll(conversation);
    if (this.#isSure) return;
    // What came before the stream was open is in no event.
    this.#isSure = true;
    await stream.ready();
    void this.refresh();
  }

  /** What is there stays where it is: only what is new or different is drawn. */
  #showAll({ turns }: Conversation): void {
    const isFirst = this.#turns.size === 0;
    this.#keepingEnd(() => {
      for (const { id, text, running, events, last } of turns) {
        const notes = running && events.length === 0 ? [t('elsewhere')] : [];
        const stored = events.reduce((turn: ShownTurn, event) => fold(turn, event), {
          ...newTurn(id, text),
          running,
          notes,
        });
        const now = stream
          .since(id, last)
          .reduce((turn, { event, id: at }) => fold(turn, event, at), { ...stored, last });
        const waiting = this.#proposals.filter(({ turnId }) => turnId === id);
        this.#show(withProposals(now, waiting));
      }
      const there = new Set(turns.map(({ id }) => id));
      for (const [id, { view }] of this.#turns)
        if (!there.has(id) && id.startsWith('turn_')) {
          view.remove();
          this.#turns.delete(id);
        }
    });
    if (isFirst) this.#log.scrollTop = this.#kept() ?? this.#log.scrollHeight;
  }

  #show(turn: ShownTurn): void {
    const known = this.#turns.get(turn.id);
    const view = known?.view ?? new TurnView();
    this.#turns.set(turn.id, { view, turn });
    view.show(turn, (id) => this.#proposals.find((each) => each.id === id)?.text);
    if (!known) this.#log.append(view);
    this.#composer.running = this.#running() !== undefined;
  }

  #running(): ShownTurn | undefined {
    return [...this.#turns.values()]
      .map(({ turn }) => turn)
      .findLast(({ running, id }) => running && id.startsWith('turn_'));
  }

  /** A transcript whose end is in sight keeps it there; any other keeps what is being read. */
  #keepingEnd(change: () => void): void {
    const { scrollHeight, scrollTop, clientHeight } = this.#log;
    const isNear = scrollHeight - scrollTop - clientHeight < NEAR_PX;
    change();
    if (isNear) this.#log.scrollTop = this.#log.scrollHeight;
  }

  #told(event: Told, id: number): void {
    const known = this.#turns.get(event.turnId);
    if (known) this.#keepingEnd(() => this.#show(fold(known.turn, event, id)));
    const isOurs = known || (event.type === 'turn' && event.conversationId === this.#id);
    const asks = event.type === 'approval' && event.proposal !== undefined;
    // What others began here, and what now waits or has a title, is asked for.
    if (isOurs && (!known || asks || event.type === 'answer')) void this.refresh();
  }

  async #send(text: string, attachments: readonly Attachment[]): Promise<void> {
    const running = this.#running();
    if (running && attachments.length === 0 && (await this.#steer(running, text))) return;
    const { project, mode } = session;
    const here = this.#id === undefined ? { project, mode } : { conversationId: this.#id, mode };
    await this.#deliver({ key: crypto.randomUUID(), text, ...here, ...(attachments.length > 0 && { attachments }) });
  }

  /** @returns false when the turn has ended, so that the words begin another one. */
  async #steer({ id }: ShownTurn, text: string): Promise<boolean> {
    try {
      await post(`/api/turns/${id}/steer`, { text });
      const known = this.#turns.get(id);
      if (known)
        this.#keepingEnd(() => this.#show({ ...known.turn, notes: [...known.turn.notes, t('steered', { text })] }));
      return true;
    } catch (error) {
      if (error instanceof Problem && error.status === 409) return false;
      this.#composer.write(text);
      tell(told(error));
      return true;
    }
  }

  async #deliver(outgoing: Outgoing): Promise<void> {
    const isHere = () => outgoing.conversationId === this.#id && this.isConnected;
    const sending = `sending ${outgoing.key}`;
    if (isHere()) this.#showSending(sending, outgoing);
    try {
      const begun = await outbox.send(outgoing);
      if (isHere()) this.#begun(sending, outgoing, begun);
    } catch (error) {
      tell(told(error));
      this.#turns.get(sending)?.view.remove();
      this.#turns.delete(sending);
      if (isHere()) this.#composer.write(outgoing.text);
    }
  }

  #showSending(id: string, { text }: Outgoing): void {
    if (this.#turns.size === 0) this.#log.replaceChildren();
    this.#show({ ...newTurn(id, text), notes: [] });
    this.#log.scrollTop = this.#log.scrollHeight;
  }

  #begun(sending: string, { text }: Outgoing, { id, conversationId }: Begun): void {
    const view = this.#turns.get(sending)?.view ?? new TurnView();
    this.#turns.delete(sending);
    if (this.#turns.has(id)) view.remove();
    else {
      this.#turns.set(id, { view, turn: newTurn(id, text) });
      this.#keepingEnd(() =>
        this.#show(stream.since(id, 0).reduce((turn, { event, id: at }) => fold(turn, event, at), newTurn(id, text))),
      );
    }
    if (this.#id !== undefined) return;
    this.#id = conversationId;
    this.#remove.hidden = false;
    this.#title.textContent = text;
    this.#composer.open(conversationId);
    go(`/chat/${encodeURIComponent(conversationId)}`, { replace: true });
    void this.#history.show(conversationId);
  }

  async #stop(): Promise<void> {
    const running = this.#running();
    if (running) await attempt(() => post(`/api/turns/${running.id}/stop`));
  }

  async #delete(): Promise<void> {
    const id = this.#id;
    if (id === undefined || !(await sure(t('delete_sure', { title: this.#title.textContent ?? '' }), t('delete'))))
      return;
    await attempt(async () => {
      await command(['sessions', 'delete', id, '--yes']);
      go('/chat');
    });
  }

  /** Where this conversation was being read before the page was loaded anew; undefined: at its end. */
  #kept(): number | undefined {
    const { id, top } = kept<{ id: string; top: number }>('scroll') ?? {};
    keep('scroll', undefined);
    return id === this.#id ? top : undefined;
  }

  #keepScroll(): void {
    const { scrollHeight, scrollTop, clientHeight } = this.#log;
    const isNear = scrollHeight - scrollTop - clientHeight < NEAR_PX;
    if (!isNear) keep('scroll', { id: this.#id, top: scrollTop });
  }
}
