import { MODES } from '../../base/turn.ts';
import { command, get, list } from './api.ts';
import { add, fill, h, keyed } from './dom.ts';
import { moment, number } from './format.ts';
import { keep, kept } from './kept.ts';
import { session } from './session.ts';
import { action, attempt, sure, tell } from './tell.ts';
import { applyTheme, THEMES } from './theme.ts';
import { heading, View } from './view.ts';
import { LANGUAGES, t, type Word } from './words.ts';

interface Fact {
  readonly text?: string;
  readonly date?: string;
  readonly source?: string;
  readonly used?: boolean;
}

/** What is known about the owner. */
export class MemoryRoom extends View {
  readonly #text = h('input', { id: 'fact', required: true, autocomplete: 'off', placeholder: t('fact_hint') });
  readonly #facts = h('ul', { class: 'plain' });
  readonly #none = h('p', { class: 'muted', hidden: true }, t('no_facts'));

  protected build(): void {
    const remember = async (event: Event) => {
      event.preventDefault();
      await attempt(async () => {
        await command(['memory', 'add', this.#text.value], { project: session.project });
        this.#text.value = '';
        await this.refresh();
      });
    };
    const label = h('label', { for: 'fact' }, t('add_fact'));
    const line = h(
      'div',
      { class: 'row search' },
      this.#text,
      h('button', { type: 'submit', class: 'primary' }, t('remember')),
    );
    const form = h('form', { class: 'card form', on: { submit: remember } }, label, line);
    fill(
      this,
      h('header', { class: 'room-head' }, heading(t('memory')), h('p', { class: 'muted' }, t('memory_about'))),
      form,
      this.#none,
      this.#facts,
    );
  }

  protected async load(): Promise<void> {
    const rows = await command<Fact>(['memory', 'list'], { project: session.project });
    const facts = rows.filter(({ text }) => text !== undefined);
    this.#none.hidden = facts.length > 0;
    keyed(this.#facts, facts, { keyOf: ({ text = '' }) => text, make: (fact) => this.#fact(fact) });
  }

  #fact({ text = '', date, source, used }: Fact): HTMLElement {
    const forget = async () => {
      await command(['memory', 'forget', text], { project: session.project });
      await this.refresh();
    };
    const about = [date, source, used === false ? t('not_used') : undefined].filter(Boolean).join(', ');
    return h(
      'li',
      { class: 'line' },
      h('span', { class: 'grow' }, text, h('span', { class: 'muted block' }, about)),
      action(t('forget'), forget),
    );
  }
}

interface Device {
  readonly id: string;
  readonly name: string;
  readonly kind: 'page' | 'program';
  readonly scopes: readonly string[];
  readonly seenAt: string | null;
  readonly revokedAt: string | null;
}

/** Who may enter. */
export class DevicesRoom extends View {
  readonly #list = h('ul', { class: 'plain' });

  protected build(): void {
    fill(
      this,
      h('header', { class: 'room-head' }, heading(t('devices')), h('p', { class: 'muted' }, t('devices_about'))),
      this.#list,
    );
  }

  protected async load(): Promise<void> {
    const [own, all] = await Promise.all([get<Device>('/api/me'), command<Device>(['devices'])]);
    const allowed = all
      .filter(({ revokedAt }) => revokedAt === null)
      .map((each) => ({ ...each, own: each.id === own.id }));
    const first = allowed.toSorted((a, b) => Number(b.own) - Number(a.own));
    keyed(this.#list, first, { keyOf: ({ id }) => id, make: (each) => this.#device(each) });
  }

  #device({ id, name, kind, scopes, seenAt, own }: Device & { readonly own: boolean }): HTMLElement {
    const seen = seenAt === null ? t('never_seen') : t('seen', { when: moment(seenAt) });
    const about = [t(kind === 'page' ? 'page_device' : 'program_device'), scopes.join(', '), seen].join(' · ');
    const out = async () => {
      if (!(await sure(own ? t('sign_out_sure') : t('revoke_sure', { name }), t(own ? 'sign_out' : 'revoke')))) return;
      await command(['devices', 'revoke', id]);
      if (own) location.assign('/pair');
      else tell(t('revoked'));
      await this.refresh();
    };
    const title = h(
      'span',
      { class: 'grow' },
      name,
      own && h('span', { class: 'tag' }, t('this_device')),
      h('span', { class: 'muted block' }, about),
    );
    return h('li', { class: 'line' }, title, action(t(own ? 'sign_out' : 'revoke'), out, own ? 'quiet' : 'danger'));
  }
}

interface Model {
  readonly provider: string;
  readonly name: string;
  readonly state: string;
  readonly detail: string;
}

interface Sum {
  readonly group?: string;
  readonly calls?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly costUsd?: number;
}

/** What the browser offers once the page can be installed. */
interface Installing extends Event {
  prompt(): Promise<unknown>;
}

/** How the page looks, where new conversations go, and what answers them. */
export class SettingsRoom extends View {
  readonly #models = h('ul', { class: 'plain' });
  readonly #usage = h('ul', { class: 'plain' });

  protected build(): void {
    const { home } = session;
    const themes = THEMES.map((each) => [each, t(each)] as const);
    const languages = LANGUAGES.map(
      (each) => [each, new Intl.DisplayNames([each], { type: 'language' }).of(each) ?? each] as const,
    );
    const looks = [
      choice('theme', { options: themes, value: kept('theme') ?? 'system', follow: applyTheme }),
      choice('language', { options: languages, value: document.documentElement.lang, follow: () => location.reload() }),
    ];
    const chats = [
      choice('project', { options: home.projects.map((name) => [name, name]), value: session.project }),
      choice('mode', {
        options: MODES.map((mode) => [mode, t(mode)]),
        value: session.mode,
      }),
    ];
    const about = h('p', { class: 'muted' }, t('version', { version: home.version, zone: home.timeZone }));
    fill(this, h('header', { class: 'room-head' }, heading(t('settings'))));
    const parts = [
      ['appearance', looks],
      ['new_chats', chats],
      ['models', [this.#models]],
      ['usage', [this.#usage]],
      ['about', [about, installButton()]],
    ] as const;
    add(
      this,
      parts.map(([title, body]) =>
        h('section', { class: 'part card' }, h('h2', {}, t(title)), h('div', { class: 'fields' }, [...body])),
      ),
    );
  }

  protected async load(): Promise<void> {
    const [models, usage] = await Promise.all([list<Model>('/api/models'), list<Sum>('/api/usage')]);
    const line = (name: string, about: string) =>
      h('li', { class: 'line' }, h('span', { class: 'grow name' }, name), h('span', { class: 'muted' }, about));
    fill(
      this.#models,
      models.map(({ provider, name, state, detail }) =>
        line(`${provider}: ${name}`, [state, detail].filter(Boolean).join(', ')),
      ),
    );
    const sums = usage.filter(({ group }) => group !== undefined);
    fill(
      this.#usage,
      sums.map(({ group = '', calls = 0, inputTokens = 0, outputTokens = 0, costUsd = 0 }) =>
        line(
          group,
          t('usage_line', {
            calls: number(calls),
            tokens: number(inputTokens + outputTokens),
            cost: costUsd.toFixed(2),
          }),
        ),
      ),
    );
  }
}

interface Choice {
  /** Values with what they are called. */
  readonly options: readonly (readonly [string, string])[];
  readonly value: string;
  follow?(value: string): void;
}

/** Something that is chosen for this browser. */
function choice(name: Word, { options, value, follow }: Choice): HTMLElement {
  const chosen = () => {
    keep(name, select.value);
    follow?.(select.value);
  };
  const shown = options.map(([each, label]) => h('option', { value: each, selected: each === value }, label));
  const select = h('select', { id: `set-${name}`, on: { change: chosen } }, shown);
  return h('div', { class: 'field' }, h('label', { for: `set-${name}` }, t(name)), select);
}

/** Only where the browser can do it, and has not. */
function installButton(): HTMLElement {
  const button = h('button', { type: 'button', class: 'quiet', hidden: true }, t('install'));
  const offered = (event: Event) => {
    event.preventDefault();
    button.hidden = false;
    button.onclick = () => void (event as Installing).prompt();
  };
  addEventListener('beforeinstallprompt', offered);
  return button;
}
