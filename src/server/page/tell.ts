import { Problem } from './api.ts';
import { add, h } from './dom.ts';
import { t } from './words.ts';

/** Asks the page to say something for a while. */
export const TELL = 'wooster-tell';

export interface Telling {
  readonly text: string;
  /** Stays until it is closed. */
  readonly stays?: boolean;
}

export function tell(text: string, { stays = false } = {}): void {
  dispatchEvent(new CustomEvent<Telling>(TELL, { detail: { text, stays } }));
}

/** What a person reads about a failure. */
export function told(error: unknown): string {
  if (!(error instanceof Problem)) return t('failed');
  return error.status === 0 ? t('offline') : `${error.message} ${error.hint}`.trim() || t('failed');
}

/** Do something that may fail, and say so if it does. @returns undefined where it did. */
export async function attempt<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work();
  } catch (error) {
    tell(told(error));
    return undefined;
  }
}

/** A button that does something, once at a time. */
export function action(label: string, work: () => Promise<unknown>, kind = 'quiet'): HTMLButtonElement {
  const act = async () => {
    button.disabled = true;
    await attempt(work);
    button.disabled = false;
  };
  const button = h('button', { type: 'button', class: kind, on: { click: act } }, label);
  return button;
}

/** Ask before what cannot be taken back. */
export function sure(question: string, yes: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const dialog = h('dialog', { 'aria-label': question });
  const close = (value: string) => () => dialog.close(value);
  const buttons = h(
    'div',
    { class: 'row end' },
    h('button', { type: 'button', class: 'quiet', autofocus: true, on: { click: close('') } }, t('cancel')),
    h('button', { type: 'button', class: 'danger', on: { click: close('yes') } }, yes),
  );
  const closed = () => {
    dialog.remove();
    resolve(dialog.returnValue === 'yes');
  };
  dialog.addEventListener('close', closed);
  add(dialog, [h('p', {}, question), buttons]);
  document.body.append(dialog);
  dialog.showModal();
  return promise;
}
