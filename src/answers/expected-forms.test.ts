import { expect, test } from 'vitest';
import type { Hit } from '../rag/types.ts';
import { expectedIn } from './expected.ts';
import { extractAnswer } from './extract.ts';

/** The words that ask in a question, and how its answer is judged. */
const form = (question: string) => {
  const expected = expectedIn(question);
  return (
    expected && [expected.asking, expected.strict === true, expected.tells !== undefined, expected.isBelow === true]
  );
};

test.each<[string, ReturnType<typeof form>]>([
  ['how hot is it', ['how hot', false, false, false]],
  ['how much does the bike cost', ['how much does', true, true, false]],
  ['what does the bike cost', ['cost', true, true, false]],
  ["what's the fee", ['fee', true, true, false]],
  ['how much do we have to pay', ['how much do', true, true, false]],
  ['how much was it that we paid', ['how much was', true, true, false]],
  ['how much tax is paid', ['paid', true, true, false]],
  ['wie viel muss ich überweisen', ['überweisen', true, true, false]],
  ['how many are there', ['how many', false, false, false]],
  ['when is it', ['when', false, false, false]],
  ['how do I reset the router', ['reset', false, true, true]],
  ['what do I do', ['', false, true, true]],
  ['what happens if it leaks', ['happens', false, true, false]],
  ['was passiert, wenn es leckt', ['passiert', false, true, false]],
  ['are dogs allowed', ['allowed', false, true, false]],
  ['may I keep a dog', ['', false, true, false]],
  ['who is it', ['', false, false, false]],
  ['wie heißt der Hund', ['', false, false, false]],
  ['wer ist das', ['', false, false, false]],
  ['is it safe', undefined],
  ['und heißt der Hund', undefined],
])('%s', (question, expected) => expect(form(question)).toEqual(expected));

test.each([
  // A price is stated in the vocabulary of prices; a limit is not a price.
  ['how much does it cost', 'The fee is £30.', true, true],
  ['how much does it cost', 'It is £30.', true, false],
  ['how much does it cost', 'The fee is up to £30.', true, false],
  ['how much does it cost', 'The fee is high.', false, false],
  ['how much does it cost', 'It pays 5 % per year.', true, true],
  ['how do I open it', 'Press the button.', true, true],
  ['how do I open it', 'The button is red.', true, false],
  ['what happens if it is late', 'A fee is charged.', true, true],
  ['may I keep a dog', 'No dogs.', true, true],
])('%s: "%s" fits: %s, tells: %s', (question, sentence, fits, tells) => {
  const expected = expectedIn(question);
  expect([expected?.fits(sentence), expected?.tells?.(sentence)]).toEqual([fits, tells]);
});

test.each([
  // A clause number does not count as a figure, nor does a figure with another unit.
  ['how many rooms are there', '(2) Rooms are large.', false],
  ['how many rooms are there', '§ 4 Rooms are large.', false],
  ['how many rooms are there', '4.1 Rooms are large.', false],
  ['how many rooms are there', '(2) Rooms: 4', true],
  ['how many days of leave do I have', 'Leave: 26 days', true],
  ['how many days of leave do I have', 'Leave: 3 months', false],
  ['how many days of leave do I have', '3 keys', false],
  ['how many potatoes do I need', '2 kg of new potatoes', true],
  ['how many potatoes do I need', '2 kg of flour', false],
  ['wie viele Kartoffeln brauche ich', '2 kg Kartoffeln', true],
  // The answer has to name somebody whom the question does not.
  ['who pays', 'Ingrid pays.', true],
  ['who is Ingrid', 'Ingrid is kind.', false],
  ['who pays', 'Two parcels were lost.', false],
  ['who pays', 'In September nothing.', false],
  ['who pays', 'It is paid by the tenants.', true],
  ['who pays the tenants', 'It is paid by the tenants.', false],
  ['who cleans the garden', 'Garden: Clean the shed.', false],
  ['who cleans', 'Ask the Norton family.', true],
  ['wer zahlt', 'Frau Berg zahlt.', true],
  ['wer ist Frau Berg', 'Frau Berg kommt.', false],
  ['wer zahlt', 'Das Geld kommt.', false],
  ['wer zahlt', 'Kursleitung: Britta', true],
  ['wer zahlt', 'Der Hausmeister kommt.', true],
  ['wer ist der Hausmeister', 'Der Hausmeister kommt.', false],
  ['wie heißt der Hund', 'Er heißt Rex.', true],
  ['wie heißt der Hund', 'Name: Rex', true],
  ['wie heißt der Hund', '„Rex“ bellt.', true],
  ['wie heißt der Hund', 'Er hieß einmal Bello.', true],
  ['wie heißt der Hund', 'Es bellt.', false],
])('%s: "%s" fits: %s', (question, sentence, expected) => {
  expect(expectedIn(question)?.fits(sentence)).toBe(expected);
});

