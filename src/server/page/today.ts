import { command, list, post } from './api.ts';
import { approvalCard } from './approval.ts';
import { Composer } from './composer.ts';
import { fill, h, keyed } from './dom.ts';
import { clock, day, hourOfDay, longDay, moment } from './format.ts';
import { comingDays, type Day, type Job, nextText, ownJobs } from './jobs.ts';
import { keep, kept } from './kept.ts';
import { type Attachment, outbox } from './outbox.ts';
import { go } from './places.ts';
import { session } from './session.ts';
import { action, attempt, tell, told } from './tell.ts';
import { heading, part, View } from './view.ts';
import { t } from './words.ts';

interface Proposal {
  readonly id: string;
  readonly text: string;
  /** Absent where a turn waits for the decision now. */
  readonly expiresAt?: string;
}

interface KnownNotice {
  readonly number: number;
  readonly text: string;
  readonly at: string;
  readonly state: 'waiting' | 'delivered' | 'done';
  readonly urgent: boolean;
}

interface OwnList {
  readonly name: string;
  readonly items: readonly { readonly text: string; readonly done: boolean }[];
}

/** What was done, as `log --json` has it. */
interface Receipt {
  readonly seq: number;
  readonly at: string;
  readonly tool: string;
  readonly input: string;
  readonly state: string;
  readonly effect_id: string | null;
  readonly undoable?: boolean;
  readonly undone_by?: string | null;
}

const DAY_MS = 86_400_000;
const [SHOWN_DONE, SHOWN_ITEMS, SHOWN_DAYS, SHOWN_ENTRIES] = [12, 8, 2, 8];

/** What needs the owner, what comes, and what was done. */
export class Today extends View {
  readonly #greeting = heading('');
  readonly #day = h('p', { class: 'muted' });
  readonly #calm = h('p', { class: 'calm muted', hidden: true }, t('nothing_waits'));
  readonly #parts = {
    waits: part('waits'),
    unread: part('unread'),
    coming: part('coming'),
    paused: part('paused'),
    lists: part('lists'),
    done: part('done_away'),
  };
  /** When this browser was here last, before now. */
  readonly #since = kept<string>('was-here') ?? new Date(Date.now() - DAY_MS).toISOString();

  protected build(): void {
    const composer = new Composer();
    const { waits, unread, coming, paused, lists, done } = this.#parts;
    const main = [waits.section, unread.section, this.#calm, coming.section];
    const side = [lists.section, paused.section, done.section];
    fill(
      this,
      h('header', { class: 'room-head' }, this.#greeting, this.#day),
      composer,
      h('div', { class: 'columns' }, h('div', {}, main), h('div', {}, side)),
    );
    const send = async (text: string, attachments: readonly Attachment[]) => {
      await ask(text, attachments).catch((error: unknown) => {
        tell(told(error));
        composer.write(text);
      });
    };
    composer.begin({ draft: 'new', send: (text, attachments) => void send(text, attachments) });
    keep('was-here', new Date().toISOString());
  }

  protected async load(): Promise<void> {
    const hour = hourOfDay();
    const greeting = hour < 5 ? 'night' : hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening';
    this.#greeting.textContent = t(greeting);
    this.#day.textContent = longDay(new Date());
    const [proposals, notices, jobs, lists, receipts] = await Promise.all([
      list<Proposal>('/api/proposals'),
      command<KnownNotice>(['notices']),
      ownJobs(),
      list<OwnList>(`/api/lists?${new URLSearchParams({ project: session.project })}`),
      command<Receipt>(['log', '--limit', '60']),
    ]);
    const open = notices.filter((each) => isOpen(each));
    this.#showWaiting(proposals);
    this.#showNotices(open);
    this.#calm.hidden = proposals.length + open.length > 0;
    this.#showComing(await comingDays(jobs));
    this.#showPaused(jobs.filter(({ enabled }) => !enabled));
    this.#showLists(lists);
    this.#showDone(receipts);
  }

  #showWaiting(proposals: readonly Proposal[]): void {
    const { waits } = this.#parts;
    waits.show(proposals.length > 0);
    const make = ({ id, text, expiresAt }: Proposal) =>
      approvalCard({ id, text, ...(expiresAt ? { until: moment(expiresAt) } : {}) }, () => void this.refresh());
    keyed(waits.body, proposals, { keyOf: ({ id }) => id, make });
  }

  #showNotices(open: readonly KnownNotice[]): void {
    const { unread } = this.#parts;
    unread.show(open.length > 0);
    keyed(unread.body, open.toReversed(), {
      keyOf: ({ number }) => String(number),
      make: (each) => this.#notice(each),
    });
  }

  #notice({ number, text, at, urgent }: KnownNotice): HTMLElement {
    const say =
      (...words: string[]) =>
      async () => {
        await command(['notices', ...words]);
        await this.refresh();
      };
    const buttons = h(
      'div',
      { class: 'row' },
      action(t('done'), say('done', String(number)), 'primary'),
      snooze(number, () => this.refresh()),
    );
    const about = h('p', { class: 'muted' }, moment(at), urgent && h('span', { class: 'tag' }, t('urgent')));
    return h('article', { class: 'card notice' }, h('p', { class: 'said' }, text), about, buttons);
  }

  #showComing(days: readonly Day[]): void {
    const { coming } = this.#parts;
    coming.show(true);
    const shown = days.slice(0, SHOWN_DAYS);
    if (shown.length === 0) {
      fill(coming.body, h('p', { class: 'muted' }, t('nothing_coming')));
      return;
    }
    fill(
      coming.body,
      shown.map((each) => drawDay({ ...each, entries: each.entries.slice(0, SHOWN_ENTRIES) })),
      h('a', { href: '/schedule' }, t('show_all')),
    );
  }

  #showPaused(jobs: readonly Job[]): void {
    const { paused } = this.#parts;
    paused.show(jobs.length > 0);
    const make = (job: Job) => {
      const resume = async () => {
        await command(['schedule', 'resume', job.id]);
        await this.refresh();
      };
      return h(
        'div',
        { class: 'line' },
        h('span', { class: 'grow' }, job.prompt, h('span', { class: 'muted block' }, nextText(job))),
        action(t('resume'), resume),
      );
    };
    keyed(paused.body, jobs, { keyOf: ({ id }) => id, make });
  }

  #showLists(lists: readonly OwnList[]): void {
    const open = lists.filter(({ items }) => items.some(({ done }) => !done));
    this.#parts.lists.show(open.length > 0);
    keyed(this.#parts.lists.body, open, {
      keyOf: ({ name }) => name,
      make: (each) => drawOwnList(each, (text) => this.#tick(each.name, text)),
    });
  }

  async #tick(name: string, text: string): Promise<void> {
    const { project } = session;
    const path = `/api/lists/${encodeURIComponent(name)}?${new URLSearchParams({ project })}`;
    await attempt(() => post(path, { tick: [text] }));
    await this.refresh();
  }

  #showDone(receipts: readonly Receipt[]): void {
    const { done } = this.#parts;
    const since = receipts.filter(({ at, state, tool }) => at >= this.#since && state === 'done' && tool !== 'undo');
    done.show(since.length > 0);
    keyed(done.body, since.slice(-SHOWN_DONE).toReversed(), {
      keyOf: ({ seq }) => String(seq),
      make: (each) => this.#receipt(each),
    });
  }

  #receipt({ at, tool, input, effect_id: effect, undoable, undone_by: undoneBy }: Receipt): HTMLElement {
    const undo = async () => {
      await command(['undo', effect ?? '']);
      tell(t('undone'));
      await this.refresh();
    };
    const end = undoneBy ? h('span', { class: 'muted' }, t('undone')) : undoable && action(t('undo'), undo);
    const what = h(
      'span',
      { class: 'grow' },
      h('code', {}, tool),
      ` ${inShort(input)}`,
      h('span', { class: 'muted block' }, moment(at)),
    );
    return h('div', { class: 'line' }, what, end);
  }
}

