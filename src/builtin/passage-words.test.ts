import { describe, expect, test } from 'vitest';
import { givesFigures, nearestPart, sharedShare, sharesAny, unknownNoun, unmetIn } from './passage-words.ts';

const passage = (text: string, citation = '[a.md]') => ({ text, citation });

describe('the nearest part of a passage', () => {
  test.each([
    ['The stairs are clean. The key needs a deposit. Ask Ann.', 'The key needs a deposit. Ask Ann.'],
    ['The stairs are clean!   The key needs a deposit?', 'The key needs a deposit?'],
    ['The stairs are clean\n\n\nthe key needs a deposit', 'the key needs a deposit'],
    ['The stairs are clean (all)! The key needs a deposit.', 'The key needs a deposit.'],
    ['Are the stairs no. 5? The key needs a deposit.', 'The key needs a deposit.'],
    ['Ask Dr. Key, who needs a deposit.', 'Ask Dr. Key, who needs a deposit.'],
    ['On 5. Key and deposit.', 'On 5. Key and deposit.'],
    ['The stairs are clean. or a key with a deposit', 'The stairs are clean. or a key with a deposit'],
    ['All is well. All is fine.', 'All is well. All is fine.'],
    ['Deposits are due. The key has none.', 'Deposits are due. The key has none.'],
    ['A deposit is due. A deposit for a key is due.', 'A deposit is due. A deposit for a key is due.'],
  ])('%s', (text, part) => expect(nearestPart(text, 'deposit for the keys')).toBe(part));

  test.each([
    [160, true],
    [161, false],
  ])('what follows is shown up to %d characters: %s', (chars, shown) => {
    const first = 'The deposit is high.';
    const second = `B${'e'.repeat(chars - first.length - 3)}.`;
    expect(nearestPart(`Hello there. ${first} ${second} Cee`, 'deposit')).toBe(shown ? `${first} ${second}` : first);
  });
});

test.each([
  ['repair costs', 'Costs of the repair', 1],
  ['repair costs', 'repairing', 0.5],
  ['repair costs', 'cost', 0.5],
  ['what does this cost', 'costs', 1],
  ['what does this', 'what does this', 0],
  ['Wie hoch ist die Frist?', 'Kündigungsfrist', 0.5],
  ['Wie hoch ist die Kündigungsfrist?', 'die Frist', 0.5],
  ['Wie lange dauert die Miete?', 'Miete', 0.75],
  ['Wie lange dauert die Miete?', 'Es dauert lange.', 0.25],
  ['dauert das Gießen', 'giessen', 0],
  ['dauert das Jahr', 'dauert', 0.5],
  ['Fahrt nach Dänemark', 'daenemark.md', 0.6],
  ['Fahrt nach Goettingen', 'göttingen.md', 0.6],
])('"%s" shares with "%s" %d of what it says', (question, text, share) => {
  expect(sharedShare(question, text)).toBeCloseTo(share, 5);
});

test.each([
  ['is the shed insured?', 'The SHED is old.', true],
  ['is the shed insured?', 'An insurance.', true],
  ['is it paid?', 'Unpaid bills', true],
  ['is it far?', 'afar', false],
  ['is the car insured?', 'The bus and the train.', false],
  ['is the car old?', 'the car', true],
  ['who are you?', 'you are who?', false],
  ['?', '!', false],
])('"%s" is about a word of "%s": %s', (question, text, shares) => expect(sharesAny(question, text)).toBe(shares));

test.each([
  ['Was kostet ein Flug nach Rom?', [passage('Die Inspektion ist teuer.')], 'Flug'],
  ['Was kostet ein Flug im Mai, die Woche?', [passage('Flüge sind teuer.')], undefined],
  ['Was kostet die Fahrt nach Dänemark?', [passage('Los.', '[daenemark.md]'), passage('Fahrten')], undefined],
  ['Was kostet ein Flug nach Lissabon?', [passage('Flug'), passage('Porto')], 'Lissabon'],
  ['Was war letztes Jahr am Montag?', [passage('nichts')], undefined],
  ['was ist das?', [], undefined],
  ['Wer zahlt, Mieter?', [], 'Mieter'],
])('of "%s" nothing found speaks: %j', (question, passages, noun) => {
  expect(unknownNoun(passages, { plain: question, language: 'de' })).toBe(noun);
});

test.each([
  ["when is Peter's birthday", [passage('Marta has a birthday.')], 'Peter'],
  ["when is Marta's birthday", [passage('Marta has a birthday.')], undefined],
  ['what did I pay in October', [passage('nothing')], undefined],
])('of the name in "%s" nothing found speaks: %j', (plain, passages, name) => {
  expect(unknownNoun(passages, { plain, language: 'en' })).toBe(name);
});

test.each([
  ['what is 19% of $340?', 'It costs 12.', true],
  ['what is 340 euros less 19%?', 'It costs 340.', false],
  ['what is 19% of $340?', 'Some 19 or 20', false],
  ['wofür zahle ich 660 Euro?', 'nichts', true],
  ['what is it at 9?', 'It is at 8.', false],
  ['what is a4% of it?', 'nothing', false],
  ['was kostet 1.040 Euro?', 'Es sind 1.040 Euro.', false],
])('"%s" gives figures that "%s" has not: %s', (plain, text, gives) => {
  expect(givesFigures({ plain }, [passage(text)])).toBe(gives);
});

test.each([
  ['is the shed insured', ['The house is insured.'], ['shed']],
  ['is the shed insured', ['The shed', 'is insured'], []],
  ['Shed, shed and SHED', [''], ['shed']],
  ['boats trains planes kayaks', ['none'], ['boats', 'trains', 'planes']],
  ['what does this cost', [''], ['cost']],
  ['is it', [], []],
])('of "%s" %j says nothing about %j', (question, texts, words) => {
  expect(
    unmetIn(
      question,
      texts.map((text) => passage(text)),
    ),
  ).toEqual(words);
});
