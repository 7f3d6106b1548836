import { post, useKey } from './api.ts';
import { h } from './dom.ts';
import { attempt, tell } from './tell.ts';
import { heading } from './view.ts';
import { t } from './words.ts';

/** How a browser is let in: by the code of a link, or one that is typed. @param entered  it is in. */
export function pairRoom(entered: () => Promise<void>): HTMLElement {
  const code = h('input', {
    id: 'code',
    required: true,
    autocomplete: 'one-time-code',
    autocapitalize: 'characters',
    spellcheck: 'false',
    maxlength: 40,
    class: 'code',
  });
  const name = h('input', { id: 'name', required: true, maxlength: 60, autocomplete: 'off' });
  code.value = location.hash.slice(1);
  name.value = deviceName();
  // It is used once, and stands in no history.
  if (location.hash !== '') history.replaceState(null, '', '/pair');
  const enter = async (event: Event) => {
    event.preventDefault();
    await attempt(async () => {
      useKey((await post<{ key: string }>('/api/pair', { code: code.value, name: name.value })).key);
      tell(t('entered'));
      history.replaceState(null, '', '/today');
      await entered();
    });
  };
  const field = (input: HTMLElement, label: string) =>
    h('div', { class: 'field' }, h('label', { for: input.id }, label), input);
  const button = h('button', { type: 'submit', class: 'primary' }, t('enter'));
  const form = h(
    'form',
    { class: 'card form', on: { submit: enter } },
    field(code, t('code')),
    field(name, t('device_name')),
    button,
  );
  return h(
    'div',
    { class: 'pairing' },
    h('header', { class: 'room-head' }, heading(t('pair')), h('p', { class: 'muted' }, t('pair_about'))),
    form,
  );
}

/** By which its owner knows it again in the list of devices. */
function deviceName(): string {
  const { userAgent } = navigator;
  const named = (names: readonly string[], fallback: string) =>
    names.find((each) => userAgent.includes(each)) ?? fallback;
  const browser = named(['Firefox', 'Edg', 'Chrome', 'Safari'], 'Browser').replace('Edg', 'Edge');
  return `${browser}, ${named(['iPhone', 'iPad', 'Android', 'Windows', 'Mac', 'Linux'], 'device')}`;
}
