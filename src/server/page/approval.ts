import { Problem, post } from './api.ts';
import { h } from './dom.ts';
import { action } from './tell.ts';
import { t } from './words.ts';

/** A call that waits, as a person reads it. */
export interface Waiting {
  readonly id: string;
  /** One line each; a change of a file as lines with `+` and `-`. */
  readonly text: string;
  /** Until when it waits, in words. */
  readonly until?: string;
  /** It may be allowed for the rest of its turn. */
  readonly forTurn?: boolean;
}

type Verdict = 'once' | 'turn' | 'denied';

/** A card with which a call is allowed or denied, once. @param decided  called afterwards. */
export function approvalCard(
  { id, text, until, forTurn = false }: Waiting,
  decided: () => unknown = () => {},
): HTMLElement {
  const [title = '', ...lines] = text.split('\n').map((line) => line.replace(/^ {2}/u, ''));
  const decide = (decision: Verdict) => async () => {
    const outcome = await decideOnce(id, decision);
    buttons.replaceChildren(h('span', { class: 'muted', role: 'status' }, outcome));
    decided();
  };
  const buttons = h(
    'div',
    { class: 'row' },
    action(t('approve'), decide('once'), 'primary'),
    forTurn && action(t('approve_turn'), decide('turn')),
    action(t('deny'), decide('denied')),
    until !== undefined && h('span', { class: 'muted' }, t('until', { when: until })),
  );
  const body = h('pre', { tabindex: 0, 'aria-label': t('details') }, lines.map(diffLine));
  return h(
    'article',
    { class: 'card approval', 'aria-label': t('waits') },
    h('h3', {}, title.replace(/:$/u, '')),
    body,
    buttons,
  );
}

/** Somebody may have been faster, here or on another device: a call is decided once. */
async function decideOnce(id: string, decision: Verdict): Promise<string> {
  try {
    await post(`/api/approvals/${encodeURIComponent(id)}`, { decision });
    return decision === 'denied' ? t('denied') : t('allowed');
  } catch (error) {
    if (error instanceof Problem && error.status === 409)
      return error.code === 'decided' ? t('decided') : error.message;
    throw error;
  }
}

function diffLine(line: string): HTMLElement {
  const sign = /^\s*([+-])/u.exec(line)?.[1];
  return h('span', { class: sign === '+' ? 'added' : sign === '-' ? 'removed' : 'same' }, `${line}\n`);
}
