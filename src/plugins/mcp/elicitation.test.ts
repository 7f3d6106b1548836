import { describe, expect, test } from 'vitest';
import { answerForm } from './elicitation.ts';

/** A person who gives these answers one by one and then leaves. Their questions are recorded. */
function person(typed: readonly (string | undefined)[]) {
  const questions: string[] = [];
  return { questions, ask: async (question: string) => typed[questions.push(question) - 1] };
}

const form = (properties: object, required?: readonly string[]) => ({
  message: 'Who are you?',
  requestedSchema: { type: 'object', properties, ...(required && { required }) },
});

/** The answers after the initial yes, and the questions after the first. */
async function filled(params: unknown, ...typed: (string | undefined)[]) {
  const { questions, ask } = person(['y', ...typed]);
  const answer = await answerForm('notes', params, ask);
  return { answer, questions: questions.slice(1) };
}

describe('a form', () => {
  test('is shown with its server before anything is typed', async () => {
    const { questions, ask } = person([undefined]);
    expect(await answerForm('notes', form({ a: {} }), ask)).toEqual({ action: 'cancel' });
    expect(questions).toEqual(['The MCP server notes asks: Who are you? Answer it? What you type goes to it. [y/N] ']);
  });

  test.each(['y', 'Y', 'yes', ' YES '])('is answered after %j', async (typed) => {
    expect(await answerForm('notes', form({}), person([typed]).ask)).toEqual({ action: 'accept', content: {} });
  });

  test.each(['', 'n', 'no', 'yep', 'ok yes', 'ye'])('is declined by %j', async (typed) => {
    expect(await answerForm('notes', form({}), person([typed]).ask)).toEqual({ action: 'decline' });
  });

  test.each([
    ['an address', { ...form({}), mode: 'url' }],
    ['nothing', undefined],
    ['no fields', { message: 'Who?' }],
    ['fields that are none', form({ a: 'text' })],
    ['names that are none', { message: 'Who?', requestedSchema: { required: [7] } }],
  ])('that is %s is declined without a question', async (_what, params) => {
    const { questions, ask } = person(['y']);
    expect([await answerForm('notes', params, ask), questions]).toEqual([{ action: 'decline' }, []]);
  });

  test.each([
    ['no words', { requestedSchema: {} }, 'asks:  Answer'],
    ['words that are none', { message: 7, requestedSchema: {} }, 'asks:  Answer'],
    ['another line', { message: 'a\n[y/N] b', requestedSchema: {} }, 'asks: a\\n[y/N] b Answer'],
    ['a book', { message: 'x'.repeat(301), requestedSchema: {} }, `asks: ${'x'.repeat(300)} Answer`],
  ])('with %s is shown on one line', async (_what, params, shown) => {
    const { questions, ask } = person(['n']);
    await answerForm('notes', params, ask);
    expect(questions[0]).toContain(shown);
  });

  test('has at most twelve fields', async () => {
    const fields = Object.fromEntries(Array.from({ length: 13 }, (_, index) => [`f${index}`, { default: index }]));
    const { answer, questions } = await filled(form(fields), ...Array<string>(13).fill(''));
    expect(questions).toHaveLength(12);
    expect(answer).toEqual({
      action: 'accept',
      content: Object.fromEntries(
        Object.entries(fields)
          .slice(0, 12)
          .map(([name, field]) => [name, (field as { default: number }).default]),
      ),
    });
  });

  test('is cancelled when the person is gone in the middle', async () => {
    const { answer, questions } = await filled(form({ a: {}, b: {}, c: {} }), 'one', undefined, 'three');
    expect(answer).toEqual({ action: 'cancel' });
    expect(questions).toHaveLength(2);
  });
});

