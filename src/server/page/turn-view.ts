import { approvalCard } from './approval.ts';
import { fill, h, icon, keyed } from './dom.ts';
import type { Question, ShownTurn, Step } from './fold.ts';
import { codeBlock, drawMarkdown } from './markdown.ts';
import { tell } from './tell.ts';
import { t } from './words.ts';

/** The text of a proposal, where it still waits. */
export type ProposalText = (id: string) => string | undefined;

/** One request with its answer. It changes in place, so that nothing that is read jumps. */
export class TurnView extends HTMLElement {
  readonly #steps = h('ol', { class: 'steps' });
  readonly #summary = h('summary');
  readonly #unfold = h('details', { class: 'activity', hidden: true }, this.#summary, this.#steps);
  readonly #prose = h('div', { class: 'prose' });
  readonly #questions = h('div', { class: 'stack' });
  readonly #notes = h('ul', { class: 'notes' });
  readonly #state = h('span', { class: 'muted' });
  readonly #copy = h(
    'button',
    { type: 'button', class: 'icon-button', 'aria-label': t('copy'), title: t('copy') },
    icon('copy'),
  );
  #shown: ShownTurn | undefined;

  /** Show a turn as it is now. @param proposal says what waits; absent: as before. */
  show(turn: ShownTurn, proposal: ProposalText): void {
    if (!this.#shown) this.#begin(turn.text);
    const before = this.#shown;
    this.#shown = turn;
    this.setAttribute('aria-busy', String(turn.running));
    if (before?.steps !== turn.steps) this.#showSteps(turn.steps);
    if (before?.answer !== turn.answer || before.running !== turn.running)
      drawMarkdown(this.#prose, turn.answer, !turn.running);
    keyed(
      this.#questions,
      turn.questions.map((each) => withText(each, proposal)),
      { keyOf: ({ id }) => id, make: drawQuestion },
    );
    keyed(
      this.#notes,
      turn.notes.map((text, at) => ({ text, at })),
      { keyOf: ({ at }) => String(at), make: ({ text }) => h('li', {}, noteText(text)) },
    );
    this.#state.textContent = stateOf(turn);
    this.#copy.hidden = turn.running || turn.answer === '';
  }

  #begin(text: string): void {
    this.className = 'turn';
    this.#copy.addEventListener('click', () => void this.#copyAnswer());
    const asked = h('div', { class: 'asked' }, h('h2', { class: 'unseen' }, t('you')), h('p', {}, text));
    const end = h('div', { class: 'row turn-end' }, this.#state, this.#copy);
    const answered = h('div', { class: 'answered' }, this.#unfold, this.#prose, this.#questions, this.#notes, end);
    fill(this, asked, answered);
  }

  #showSteps(steps: readonly Step[]): void {
    this.#unfold.hidden = steps.length === 0;
    const names = [...new Set(steps.map(({ name, kind }) => (kind === 'code' ? t('script') : name)).filter(Boolean))];
    fill(this.#summary, t('steps', { n: steps.length }), h('span', { class: 'muted' }, ` ${names.join(', ')}`));
    keyed(this.#steps, steps, { keyOf: ({ id }) => id, make: drawStep });
  }

  async #copyAnswer(): Promise<void> {
    await navigator.clipboard.writeText(this.#shown?.answer ?? '').then(
      () => tell(t('copied')),
      () => tell(t('failed')),
    );
  }
}

function withText(question: Question, proposal: ProposalText): Question {
  if (question.state !== 'proposal') return question;
  const text = proposal(question.id);
  return text === undefined ? { ...question, state: 'denied', text: t('decided') } : { ...question, text };
}

function drawQuestion({ id, state, text, tool }: Question): HTMLElement {
  if (state === 'open' || state === 'proposal') return approvalCard({ id, text, forTurn: state === 'open' });
  const outcome = text === t('decided') ? text : state === 'allowed' ? t('allowed') : t('denied');
  return h('p', { class: 'muted' }, tool === '' ? outcome : `${tool}: ${outcome}`);
}

function noteText(text: string): string {
  return text.startsWith('? ') ? t('unsupported', { text: text.slice(2) }) : text;
}

function drawStep({ kind, name, input, output, ok }: Step): HTMLElement {
  if (kind === 'said') return h('li', { class: 'step' }, h('p', { class: 'muted' }, output));
  const mark = ok === undefined ? '…' : ok ? '✓' : '✗';
  const title = kind === 'code' ? t('script') : name;
  const result = output === '' ? h('p', { class: 'muted' }, t('no_result')) : codeBlock(output, t('result'));
  const body = kind === 'code' && output === '' ? null : result;
  const summary = h(
    'summary',
    {},
    h('span', { class: ok === false ? 'bad' : 'good', 'aria-hidden': 'true' }, mark),
    ` ${title}`,
  );
  return h(
    'li',
    { class: 'step' },
    h('details', {}, summary, input !== '' && codeBlock(input, kind === 'code' ? 'js' : ''), body),
  );
}

const STOPS = {
  answered: '',
  aborted: 'aborted',
  failed: 'failed_turn',
  step_limit: 'step_limit',
  budget: 'budget',
  cut_off: 'cut_off',
} as const;

function stateOf({ running, stop, model, questions }: ShownTurn): string {
  if (running) return questions.some(({ state }) => state === 'open') ? t('waits') : t('working');
  const word = STOPS[stop ?? 'answered'];
  return word === '' ? model : t(word);
}
