import { expect, test } from 'vitest';
import { ScriptOutput } from './script-output.ts';

test('what is output is shown at once and kept in order', () => {
  const shown: string[] = [];
  const output = new ScriptOutput((text) => shown.push(text));
  for (const value of ['one', { n: 2 }, 3, undefined, null, false, () => 1]) output.output(value);
  const texts = ['one', '{\n  "n": 2\n}', '3', '', '', 'false', ''];
  expect([shown, output.outputs, output.answer]).toEqual([texts, texts, undefined]);
});

test('the first answer counts', () => {
  const output = new ScriptOutput(() => {});
  expect([output.finalAnswer({ n: 1 }), output.answer]).toEqual([true, '{\n  "n": 1\n}']);
  expect([output.finalAnswer('two'), output.done(), output.complete({ response: 'x', data: 1 })]).toEqual([
    ...[false, false, false],
  ]);
  expect([output.answer, output.data]).toEqual(['{\n  "n": 1\n}', undefined]);
});

test('an empty answer is one', () => {
  const output = new ScriptOutput(() => {});
  expect([output.finalAnswer(undefined), output.answer, output.finalAnswer('two')]).toEqual([true, '', false]);
});

test('done answers with what was output', () => {
  const output = new ScriptOutput(() => {});
  output.output('one');
  output.output('two');
  expect([output.done(), output.answer]).toEqual([true, 'one\ntwo']);
});

test.each([
  [{ response: 'Here.' }, 'Here.', undefined],
  [{ response: 'Here.', followUp: 'More?' }, 'Here.\n\nMore?', undefined],
  [{ response: 'Here.', followUp: '' }, 'Here.', undefined],
  [{ response: 'Here.', followUp: null }, 'Here.', undefined],
  [{ response: '', followUp: 'More?' }, 'More?', undefined],
  [{ response: null }, '', undefined],
  [{ response: { n: 1 }, followUp: 0 }, '{\n  "n": 1\n}\n\n0', undefined],
  [{ response: 'Here.', data: null }, 'Here.', { value: null }],
  [{ response: 'Here.', data: [1] }, 'Here.', { value: [1] }],
])('complete answers and keeps data: %j', (options, answer, data) => {
  const output = new ScriptOutput(() => {});
  expect([output.complete(options), output.answer, output.data]).toEqual([true, answer, data]);
});

test.each([undefined, null, 'Here.', [], {}, { data: 1 }, { response: undefined }])(
  'complete needs a response: %j',
  (options) => {
    const output = new ScriptOutput(() => {});
    expect(() => output.complete(options)).toThrow(
      new TypeError('complete({ response, data?, followUp? }) needs a response'),
    );
    expect([output.answer, output.data]).toEqual([undefined, undefined]);
  },
);

test('an answer that went back is forgotten with its data, and what was output is not', () => {
  const output = new ScriptOutput(() => {});
  output.output('one');
  output.complete({ response: 'Here.', data: 1 });
  output.reopen();
  expect([output.answer, output.data, output.outputs]).toEqual([undefined, undefined, ['one']]);
  expect([output.finalAnswer('two'), output.answer]).toEqual([true, 'two']);
});