const hit = (text: string, more: Partial<Hit> = {}): Hit => ({
  ...{ text, heading: [], citation: '[a.md]', score: 1, chunkId: 1, documentId: 'a', file: 'a.md' },
  ...more,
});
const answerTo = (question: string, ...hits: readonly Hit[]) =>
  extractAnswer({ question, resolved: question }, hits).answer;

test('of a price nothing is told where no amount is found', () => {
  expect(answerTo('how much does the boiler cost', hit('The boiler costs a lot.'))).toBe('');
  expect(answerTo('how much does the boiler cost', hit('The boiler costs £30.'))).toBe('The boiler costs £30. [a.md]');
});

test('a sentence is quoted up to 400 characters', () => {
  const long = (length: number) => `The boiler is ${'x'.repeat(length - 14)}`;
  expect(answerTo('where is the boiler', hit(long(400)))).toBe(`${long(400)} [a.md]`);
  expect(answerTo('where is the boiler', hit(long(401)))).toBe(`${long(400)}… [a.md]`);
  expect(answerTo('where is the boiler', hit(`${long(399)} yz`))).toBe(`${long(399)}… [a.md]`);
});

test('three sentences at most are quoted, of passages that are ranked near the first', () => {
  const parts = ['The oak is old.', 'The elm is tall.', 'The ash is ill.', 'The fir is new.'];
  const question = 'oak elm ash fir';
  const all = extractAnswer({ question, resolved: question }, [hit(parts.join(' '))], 0.1);
  expect(all.answer.split('\n')).toEqual(parts.slice(0, 3).map((part) => `${part} [a.md]`));
  const [first = '', second = ''] = ['The oak and the elm are old.', 'The ash and the fir are new.'];
  const far = (score: number) => answerTo(question, hit(first), hit(second, { citation: '[b.md]', score }));
  expect(far(0.7)).toBe(`${first} [a.md]\n${second} [b.md]`);
  expect(far(0.69)).toBe(`${first} [a.md]`);
  // A sentence from another passage has to add more than one from the same passage.
  expect(answerTo(question, hit(first), hit('The ash is ill.', { citation: '[b.md]' }))).toBe(`${first} [a.md]`);
  expect(answerTo(question, hit(`${first} The ash is ill. A fir.`))).toBe(
    `${first} [a.md]\nThe ash is ill. [a.md]\nA fir. [a.md]`,
  );
});

test('an answer is as sure as the least sure of its parts, and at most wholly', () => {
  const asked = (question: string, ...hits: readonly Hit[]) => extractAnswer({ question, resolved: question }, hits);
  expect(asked('oak elm', hit('The oak and the elm.')).confidence).toBe(1);
  expect(asked('oak elm', hit('The oak is old.'), hit('The elm is tall.')).confidence).toBeLessThanOrEqual(1);
  expect(asked('oak elm', hit('Nothing.'))).toEqual({ answer: '', confidence: 0 });
  expect(extractAnswer({ question: 'oak elm', resolved: 'oak elm' }, [hit('The oak is old.')], 0.9).answer).toBe('');
});
