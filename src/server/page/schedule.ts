import { command, Problem } from './api.ts';
import { fill, h, keyed } from './dom.ts';
import { moment } from './format.ts';
import { comingDays, type Job, nextText, ownJobs } from './jobs.ts';
import { session } from './session.ts';
import { action, attempt, sure, tell } from './tell.ts';
import { drawDay } from './today.ts';
import { heading, View } from './view.ts';
import { t } from './words.ts';

interface Run {
  readonly id: string;
  readonly scheduledFor: string;
  readonly state: string;
  readonly output?: string;
  readonly error?: string;
  readonly conversationId?: string;
}

interface ShownJob {
  readonly next: readonly string[];
  readonly history: readonly Run[];
}

const TYPING_MS = 250;

/** What is planned: by day, each plan with its runs, and a form for another one. */
export class Schedule extends View {
  readonly #when = h('input', {
    id: 'when',
    required: true,
    autocomplete: 'off',
    placeholder: t('when_hint'),
    'aria-describedby': 'times',
  });
  readonly #what = h('input', { id: 'what', required: true, autocomplete: 'off', placeholder: t('what_hint') });
  readonly #kind = h(
    'select',
    { id: 'kind' },
    h('option', { value: '--message' }, t('remind')),
    h('option', { value: '--prompt' }, t('prompt')),
  );
  readonly #times = h('p', { id: 'times', class: 'muted', role: 'status' });
  readonly #week = h('div', { class: 'stack' });
  readonly #filter = h('input', { type: 'search', id: 'filter-jobs', autocomplete: 'off', placeholder: t('filter') });
  readonly #count = h('span', { class: 'muted', role: 'status' });
  readonly #list = h('div', { class: 'stack tight' });
  #jobs: readonly Job[] = [];
  #asking = new AbortController();
  #typing: ReturnType<typeof setTimeout> | undefined;

  protected build(): void {
    const week = h('section', { class: 'part' }, h('h2', {}, t('this_week')), this.#week);
    const filter = h(
      'div',
      { class: 'row' },
      h('label', { class: 'unseen', for: 'filter-jobs' }, t('filter')),
      this.#filter,
      this.#count,
    );
    const all = h('section', { class: 'part' }, h('h2', {}, t('all_jobs')), filter, this.#list);
    fill(
      this,
      h('header', { class: 'room-head' }, heading(t('schedule'))),
      this.#form(),
      h('div', { class: 'columns' }, h('div', {}, all), h('div', {}, week)),
    );
    this.#filter.addEventListener('input', () => this.#showJobs());
    this.#when.addEventListener('input', () => {
      clearTimeout(this.#typing);
      this.#typing = setTimeout(() => void this.#preview(), TYPING_MS);
    });
  }

  #form(): HTMLElement {
    const field = (input: HTMLElement, label: string) =>
      h('div', { class: 'field' }, h('label', { for: input.id }, label), input);
    const plan = async (event: Event) => {
      event.preventDefault();
      await attempt(() => this.#plan());
    };
    const fields = [field(this.#when, t('when')), field(this.#what, t('what')), field(this.#kind, t('kind'))];
    const button = h('button', { type: 'submit', class: 'primary' }, t('plan'));
    return h(
      'form',
      { class: 'card form', 'aria-label': t('new_job'), on: { submit: plan } },
      h('div', { class: 'fields' }, fields),
      this.#times,
      button,
    );
  }

  async #plan(): Promise<void> {
    const words = ['schedule', 'add', '--when', this.#when.value, this.#kind.value, this.#what.value];
    await command(words, { project: session.project });
    tell(t('planned'));
    this.#when.value = this.#what.value = this.#times.textContent = '';
    await this.refresh();
  }

  /** Shows how words of time are understood while they are typed; only the newest answer counts. */
  async #preview(): Promise<void> {
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    const when = this.#when.value.trim();
    try {
      const times = when === '' ? [] : await command<{ at: string }>(['schedule', 'next', when], { signal });
      this.#times.textContent =
        when === '' ? '' : t('next_times', { times: times.map(({ at }) => moment(at)).join(' · ') });
    } catch (error) {
      if (!signal.aborted)
        this.#times.textContent = error instanceof Problem && error.status === 0 ? t('offline') : t('not_understood');
    }
  }

  protected async load(): Promise<void> {
    this.#jobs = await ownJobs();
    this.#showJobs();
    const days = await comingDays(this.#jobs);
    if (days.length === 0) fill(this.#week, h('p', { class: 'muted' }, t('nothing_coming')));
    else keyed(this.#week, days, { keyOf: ({ label }) => label, make: drawDay });
  }

  #showJobs(): void {
    const words = this.#filter.value.trim().toLowerCase();
    const jobs = this.#jobs.filter(({ prompt, when }) => `${prompt} ${when}`.toLowerCase().includes(words));
    this.#count.textContent = this.#jobs.length === 0 ? t('no_jobs') : t('jobs_shown', { n: jobs.length });
    keyed(this.#list, jobs, { keyOf: ({ id }) => id, make: (job) => this.#job(job) });
  }

  #job(job: Job): HTMLElement {
    const body = h('div', { class: 'job-body' });
    const opened = () => details.open && body.childElementCount === 0 && void attempt(() => this.#fill(body, job));
    const summary = h(
      'summary',
      {},
      h('span', { class: 'grow' }, job.prompt, h('span', { class: 'muted block' }, job.when)),
      h('span', { class: job.enabled ? 'muted' : 'tag' }, nextText(job)),
    );
    const details = h('details', { class: 'job', on: { toggle: opened } }, summary, body);
    return details;
  }

  async #fill(body: HTMLElement, job: Job): Promise<void> {
    const [shown] = await command<ShownJob>(['schedule', 'show', job.id]);
    const change =
      (...words: string[]) =>
      async () => {
        await command(['schedule', ...words, job.id]);
        await this.refresh();
      };
    const run = async () => {
      const [done] = await command<Run>(['schedule', 'run', job.id]);
      tell(t('ran', { state: done?.state ?? '' }));
      await this.#fill(body, job);
    };
    const remove = async () => {
      if (await sure(t('remove_job', { text: job.prompt }), t('remove'))) await change('remove')();
    };
    const flip = job.enabled ? action(t('pause'), change('pause')) : action(t('resume'), change('resume'));
    const times = shown?.next.map((at) => moment(at)).join(' · ') ?? '';
    fill(
      body,
      times !== '' && h('p', { class: 'muted' }, t('next_times', { times })),
      h('div', { class: 'row' }, flip, action(t('run_now'), run), action(t('remove'), remove, 'danger')),
      h('h3', {}, t('runs')),
      drawRuns(shown?.history ?? []),
    );
  }
}

function drawRuns(runs: readonly Run[]): HTMLElement {
  if (runs.length === 0) return h('p', { class: 'muted' }, t('no_runs'));
  const rows = runs.map(({ scheduledFor, state, output, error, conversationId }) => {
    const said = error ?? output ?? '';
    const text =
      conversationId === undefined
        ? said
        : h('a', { href: `/chat/${encodeURIComponent(conversationId)}` }, said || t('chat'));
    return h(
      'li',
      { class: 'line' },
      h('time', { datetime: scheduledFor }, moment(scheduledFor)),
      h('span', { class: state === 'succeeded' ? 'good' : 'bad' }, state),
      h('span', { class: 'grow clip' }, text),
    );
  });
  return h('ul', { class: 'plain' }, rows);
}
