import { expect, test } from 'vitest';
import { scriptCalls, toScript } from './script.ts';

const script = toScript([
  { tool: 'write_note', input: { text: 'a' }, say: () => '' },
  { tool: 'list_notes', input: {}, say: () => '' },
]);
const ran = (value: string) => `The script ran. Value:\n${value}\nCalls: x ok`;

test('each call is told with what it was given and what it got', () => {
  expect(scriptCalls(script, ran('[{"value":"Noted."},{"value":[1]},{},{"error":"full"}]'))).toEqual([
    { input: { text: 'a' }, ok: true, text: 'Noted.' },
    { input: {}, ok: true, text: '[1]' },
    { input: {}, ok: true, text: '' },
    { input: {}, ok: false, text: 'full' },
  ]);
});

test.each(['{"value":1}', 'nothing', '[1]'])('of %s there is none', (value) => {
  expect(scriptCalls(script, ran(value))).toEqual([]);
});