describe('the question for a field', () => {
  test.each<[what: string, field: object, question: string]>([
    ['a name', {}, '  city [may be empty]: '],
    ['a title', { title: 'Your city' }, '  Your city [may be empty]: '],
    ['a description', { title: 'City', description: 'Where you live' }, '  City, Where you live [may be empty]: '],
    ['odd ones', { title: 7, description: {} }, '   [may be empty]: '],
    ['a default', { default: 'Oslo' }, '  city [Oslo]: '],
    ['a default that says no', { type: 'boolean', default: false }, '  city (yes | no) [false]: '],
    ['yes or no', { type: 'boolean' }, '  city (yes | no) [may be empty]: '],
    ['choices', { enum: ['a', 2] }, '  city (a | 2) [may be empty]: '],
    [
      'named choices',
      { oneOf: [{ const: 'a', title: 'A' }, { const: 2 }, 'x', {}] },
      '  city (a | 2) [may be empty]: ',
    ],
    ['other named choices', { anyOf: [{ const: true }] }, '  city (true) [may be empty]: '],
    ['choices that are none', { oneOf: 'a' }, '  city [may be empty]: '],
    ['several choices', { type: 'array', items: { enum: ['a', 'b'] } }, '  city (a | b) [may be empty]: '],
    ['several named ones', { type: 'array', items: { anyOf: [{ const: 'a' }] } }, '  city (a) [may be empty]: '],
    ['several of any', { type: 'array', items: 'all' }, '  city [may be empty]: '],
    ['no list of choices', { items: { enum: ['a'] } }, '  city [may be empty]: '],
    ['other lines', { title: 'a\nb', enum: ['c\nd'], default: 'e\nf' }, '  a\\nb (c\\nd) [e\\nf]: '],
    ['a book', { title: 'x'.repeat(301) }, `  ${'x'.repeat(300)} [may be empty]: `],
    ['a book of choices', { enum: ['x'.repeat(301)] }, `  city (${'x'.repeat(298)} [may be empty]: `],
  ])('%s', async (_what, field, question) => {
    expect((await filled(form({ city: field }))).questions).toEqual([question]);
  });

  test('that needs an answer says nothing of it', async () => {
    expect((await filled(form({ city: {} }, ['city']))).questions).toEqual(['  city: ']);
  });
});

describe('what is typed', () => {
  const LIST = { type: 'array', items: { enum: ['a', 'b'] } };

  test.each<[field: object, typed: string, value: unknown]>([
    [{}, ' Ada Lovelace ', 'Ada Lovelace'],
    [{ type: 'string' }, '42', '42'],
    [{ default: 'Oslo' }, '', 'Oslo'],
    [{ default: 'Oslo' }, ' Rome', 'Rome'],
    [{ type: 'boolean', default: false }, '', false],
    [{ type: 'boolean' }, 'y', true],
    [{ type: 'boolean' }, 'Yes', true],
    [{ type: 'boolean' }, 'true', true],
    [{ type: 'boolean' }, 'n', false],
    [{ type: 'boolean' }, 'NO', false],
    [{ type: 'boolean' }, 'false', false],
    [{ type: 'number' }, '1.5', 1.5],
    [{ type: 'number' }, '-3', -3],
    [{ type: 'integer' }, '7', 7],
    [{ type: 'integer' }, '7.0', 7],
    [{ enum: ['a', 2] }, '2', '2'],
    [{ type: 'boolean', enum: ['y'] }, 'y', 'y'],
    [LIST, 'a', ['a']],
    [LIST, ' b , a', ['b', 'a']],
    [{ type: 'array', items: {} }, 'x,y, ', ['x', 'y']],
    [{}, '', undefined],
  ])('for %j: %j is %j', async (field, typed, value) => {
    const { answer } = await filled(form({ city: field }), typed);
    expect(answer).toStrictEqual({ action: 'accept', content: value === undefined ? {} : { city: value } });
  });

  test.each<[field: object, typed: string]>([
    [{ type: 'boolean' }, 'perhaps'],
    [{ type: 'boolean' }, 'yes or no'],
    [{ type: 'boolean' }, 'untrue'],
    [{ type: 'boolean' }, 'not false'],
    [{ type: 'number' }, 'many'],
    [{ type: 'number' }, 'Infinity'],
    [{ type: 'integer' }, '1.5'],
    [{ type: 'integer' }, 'one'],
    [{ enum: ['a', 'b'] }, 'c'],
    [{ enum: ['a', 'b'] }, 'A'],
    [LIST, 'a,c'],
    [LIST, 'a b'],
  ])('for %j: %j does not fit and is asked for again', async (field, typed) => {
    const { answer, questions } = await filled(form({ city: field }), typed, '');
    expect(answer).toEqual({ action: 'accept', content: {} });
    expect(questions).toHaveLength(2);
    expect(questions[1]).toBe(questions[0]);
  });

  test('does not fit three times: then it is cancelled', async () => {
    const twice = await filled(form({ n: { type: 'integer' } }), 'one', 'two', '3');
    expect(twice.answer).toEqual({ action: 'accept', content: { n: 3 } });
    const always = await filled(form({ n: { type: 'integer' } }), 'one', 'two', 'three', '4');
    expect(always).toEqual({ answer: { action: 'cancel' }, questions: Array(3).fill(always.questions[0]) });
  });

  test('may be nothing where a text is needed, but no number', async () => {
    const text = await filled(form({ name: { type: 'string' } }, ['name']), '');
    expect(text.answer).toEqual({ action: 'accept', content: { name: '' } });
    const number = await filled(form({ age: { type: 'number' } }, ['age']), '', '36');
    expect(number.answer).toEqual({ action: 'accept', content: { age: 36 } });
    const list = await filled(form({ tags: { type: 'array' } }, ['tags']), '');
    expect(list.answer).toEqual({ action: 'accept', content: { tags: [] } });
  });
});