/** A reminder that arrived stays for a day, so that it can still be put off. */
function isOpen({ state, at, urgent }: KnownNotice): boolean {
  return state === 'waiting' || (state === 'delivered' && (urgent || Date.parse(at) > Date.now() - DAY_MS));
}

const LATER = { in_10: 'in 10 minutes', in_60: 'in 1 hour', tomorrow_9: 'tomorrow at 9' } as const;

function snooze(number: number, done: () => Promise<void>): HTMLElement {
  const chosen = async () => {
    const { value } = select;
    if (value === '') return;
    await attempt(() => command(['notices', 'snooze', String(number), value]));
    await done();
  };
  const options = Object.entries(LATER).map(([word, value]) => h('option', { value }, t(word as keyof typeof LATER)));
  const select = h(
    'select',
    { 'aria-label': t('snooze_when'), on: { change: chosen } },
    h('option', { value: '' }, t('snooze')),
    options,
  );
  return select;
}

/** One day with what comes on it. */
export function drawDay({ label, entries }: Day): HTMLElement {
  const lines = entries.map(({ at, text, more, overdue }) => {
    const time = h('time', { datetime: at }, overdue ? day(at) : clock(at));
    return h(
      'li',
      { class: 'line' },
      time,
      h('span', { class: 'grow' }, text),
      more > 0 && h('span', { class: 'muted' }, t('times_more', { n: more })),
    );
  });
  return h('div', { class: 'day-of' }, h('h3', {}, label), h('ul', { class: 'plain' }, lines));
}

/** @param tick  an item is done. */
function drawOwnList({ name, items }: OwnList, tick: (text: string) => Promise<void>): HTMLElement {
  const open = items.filter(({ done }) => !done);
  const more = open.length - SHOWN_ITEMS;
  const row = (text: string) => {
    const box = h('input', { type: 'checkbox', on: { change: () => void tick(text) } });
    return h('li', {}, h('label', {}, box, text));
  };
  const rows = open.slice(0, SHOWN_ITEMS).map(({ text }) => row(text));
  return h(
    'div',
    { class: 'own-list' },
    h('h3', {}, name),
    h('ul', {}, rows, more > 0 && h('li', { class: 'muted' }, t('items_more', { n: more }))),
  );
}

const SHORT_CHARS = 90;

/** The values of a call, on one line. */
function inShort(input: string): string {
  let text = input;
  try {
    text = Object.values(JSON.parse(input) as object)
      .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
      .join(', ');
  } catch {
    // It was cut off where it was stored.
  }
  return text.length > SHORT_CHARS ? `${text.slice(0, SHORT_CHARS)} …` : text;
}

async function ask(text: string, attachments: readonly Attachment[]): Promise<void> {
  const { project, mode } = session;
  const along = attachments.length > 0 ? { attachments } : {};
  const { conversationId } = await outbox.send({ key: crypto.randomUUID(), text, project, mode, ...along });
  go(`/chat/${encodeURIComponent(conversationId)}`);
}
