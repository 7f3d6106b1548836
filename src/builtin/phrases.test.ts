import { expect, test } from 'vitest';
import { phrases } from './phrases.ts';

const understand = phrases({
  en: ['add {items} to [my|the] {list} list', 'zeig[e] {what}', '{n:number} [of] (a|b) over'],
  de: ['füge {items:[^)]+} hinzu bitte', 'wie[ ]viel uhr'],
});

test.each([
  ['Add milk to my shopping list', { items: 'milk', list: 'shopping' }],
  ['ADD milk to shopping LIST', { items: 'milk', list: 'shopping' }],
  ['zeig alles', { what: 'alles' }],
  ['zeige alles', { what: 'alles' }],
  ['3 b over', { n: '3' }],
  ['3 of a over', { n: '3' }],
  ['Fuege Milch hinzu bitte', { items: 'Milch' }],
  ['FÜGE Milch hinzu bitte', { items: 'Milch' }],
  ['wieviel Uhr', {}],
  ['wie viel Uhr', {}],
  ['add milk to shopping', undefined],
  ['füge Milch hinzu', undefined],
])('%s', (request, slots) => {
  const found = understand(request);
  expect(found && { ...found }).toEqual(slots);
});
