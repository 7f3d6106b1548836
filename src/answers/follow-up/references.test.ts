import { expect, test } from 'vitest';
import { rowsOf } from '../../testing/rows.ts';
import { refersBack, resolveQuery } from './follow-up.ts';
import { readQuestion } from './question.ts';

type Pointing = readonly [question: string, expected: string];

/** The words of a question that point to something: within the question's earlier clause (<), or before (|). */
function pointing(question: string): string {
  const { words, grammar } = readQuestion(question);
  return words
    .map((word, at) => ({ ...word, reach: grammar.pointer(words, at) }))
    .filter(({ reach }) => reach !== undefined)
    .map(({ text, reach }) => `${text}${reach === 'before' ? '|' : '<'}`)
    .join(' ');
}

test.each(rowsOf<Pointing>(import.meta.dirname, 'pointing-english'))('%j points with: %s', (question, expected) =>
  expect(pointing(question)).toBe(expected),
);

test.each(rowsOf<Pointing>(import.meta.dirname, 'pointing-german'))('%j zeigt mit: %s', (question, expected) =>
  expect(pointing(question)).toBe(expected),
);

/** Parts of a question that only the previous one completes. */
test.each([
  ...[
    'it',
    'in winter',
    'in the cold winter months',
    'at what time',
    'what colour',
    'what colour exactly',
    'which room',
  ],
  ...[
    'whose key',
    'how often',
    'how often exactly',
    'how old',
    'why',
    'why not',
    'why not winter',
    'when exactly',
    'where',
  ],
  ...[
    'where to',
    'who exactly',
    'keys too',
    'the keys too',
    'keys either',
    'keys instead',
    'keys though',
    'and',
    'and why',
  ],
  ...['what about cats', 'how about the cats', 'but the cats', 'or dogs', 'and is parking included', 'exactly 24'],
  ...['and all of the keys too', 'how much is left', 'what is allowed', 'really available', 'what is affordable'],
  ...['im Winter', 'bei uns im kalten Winter', 'wie oft', 'wie oft denn genau', 'welche Farbe', 'welche Farbe denn'],
  ...['warum nicht', 'wann', 'wer genau', 'wo genau denn', 'Hunde auch', 'alle kleinen Hunde auch', 'und', 'und sie'],
  ...['aber die Hunde', 'oder Hunde', 'was ist mit Hunden', 'und was ist mit Hunden', 'wie sieht es mit Hunden aus'],
  ...['und wie teuer', 'was ist möglich', 'und sehr wichtig'],
])('%j goes on from what was asked before', (question) => expect(refersBack(question)).toBe(true));

test.each([
  ...['', 'in the very cold winter months here', 'what colour paint then', 'how often exactly then please', 'how keys'],
  ...['why winter then please', 'how to reset', 'when to reset', 'all of the keys too', 'too keys', 'passport number'],
  ...['good colourful walls', 'and is the parking included', 'and how much is Ingrid paid', 'how to reset a key'],
  ...['bei uns im sehr kalten Winter hier', 'wie Miete', 'welche Farbe denn genau', 'warum im Winter nicht'],
  ...['auch Hunde', 'und ist Parken inklusive', 'und wie hoch ist die Miete', 'wie spät ist es'],
])('%j stands by itself', (question) => expect(refersBack(question)).toBe(false));

/** Whether a word may stand for a noun, by person, number and gender. */
test.each([
  ['when does Anna leave and where does she live', false],
  ['when does the cat leave and where does she live', false],
  ['when does the roof leak and where does she live', true],
  ['when does plumbing leak and where does she live', true],
  ['is happiness due and is he rich', true],
  ['who is the landlord and where is it', true],
  ['who is the landlord and is he rich', false],
  ['who are the landlords and where are they', false],
  ['who is the landlord and are they rich', false],
  ['which company pays and do they pay', false],
  ['where is the dog and is it big', false],
  ['when does the key fit and who has them', true],
  ['when do keys fit and who has them', false],
  ['when do the glass doors fit and who has them', false],
  ['when do the glass fit and who has them', true],
  ['is Anna here and are they rich', false],
  ['what happens and why is it so', true],
  ['how many keys fit and who has it', true],
  ['wie heißt der Vermieter und wo wohnt er', false],
  ['wie heißt der Vermieter und wem gehört es', true],
  ['wie heißt die Firma und wo sitzt er', true],
  ['wie heißt die Firma und wo sitzt sie', false],
  ['was passiert mit dem Auto und wo ist es', false],
  ['was kostet mein Auto und wem gehört sie', true],
  ['welches Auto ist neu und wer fährt es', false],
  ['wo sind unsere Räder und wer hat sie', false],
  ['wo sind unsere Räder und wer hat ihn', true],
  ['ist Ingrid da und wo wohnt er', false],
])('%j refers to something else: %s', (question, expected) => expect(refersBack(question)).toBe(expected));

test.each([
  // The topic is the last message that stands by itself. It counts once, the question twice.
  [['the harbour museum opening hours', 'thanks'], 'why? why? harbour museum opening hours'],
  [['where is the key to the shed', 'and its colour?'], 'why? why? key shed'],
  [['When is choir?', 'ok'], 'why? why? choir'],
  [[' when is choir? '], 'why? why? choir'],
  [['choir'], 'why?'],
  [['the choir'], 'why? why? choir'],
  [['and its colour and size?'], 'why? why? colour size'],
  [['thanks', 'ok'], 'why?'],
])('after %j, "why?" is searched as %j', (history, expected) => expect(resolveQuery('why?', history)).toBe(expected));
